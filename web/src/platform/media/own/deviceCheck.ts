/**
 * Camera, microphone and speaker tried out before joining. Nothing leaves the browser, and all devices are closed
 * afterwards.
 */
import { createEmitter } from '../../emitter.ts';
import { deviceFault, listDevices, onDevicesChange } from './devices.ts';
import { createOwnDevices } from './ownDevices.ts';
import type { DeviceCheck, DeviceCheckState } from '../mediaTypes.ts';

/** Two soft notes, one second in total. */
const TONE = { notesHz: [523.25, 659.25], noteSeconds: 0.45, loudness: 0.18 };

/** Makes a check with nothing open. Takes the devices chosen before. */
export function createDeviceCheck(chosen: DeviceCheckState['chosen'] = {}): DeviceCheck {
  let state: DeviceCheckState = {
    camera: null,
    microphone: null,
    videoStream: null,
    level: 0,
    cameras: [],
    microphones: [],
    speakers: [],
    chosen,
    tone: false,
  };
  let closed = false;
  let sounding: HTMLAudioElement | null = null;
  let acts: Promise<unknown> = Promise.resolve();
  const changed = createEmitter();
  const set = (patch: Partial<DeviceCheckState>) => {
    if (closed) return;
    state = { ...state, ...patch };
    changed.emit();
  };
  const own = createOwnDevices(
    ({ videoStream, level }) => set({ videoStream, level }),
    (kind) => set({ [kind]: kind === 'camera' ? 'no_camera' : 'no_microphone' }),
  );
  const list = async () => {
    const lists = await listDevices();
    const shown = (devices: readonly { id: string; name: string }[]) =>
      devices.map(({ id, name }) => ({ id, label: name }));
    set({
      cameras: shown(lists.camera),
      microphones: shown(lists.microphone),
      speakers: shown(lists.speaker),
    });
  };
  const offDevices = onDevicesChange(() => void list());
  void list();

  const turn = (kind: 'camera' | 'microphone', on: boolean, id: string | undefined) => {
    const act = acts.then(async () => {
      if (closed) return;
      const device = id ?? state.chosen[kind];
      if (id !== undefined) set({ chosen: { ...state.chosen, [kind]: id } });
      if (!on) {
        own.close(kind);
        return set({ [kind]: 'off' });
      }
      set({ [kind]: 'opening' });
      const fault = await own.open(kind, device, 'modest', () => !closed);
      if (closed) return;
      set({ [kind]: fault ?? 'on' });
      // Browsers reveal device names only after permission, Firefox only in the foreground window. Do not wait for
      // them.
      void list();
    });
    acts = act.catch((thrown: unknown) => set({ [kind]: deviceFault(thrown, kind) }));
    return act;
  };
  return {
    get: () => state,
    subscribe: changed.on,
    setCamera: (on, id) => turn('camera', on, id),
    setMicrophone: (on, id) => turn('microphone', on, id),
    setSpeaker(id) {
      set({ chosen: { ...state.chosen, speaker: id } });
    },
    async playTone() {
      if (state.tone || closed) return;
      const context = new AudioContext();
      const out = context.createMediaStreamDestination();
      const seconds = TONE.notesHz.length * TONE.noteSeconds;
      TONE.notesHz.forEach((hz, index) => {
        const from = context.currentTime + 0.1 + index * TONE.noteSeconds;
        const note = new OscillatorNode(context, { type: 'sine', frequency: hz });
        const gain = new GainNode(context, { gain: 0 });
        gain.gain.setValueAtTime(0, from);
        gain.gain.linearRampToValueAtTime(TONE.loudness, from + 0.05);
        gain.gain.linearRampToValueAtTime(0, from + TONE.noteSeconds);
        note.connect(gain).connect(out);
        note.start(from);
        note.stop(from + TONE.noteSeconds);
      });
      const element = document.createElement('audio') as HTMLAudioElement & {
        setSinkId?: (id: string) => Promise<void>;
      };
      sounding = element;
      element.srcObject = out.stream;
      set({ tone: true });
      try {
        if (state.chosen.speaker) await element.setSinkId?.(state.chosen.speaker).catch(() => undefined);
        await context.resume();
        await element.play();
        await new Promise((resolve) => setTimeout(resolve, (seconds + 0.3) * 1_000));
      } catch {
        // The person hears nothing and notices it.
      } finally {
        element.pause();
        element.srcObject = null;
        sounding = null;
        void context.close().catch(() => undefined);
        set({ tone: false });
      }
    },
    close() {
      closed = true;
      offDevices();
      own.closeAll();
      sounding?.pause();
      changed.clear();
    },
  };
}
