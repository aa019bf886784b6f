/** Asks once before a page with unsaved changes is left. */
import { Button } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { storage } from '../../../../platform/storage.ts';
import dialog from '../../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx';
import { useRouterLeaving } from '../../../../ui/dialogs/useRouterLeaving.ts';

/** Watches links, the way back and closing the tab while `dirty` holds. People who have signed out are not asked. */
export function UnsavedDesignQuestion({ dirty }: { dirty: boolean }) {
  const { t } = useTranslation('design');
  const { t: tc } = useTranslation('common');
  // After signing out nothing can be saved any more.
  const asks = useCallback(() => dirty && storage.get('user') !== null, [dirty]);
  const { asked, stay, go } = useRouterLeaving({ asks, warns: asks }, dirty);
  return (
    <Dialog opened={asked} onClose={stay} size={560} title={t('leave.title')} close={tc('close')}>
      <p className={dialog.question}>{t('leave.text')}</p>
      <div className={dialog.acts}>
        <Button variant="default" data-autofocus onClick={stay}>
          {t('leave.stay')}
        </Button>
        <Button onClick={go}>{t('leave.go')}</Button>
      </div>
    </Dialog>
  );
}
