/** The dialogs about a running live session; their code is fetched when one of them is due (RunningSession.tsx). */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import dialog from '../../../ui/dialogs/dialogParts.module.css';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import styles from './RunningSession.module.css';

export interface EndDialogProps {
  opened: boolean;
  failed: boolean;
  busy: boolean;
  onClose(): void;
  onEnd(): void;
}

/** Asks before the live session is ended. */
export function EndDialog({ opened, failed, busy, onClose, onEnd }: EndDialogProps) {
  const { t } = useTranslation('usage');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('running.endTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <p style={{ margin: 0 }}>{t('running.endText')}</p>
      {failed && (
        <p className={styles.fault} role="alert">
          {t('running.endFailed')}
        </p>
      )}
      <div className={dialog.acts}>
        <Button data-autofocus variant="default" onClick={onClose}>
          {t('running.endNo')}
        </Button>
        <Button color="danger" loading={busy} onClick={onEnd}>
          {t('running.endYes')}
        </Button>
      </div>
    </Modal>
  );
}

/** Reports that the timer continues. */
export function TimerStaysDialog({ opened, onClose }: Pick<EndDialogProps, 'opened' | 'onClose'>) {
  const { t } = useTranslation('usage');
  return (
    <Modal opened={opened} onClose={onClose} title={t('stays.title')} closeButtonProps={{ 'aria-label': t('close') }}>
      <p style={{ margin: 0 }}>{t('stays.text')}</p>
      <div className={dialog.acts}>
        <Button data-autofocus onClick={onClose}>
          {t('stays.understood')}
        </Button>
      </div>
    </Modal>
  );
}
