/**
 * Choose and try out camera, microphone and speaker. The check opens the devices that a person switches on, and closes
 * them all afterwards. All fields are there from the first moment. Browsers list their devices late, some only once a
 * person has allowed one; a field that appeared then would move the others under a finger.
 */
import { Button, NativeSelect, Switch } from '@mantine/core';
import { IconVolume } from '@tabler/icons-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceCheck, DeviceCheckState, MediaState } from '../../../platform/media/mediaTypes.ts';
import { choosesSpeaker } from '../../../platform/media/support.ts';
import type { VideoStore } from '../store/videoStore.ts';
import styles from '../video.module.css';

const NOTHING: DeviceCheckState = {
  camera: null,
  microphone: null,
  videoStream: null,
  level: 0,
  cameras: [],
  microphones: [],
  speakers: [],
  chosen: {},
  tone: false,
};

/**
 * Makes a device check while the dialog is open. Takes the devices chosen last. Returns the check (null while its code
 * loads) and its state.
 */
export function useDeviceCheck(chosen: DeviceCheckState['chosen']): {
  check: DeviceCheck | null;
  state: DeviceCheckState;
} {
  const [check, setCheck] = useState<DeviceCheck | null>(null);
  const first = useRef(chosen);
  useEffect(() => {
    let made: DeviceCheck | null = null;
    let gone = false;
    import('../../../platform/media/index.ts').then(
      (module) => {
        if (gone) return;
        made = module.createDeviceCheck(first.current);
        setCheck(made);
      },
      // The fields stay disabled; joining is still possible.
      () => undefined,
    );
    return () => {
      gone = true;
      made?.close();
    };
  }, []);
  const state = useSyncExternalStore(
    (listener) => check?.subscribe(listener) ?? (() => undefined),
    () => check?.get() ?? NOTHING,
  );
  return { check, state };
}

/** The effects of the fields. */
export type DeviceActs = Pick<DeviceCheck, 'setCamera' | 'setMicrophone' | 'setSpeaker' | 'playTone'>;

/**
 * The same fields for people who already take part: they show and change what the room receives. Takes the check (for
 * the lists of devices and the tone), its state, and the room's media.
 */
export function liveDevices(
  check: DeviceCheck | null,
  state: DeviceCheckState,
  media: MediaState,
  store: VideoStore,
): { acts: DeviceActs | null; state: DeviceCheckState } {
  const { own, choice } = media;
  const chosen = {
    ...(choice.camera ? { camera: choice.camera } : {}),
    ...(choice.microphone ? { microphone: choice.microphone } : {}),
    ...(choice.speaker ? { speaker: choice.speaker } : {}),
  };
  const turn = (kind: 'camera' | 'microphone', on: boolean, id: string | undefined) => {
    if (id !== undefined) store.setDevice(kind, id);
    else if (kind === 'camera') store.setVideo(on);
    else store.setAudio(on);
    return Promise.resolve();
  };
  return {
    acts: check && {
      setCamera: (on, id) => turn('camera', on, id),
      setMicrophone: (on, id) => turn('microphone', on, id),
      setSpeaker(id) {
        check.setSpeaker(id);
        store.setDevice('speaker', id);
      },
      playTone: () => check.playTone(),
    },
    state: {
      ...state,
      camera: own.video ? 'on' : 'off',
      microphone: own.audio ? 'on' : 'off',
      videoStream: own.video ? own.videoStream : null,
      level: own.level,
      chosen,
    },
  };
}

/**
 * A preview, switches for camera and microphone, the devices, and a test tone. `check` is null while its code is
 * loading; then the fields are disabled.
 */
export function DeviceFields({ check, state }: { check: DeviceActs | null; state: DeviceCheckState }) {
  const { t } = useTranslation('video');
  const camera = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (camera.current && camera.current.srcObject !== state.videoStream) camera.current.srcObject = state.videoStream;
  }, [state.videoStream]);
  const fault = (what: DeviceCheckState['camera']) =>
    what !== null && what !== 'opening' && what !== 'on' && what !== 'off' ? what : null;
  const cameraFault = fault(state.camera);
  const microphoneFault = fault(state.microphone);
  return (
    <div className={styles.check}>
      <div className={styles.checkVideo} data-on={state.videoStream !== null || undefined}>
        {state.videoStream !== null ? (
          <video ref={camera} muted playsInline autoPlay aria-label={t('check.preview')} />
        ) : (
          <span>{state.camera === 'opening' ? t('check.opening') : t('check.cameraOff')}</span>
        )}
      </div>
      <div className={styles.checkFields}>
        <Switch
          label={t('check.camera')}
          checked={state.camera === 'on' || state.camera === 'opening'}
          disabled={check === null}
          onChange={(event) => void check?.setCamera(event.currentTarget.checked)}
        />
        {cameraFault && <Help fault={cameraFault} />}
        <DeviceSelect
          kind="camera"
          devices={state.cameras}
          chosen={state.chosen.camera}
          onChoose={check && ((id) => void check.setCamera(true, id))}
        />
        <Switch
          label={t('check.microphone')}
          checked={state.microphone === 'on' || state.microphone === 'opening'}
          disabled={check === null}
          onChange={(event) => void check?.setMicrophone(event.currentTarget.checked)}
        />
        {microphoneFault && <Help fault={microphoneFault} />}
        {state.microphone === 'on' && (
          <div className={styles.level}>
            <meter min={0} max={1} value={state.level} aria-label={t('check.level')} />
            <span>{t('check.levelHint')}</span>
          </div>
        )}
        <DeviceSelect
          kind="microphone"
          devices={state.microphones}
          chosen={state.chosen.microphone}
          onChoose={check && ((id) => void check.setMicrophone(true, id))}
        />
        {choosesSpeaker() && (
          <DeviceSelect
            kind="speaker"
            devices={state.speakers}
            chosen={state.chosen.speaker}
            onChoose={check && ((id) => check.setSpeaker(id))}
          />
        )}
        <Button
          variant="default"
          leftSection={<IconVolume size={20} stroke={1.75} aria-hidden />}
          disabled={check === null || state.tone}
          onClick={() => void check?.playTone()}
        >
          {state.tone ? t('check.tonePlays') : t('check.tone')}
        </Button>
      </div>
    </div>
  );
}

/**
 * A choice of devices; disabled while there is none. Takes a function that chooses, null while nothing can be chosen.
 */
function DeviceSelect({
  kind,
  devices,
  chosen,
  onChoose,
}: {
  kind: 'camera' | 'microphone' | 'speaker';
  devices: readonly { id: string; label: string }[];
  chosen: string | undefined;
  onChoose: ((id: string) => void) | null;
}) {
  const { t } = useTranslation('video');
  const named = devices.map(({ id, label }, index) => ({
    value: id,
    label: label || t(`device.${kind}Number`, { number: index + 1 }),
  }));
  return (
    <NativeSelect
      label={t(`device.${kind}`)}
      value={chosen ?? devices[0]?.id ?? ''}
      data={named.length > 0 ? named : [{ value: '', label: t('device.browsersChoice') }]}
      disabled={onChoose === null || devices.length < 2}
      onChange={(event) => onChoose?.(event.currentTarget.value)}
    />
  );
}

function Help({ fault }: { fault: string }) {
  const { t } = useTranslation('video');
  return (
    <p className={styles.checkFault} role="alert">
      <strong>{t(`fault.${fault}.title`)}</strong> {t(`fault.${fault}.help`)}
    </p>
  );
}
