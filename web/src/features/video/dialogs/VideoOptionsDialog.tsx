/** Devices, how tiles are shown, and the therapist's switches for the room. */
import type { VideoSettings } from '@fieldroom/contract/video';
import { Button, SegmentedControl, Switch } from '@mantine/core';
import { IconMicrophoneOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { DeviceFields, liveDevices, useDeviceCheck } from './DeviceFields.tsx';
import { type Strip, STRIPS } from '../store/videoModel.ts';
import type { VideoCalls } from '../store/videoStore.ts';
import { takesPart, useVideoPart, useVideoStore } from '../store/useVideo.ts';
import styles from '../video.module.css';

export interface OptionsDialogProps {
  /** Only for the therapist. */
  calls: VideoCalls | null;
  phone: boolean;
  onFailed(): void;
  onMutedAll(): void;
  onClose(): void;
}

/**
 * `calls` reach the server's settings of the room; null for clients. Devices change at once for people who take part;
 * for others the tested devices apply when the dialog closes. With encryption it shows the safety code to compare
 * (docs/product.md#10.9).
 */
export function VideoOptionsDialog({ calls, phone, onFailed, onMutedAll, onClose }: OptionsDialogProps) {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const view = useVideoPart((model) => model.view);
  const media = useVideoPart((model) => model.media);
  const settings = useVideoPart((model) => model.room?.settings ?? null);
  const taking = useVideoPart(takesPart);
  const [busy, setBusy] = useState(false);
  const last = media.phase === 'off' ? store.lastChoice() : media.choice;
  const { check, state } = useDeviceCheck({
    ...(last.camera ? { camera: last.camera } : {}),
    ...(last.microphone ? { microphone: last.microphone } : {}),
    ...(last.speaker ? { speaker: last.speaker } : {}),
  });
  const live = liveDevices(check, state, media, store);
  const change = async (patch: Partial<VideoSettings>) => {
    setBusy(true);
    try {
      await calls?.setSettings(patch);
    } catch {
      onFailed();
    } finally {
      setBusy(false);
    }
  };
  const close = () => {
    // It was tested here, so it applies from now on; for people who take part it has changed already.
    if (!taking)
      for (const kind of ['camera', 'microphone', 'speaker'] as const) {
        const id = state.chosen[kind];
        if (id !== undefined && id !== last[kind]) store.setDevice(kind, id);
      }
    onClose();
  };
  return (
    <Modal opened onClose={close} size={700} title={t('options.title')} closeButtonProps={{ 'aria-label': t('close') }}>
      <section className={styles.options}>
        <h3>{t('options.devices')}</h3>
        <DeviceFields check={taking ? live.acts : check} state={taking ? live.state : state} />
      </section>
      <section className={styles.options}>
        <h3>{t('options.view')}</h3>
        {!phone && (
          <div className={styles.option}>
            <span id="video-strip">{t('options.strip')}</span>
            <SegmentedControl
              aria-labelledby="video-strip"
              value={view.strip}
              onChange={(strip) => store.setView({ strip: strip as Strip })}
              data={STRIPS.map((strip) => ({ value: strip, label: t(`options.strips.${strip}`) }))}
            />
          </div>
        )}
        <Switch
          label={t('options.showOwn')}
          description={t('options.showOwnHint')}
          checked={view.showOwn}
          onChange={(event) => store.setView({ showOwn: event.currentTarget.checked })}
        />
        <Switch
          label={t('options.lowData')}
          description={t('options.lowDataHint')}
          checked={media.lowData}
          disabled={!taking}
          onChange={(event) => store.setLowData(event.currentTarget.checked)}
        />
        <Switch
          label={t('options.details')}
          description={t('options.detailsHint')}
          checked={view.details}
          onChange={(event) => store.setView({ details: event.currentTarget.checked })}
        />
      </section>
      {calls && settings && (
        <section className={styles.options}>
          <h3>{t('options.room')}</h3>
          <Switch
            label={t('options.clientsVisible')}
            description={t('options.clientsVisibleHint')}
            checked={settings.clientsVisible}
            disabled={busy}
            onChange={(event) => void change({ clientsVisible: event.currentTarget.checked })}
          />
          <Switch
            label={t('options.highQuality')}
            description={t('options.highQualityHint')}
            checked={settings.highQuality}
            disabled={busy}
            onChange={(event) => void change({ highQuality: event.currentTarget.checked })}
          />
          <Switch
            label={t('options.encrypted')}
            description={t('options.encryptedHint')}
            checked={settings.encrypted}
            disabled={busy}
            onChange={(event) => void change({ encrypted: event.currentTarget.checked })}
          />
          <Button
            variant="default"
            leftSection={<IconMicrophoneOff size={20} stroke={1.75} aria-hidden />}
            onClick={() => {
              void calls.mute('all').then(onMutedAll, onFailed);
            }}
          >
            {t('options.muteAll')}
          </Button>
        </section>
      )}
      {settings?.encrypted && media.safetyCode !== null && (
        <p className={styles.safetyCode} data-testid="safety-code">
          {t('options.safetyCode')} <strong>{media.safetyCode}</strong> <span>{t('options.safetyHint')}</span>
        </p>
      )}
      <p className={styles.dialogText}>{t('nothingRecorded')}</p>
    </Modal>
  );
}
