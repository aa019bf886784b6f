/** The video controls in the room's bar. */
import {
  IconAdjustmentsHorizontal,
  IconHandStop,
  IconMicrophone,
  IconMicrophoneOff,
  IconPlayerStop,
  IconVideo,
  IconVideoMinus,
  IconVideoOff,
} from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Layout, Strip } from '../store/videoModel.ts';
import type { VideoCalls } from '../store/videoStore.ts';
import { takesPart, useVideoPart, useVideoStore } from '../store/useVideo.ts';
import parts from '../../../ui/roomParts.module.css';

const DeviceCheckDialog = lazy(() =>
  import('../dialogs/DeviceCheckDialog.tsx').then((module) => ({ default: module.DeviceCheckDialog })),
);
const VideoOptionsDialog = lazy(() =>
  import('../dialogs/VideoOptionsDialog.tsx').then((module) => ({ default: module.VideoOptionsDialog })),
);

export interface VideoControlsProps {
  me: { as: 'therapist' | 'client' };
  therapistName: string;
  /** The therapist's acts on the room; null for clients. */
  calls: VideoCalls | null;
  phone: boolean;
  onFailed(): void;
  onMutedAll(): void;
}

/** Start video, or mute, camera, devices and stop. A phone has room only for mute and camera; its menu has the rest. */
export function VideoControls({ me, therapistName, calls, phone, onFailed, onMutedAll }: VideoControlsProps) {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const taking = useVideoPart(takesPart);
  const running = useVideoPart((model) => model.room?.running ?? false);
  const { audio, video } = useVideoPart(
    (model) => model.media.own,
    (a, b) => a.audio === b.audio && a.video === b.video,
  );
  const [open, setOpen] = useState<'check' | 'options' | null>(null);
  return (
    <>
      {!taking && (
        <button type="button" className={parts.control} onClick={() => setOpen('check')}>
          <IconVideo size={22} stroke={1.75} aria-hidden />
          {t(me.as === 'therapist' ? 'control.start' : running ? 'control.join' : 'control.check')}
        </button>
      )}
      {taking && (
        <button
          type="button"
          className={parts.control}
          aria-pressed={!audio}
          data-video="mute"
          onClick={() => store.setAudio(!audio)}
        >
          {audio ? (
            <IconMicrophone size={22} stroke={1.75} aria-hidden />
          ) : (
            <IconMicrophoneOff size={22} stroke={1.75} aria-hidden />
          )}
          {t(audio ? 'control.mute' : 'control.unmute')}
        </button>
      )}
      {taking && (
        <button
          type="button"
          className={parts.control}
          aria-pressed={!video}
          data-video="camera"
          onClick={() => store.setVideo(!video)}
        >
          {video ? (
            <IconVideo size={22} stroke={1.75} aria-hidden />
          ) : (
            <IconVideoOff size={22} stroke={1.75} aria-hidden />
          )}
          {t(video ? 'control.cameraOff' : 'control.cameraOn')}
        </button>
      )}
      {taking && !phone && (
        <button type="button" className={parts.control} onClick={() => setOpen('options')}>
          <IconAdjustmentsHorizontal size={22} stroke={1.75} aria-hidden />
          {t('control.options')}
        </button>
      )}
      {taking && !phone && (
        <button type="button" className={parts.control} data-video="stop" onClick={() => void store.leave()}>
          {me.as === 'therapist' ? (
            <IconPlayerStop size={22} stroke={1.75} aria-hidden />
          ) : (
            <IconVideoMinus size={22} stroke={1.75} aria-hidden />
          )}
          {t(me.as === 'therapist' ? 'control.stop' : 'control.leave')}
        </button>
      )}
      <Suspense fallback={null}>
        {open === 'check' && <DeviceCheckDialog me={me} therapistName={therapistName} onClose={() => setOpen(null)} />}
        {open === 'options' && (
          <VideoOptionsDialog
            calls={calls}
            phone={phone}
            onFailed={onFailed}
            onMutedAll={onMutedAll}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </>
  );
}

/** The client's button that raises and lowers the hand. `onRaise` gets the wanted state. */
export function HandControl({ raised, onRaise }: { raised: boolean; onRaise(raised: boolean): void }) {
  const { t } = useTranslation('video');
  return (
    <button type="button" className={parts.control} aria-pressed={raised} onClick={() => onRaise(!raised)}>
      <IconHandStop size={22} stroke={1.75} aria-hidden />
      {t(raised ? 'control.handUp' : 'control.hand')}
    </button>
  );
}

interface RoomLayout {
  layout: Layout;
  strip: Strip;
  taking: boolean;
  /** From the gallery, which has only a preview of the field, to the field. A stable function. */
  leaveGallery(): void;
}

/** The room's layout, as attributes of its stage. Without taking part it is only the field. */
export function useLayout(): RoomLayout {
  const store = useVideoStore();
  const taking = useVideoPart(takesPart);
  const layout = useVideoPart((model) => model.view.layout);
  const strip = useVideoPart((model) => model.view.strip);
  const leaveGallery = useCallback(() => {
    const model = store.get();
    if (takesPart(model) && model.view.layout === 'gallery') store.setView({ layout: 'field' });
  }, [store]);
  return { layout: taking ? layout : 'field', strip, taking, leaveGallery };
}
