/** The dialog shown while connecting or disconnecting (docs/product.md#10.11). */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SHEET } from '../../../ui/dialogs/sheet.ts';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import styles from '../video.module.css';

/** Takes which of the two; `onCancel` stops joining. Leaving cannot be stopped. */
export function ConnectingDialog({ phase, onCancel }: { phase: 'connecting' | 'disconnecting'; onCancel(): void }) {
  const { t } = useTranslation('video');
  return (
    <Modal
      opened
      onClose={onCancel}
      closeOnEscape={phase === 'connecting'}
      closeOnClickOutside={false}
      withCloseButton={false}
      title={t(`${phase}.title`)}
      classNames={SHEET}
    >
      <p role="status" style={{ margin: 0 }}>
        {t(`${phase}.text`)}
      </p>
      <span className={styles.waiting} aria-hidden>
        <i />
        <i />
        <i />
      </span>
      {phase === 'connecting' && (
        <div className={styles.dialogActs}>
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
        </div>
      )}
    </Modal>
  );
}
