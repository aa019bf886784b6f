/** The dialog of devices: before taking part it tries out, afterwards it is the room's own microphone and camera. */
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import words from '../../../locales/en/video.json';
import type { DeviceCheckState } from '../../../platform/media/mediaTypes.ts';
import { DeviceCheckDialog } from './DeviceCheckDialog.tsx';
import { VideoOptionsDialog } from './VideoOptionsDialog.tsx';
import { VideoContext } from '../store/useVideo.ts';
import { createVideoStore, type VideoStore } from '../store/videoStore.ts';
import { outside, running } from '../store/videoStore.fixture.ts';

const tried: string[] = [];
const devices = (kind: string) => [1, 2].map((number) => ({ id: `${kind}-${number}`, label: `${kind} ${number}` }));
const FOUND: DeviceCheckState = {
  camera: null,
  microphone: null,
  videoStream: null,
  level: 0,
  cameras: devices('camera'),
  microphones: devices('microphone'),
  speakers: devices('speaker'),
  chosen: {},
  tone: false,
};
let found = FOUND;
const listeners = new Set<() => void>();
vi.mock('../../../platform/media/index.ts', () => ({
  createDeviceCheck: () => ({
    get: () => found,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async setCamera(on: boolean) {
      tried.push(`camera ${on}`);
    },
    async setMicrophone(on: boolean) {
      tried.push(`microphone ${on}`);
    },
    setSpeaker(id: string) {
      tried.push(id);
    },
    async playTone() {
      tried.push('tone');
    },
    close() {
      tried.push('closed');
    },
  }),
}));

beforeAll(() =>
  i18next.use(initReactI18next).init({
    lng: 'en',
    ns: ['video'],
    defaultNS: 'video',
    resources: { en: { video: words } },
    interpolation: { escapeValue: false },
  }),
);
let store: VideoStore | null = null;
beforeEach(() => {
  tried.length = 0;
  found = FOUND;
  Object.assign(HTMLMediaElement.prototype, { setSinkId: () => Promise.resolve() });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  store?.close();
  store = null;
});

async function opened(taking: boolean) {
  const world = outside();
  store = createVideoStore({ me: { id: 11, as: 'client' }, ...world });
  const made = store;
  act(() => world.room(running(true)));
  if (taking) {
    await act(async () => {
      made.join('camera');
    });
    act(() =>
      world.set({ own: { videoStream: null, audio: true, video: true, level: 0.4, talking: true, lost: null } }),
    );
  }
  const close = vi.fn();
  render(
    <MantineProvider env="test">
      <VideoContext value={made}>
        <VideoOptionsDialog
          calls={null}
          phone={false}
          onFailed={() => undefined}
          onMutedAll={() => undefined}
          onClose={close}
        />
      </VideoContext>
    </MantineProvider>,
  );
  await screen.findByRole('switch', { name: 'Camera' });
  await vi.waitFor(() => expect(screen.getByRole('switch', { name: 'Camera' })).toHaveProperty('disabled', false));
  world.done.length = 0;
  return { world, close };
}
const isOn = (name: string) => (screen.getByRole('switch', { name }) as HTMLInputElement).checked;

test('a participant sees what the room receives, and changes that', async () => {
  const { world } = await opened(true);
  expect([isOn('Camera'), isOn('Microphone')]).toEqual([true, true]);
  expect(screen.getByRole('meter')).toHaveProperty('value', 0.4);
  fireEvent.click(screen.getByRole('switch', { name: 'Camera' }));
  fireEvent.click(screen.getByRole('switch', { name: 'Microphone' }));
  fireEvent.change(screen.getByRole('combobox', { name: 'Camera' }), { target: { value: 'camera-2' } });
  expect(world.done).toEqual(['video false', 'audio false', 'camera camera-2']);
  // No device is opened besides the room's.
  expect(tried).toEqual([]);
  fireEvent.change(screen.getByRole('combobox', { name: 'Speaker' }), { target: { value: 'speaker-2' } });
  expect([world.done.at(-1), tried]).toEqual(['speaker speaker-2', ['speaker-2']]);
});

test('somebody not in the video tries devices out, and nothing reaches the room', async () => {
  const { world } = await opened(false);
  expect([isOn('Camera'), isOn('Microphone')]).toEqual([false, false]);
  fireEvent.click(screen.getByRole('switch', { name: 'Camera' }));
  expect([tried, world.done]).toEqual([['camera true'], []]);
});

/** Opens the dialog for devices before joining. */
function openCheck() {
  const world = outside();
  store = createVideoStore({ me: { id: 1, as: 'therapist' }, ...world });
  const made = store;
  act(() => world.room(running(true)));
  render(
    <MantineProvider env="test">
      <VideoContext value={made}>
        <DeviceCheckDialog me={{ as: 'therapist' }} therapistName="Anna" onClose={() => undefined} />
      </VideoContext>
    </MantineProvider>,
  );
}

test('a browser without video support says so before anybody tries a device', async () => {
  openCheck();
  expect(await screen.findByText(words.fault.unsupported.title)).toBeTruthy();
  expect(screen.queryByRole('switch', { name: 'Camera' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Audio only' })).toBeNull();
  expect(tried).toEqual([]);
});

/** The dialog's fields and buttons, in their order. */
const controls = () => [...screen.getByRole('dialog').querySelectorAll('button, input, select')];

test.each([
  ['none is named before a person allows one', false],
  ['a choice', true],
])(
  'before joining, all fields and buttons are there at once and stay when the devices are known: %s',
  async (_, choice) => {
    found = { ...FOUND, cameras: [], microphones: [], speakers: [] };
    vi.stubGlobal('RTCPeerConnection', class {});
    openCheck();
    await screen.findByRole('button', { name: 'Audio only' });
    const first = controls();
    for (const name of ['Camera', 'Microphone', 'Speaker'])
      expect(screen.getByRole('combobox', { name })).toHaveProperty('disabled', true);
    await vi.waitFor(() => expect(listeners.size).toBeGreaterThan(0));
    expect(controls()).toEqual(first);
    act(() => {
      found = choice ? FOUND : { ...found };
      for (const listener of listeners) listener();
    });
    expect(controls()).toEqual(first);
    for (const name of ['Camera', 'Microphone', 'Speaker'])
      expect(screen.getByRole('combobox', { name })).toHaveProperty('disabled', !choice);
  },
);

test('a browser whose system chooses the speaker offers no choice, from the first moment', async () => {
  delete (HTMLMediaElement.prototype as { setSinkId?: unknown }).setSinkId;
  vi.stubGlobal('RTCPeerConnection', class {});
  openCheck();
  await screen.findByRole('combobox', { name: 'Microphone' });
  expect(screen.queryByRole('combobox', { name: 'Speaker' })).toBeNull();
});
