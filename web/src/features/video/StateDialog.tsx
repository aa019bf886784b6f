/** The connecting and the disconnecting dialog of specification 2.4. */
import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** In: which of the two; `onCancel` ends the joining. Leaving can't be stopped any more. */
export function StateDialog({ phase, onCancel }: { phase: 'connecting' | 'disconnecting'; onCancel(): void }) {
  const { t } = useTranslation('video');
  return (
    <Modal
      opened
      onClose={onCancel}
      closeOnEscape={phase === 'connecting'}
      closeOnClickOutside={false}
      withCloseButton={false}
      title={t(`${phase}.title`)}
      centered
    >
      <p role="status" style={{ margin: 0 }}>
        {t(`${phase}.text`)}
      </p>
      <span className="video-wait" aria-hidden>
        <i />
        <i />
        <i />
      </span>
      {phase === 'connecting' && (
        <div className="video-dialog-acts">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
        </div>
      )}
    </Modal>
  );
}
