/** Resets everything to the theme, after a question: colours and picture are then removed. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../../platform/i18n/app.ts';
import { problemText } from '../../../../platform/i18n/faults.ts';
import { Callout } from '../../../../ui/states/Callout.tsx';
import dialog from '../../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx';
import styles from '../DesignPage.module.css';

/**
 * The last part of the page: a button, and the question before the reset. `onReset` resets on the server; a refusal is
 * shown in the question, which stays open.
 */
export function ResetSection({ disabled, onReset }: { disabled: boolean; onReset(): Promise<void> }) {
  const { t } = useTranslation('design');
  const { t: tc } = useTranslation('common');
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const reset = async () => {
    setBusy(true);
    setFault(null);
    try {
      await onReset();
      setAsked(false);
    } catch (refused) {
      setFault(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.reset}>
      <p>{t('reset.text')}</p>
      <Button
        variant="default"
        disabled={disabled}
        onClick={() => {
          setFault(null);
          setAsked(true);
        }}
      >
        {t('reset.open')}
      </Button>
      <Dialog
        opened={asked}
        onClose={() => setAsked(false)}
        size={560}
        title={t('reset.title')}
        close={tc('close')}
        busy={busy}
      >
        <p className={dialog.question}>{t('reset.question')}</p>
        <div className={dialog.words}>
          {fault === null ? null : (
            <Callout tone="fault" role="alert">
              {problemText(sayProblem, fault)}
            </Callout>
          )}
        </div>
        <div className={dialog.acts}>
          <Button variant="default" data-autofocus disabled={busy} onClick={() => setAsked(false)}>
            {t('reset.keep')}
          </Button>
          <Button color="danger" loading={busy} onClick={() => void reset()}>
            {t('reset.confirm')}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
