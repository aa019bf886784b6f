/** Tracks which forms of the page have unsaved changes, and asks once before these would be lost. */
import { Button } from '@mantine/core';
import { createContext, type ReactNode, use, useCallback, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { storage } from '../../../platform/storage.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { useRouterLeaving } from '../../../ui/dialogs/useRouterLeaving.ts';

type Tell = (form: string, changed: boolean) => void;
const TellContext = createContext<Tell>(() => {});

/** Reports whether a form has unsaved changes, as long as the form is mounted. */
export function useUnsaved(changed: boolean): void {
  const tell = use(TellContext);
  const form = useId();
  useEffect(() => {
    tell(form, changed);
    return () => tell(form, false);
  }, [tell, form, changed]);
}

/**
 * Wraps the profile page. Forms inside report to it by `useUnsaved`. People who are signed out are not asked, because
 * they could not save.
 */
export function UnsavedChanges({ children }: { children: ReactNode }) {
  const { t } = useTranslation('profile');
  const { t: tc } = useTranslation('common');
  const [forms, setForms] = useState<ReadonlySet<string>>(new Set());
  const tell = useCallback<Tell>(
    (form, changed) =>
      setForms((before) => {
        if (before.has(form) === changed) return before;
        const now = new Set(before);
        if (changed) now.add(form);
        else now.delete(form);
        return now;
      }),
    [],
  );
  const unsaved = forms.size > 0;
  // People who are signed out can no longer save, and must not be kept on the page.
  const asks = useCallback(() => unsaved && storage.getText('token') !== null, [unsaved]);
  const { asked, stay, go } = useRouterLeaving({ asks, warns: asks }, unsaved);
  return (
    <TellContext value={tell}>
      {children}
      <Dialog opened={asked} onClose={stay} size={560} title={t('unsaved.title')} close={tc('close')}>
        <div className={dialog.scroll}>
          <p className={dialog.question}>{t('unsaved.text')}</p>
        </div>
        <div className={dialog.acts}>
          <Button variant="default" onClick={go}>
            {t('unsaved.leave')}
          </Button>
          <Button data-autofocus onClick={stay}>
            {t('unsaved.stay')}
          </Button>
        </div>
      </Dialog>
    </TellContext>
  );
}
