/** Before joining: see and hear oneself, choose devices; then join with camera, with audio, or only watch. */
import { Button } from '@mantine/core';
import { IconHeadphones, IconMicrophone, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { DeviceFields, useDeviceCheck } from './DeviceFields.tsx';
import { hasWebRtc } from '../../../platform/media/support.ts';
import type { JoinWith } from '../store/videoModel.ts';
import { takesPart, useVideoPart, useVideoStore } from '../store/useVideo.ts';
import styles from '../video.module.css';

interface DeviceCheckProps {
  me: { as: 'therapist' | 'client' };
  therapistName: string;
  onClose(): void;
}

/**
 * Opens no device automatically (docs/product.md#10.3). For people who take part already it has no buttons to join. A
 * browser without WebRTC says so.
 */
export function DeviceCheckDialog(props: DeviceCheckProps) {
  const { t } = useTranslation('video');
  return (
    <Modal
      opened
      onClose={props.onClose}
      size={700}
      title={t('check.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {hasWebRtc() ? <DeviceCheck {...props} /> : <UnsupportedBrowser />}
    </Modal>
  );
}

/** What a browser without WebRTC shows instead of the check. */
function UnsupportedBrowser() {
  const { t } = useTranslation('video');
  return (
    <>
      <p className={styles.dialogText}>
        <strong>{t('fault.unsupported.title')}</strong>
      </p>
      <p className={styles.dialogText}>{t('fault.unsupported.help')}</p>
    </>
  );
}

function DeviceCheck({ me, therapistName, onClose }: DeviceCheckProps) {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const running = useVideoPart((model) => model.room?.running ?? false);
  const taking = useVideoPart(takesPart);
  const last = store.lastChoice();
  const { check, state } = useDeviceCheck({
    ...(last.camera ? { camera: last.camera } : {}),
    ...(last.microphone ? { microphone: last.microphone } : {}),
    ...(last.speaker ? { speaker: last.speaker } : {}),
  });
  const join = (how: JoinWith) => {
    store.join(how, state.chosen);
    onClose();
  };
  const main: JoinWith =
    state.camera === 'on'
      ? 'camera'
      : state.microphone === 'on'
        ? 'microphone'
        : state.camera === null && state.microphone === null
          ? 'camera'
          : 'watch';
  return (
    <>
      <p className={styles.dialogText}>
        {me.as === 'client' && !running ? t('check.before', { name: therapistName }) : t('check.text')}
      </p>
      <DeviceFields check={check} state={state} />
      {!taking && (
        <div className={styles.dialogActs}>
          <Button
            variant={main === 'watch' ? 'filled' : 'default'}
            leftSection={<IconHeadphones size={20} stroke={1.75} aria-hidden />}
            onClick={() => join('watch')}
          >
            {t('join.watch')}
          </Button>
          <Button
            variant={main === 'microphone' ? 'filled' : 'default'}
            leftSection={<IconMicrophone size={20} stroke={1.75} aria-hidden />}
            onClick={() => join('microphone')}
          >
            {t('join.microphone')}
          </Button>
          <Button
            variant={main === 'camera' ? 'filled' : 'default'}
            leftSection={<IconVideo size={20} stroke={1.75} aria-hidden />}
            onClick={() => join('camera')}
          >
            {t('join.camera')}
          </Button>
        </div>
      )}
    </>
  );
}
