/** The view and the controls of audio and video. */
import { DEFAULT_VIDEO_SETTINGS } from '@fieldroom/contract/video';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import words from '../../../locales/en/video.json';
import type { MediaPerson } from '../../../platform/media/mediaTypes.ts';
import { useLayout } from '../controls/VideoControls.tsx';
import { LazyLayoutSwitch, LazyVideoTiles, takingPart } from '../lazyVideo.tsx';
import { VideoContext } from '../store/useVideo.ts';
import { createVideoStore, type VideoStore } from '../store/videoStore.ts';
import { outside, running } from '../store/videoStore.fixture.ts';

beforeAll(async () => {
  await takingPart.load();
  await i18next.use(initReactI18next).init({
    lng: 'en',
    ns: ['video'],
    defaultNS: 'video',
    resources: { en: { video: words } },
    interpolation: { escapeValue: false },
  });
});
let store: VideoStore | null = null;
afterEach(() => {
  cleanup();
  store?.close();
  store = null;
});

const someone = (id: number, patch: Partial<MediaPerson> = {}): MediaPerson => ({
  id,
  as: 'client',
  videoStream: null,
  sendsVideo: true,
  sendsAudio: true,
  talking: false,
  size: null,
  layers: null,
  kbps: 0,
  unreadable: false,
  ...patch,
});
const PEOPLE = Array.from({ length: 24 }, (_, index) => ({ id: 11 + index, name: `Person ${index + 1}` }));

async function shown({ as = 'client' as 'client' | 'therapist', phone = false, join = true, kept = {} } = {}) {
  const world = outside();
  world.kept.view = kept;
  const me = as === 'client' ? { id: 11, as, name: 'Person 1' } : { id: 1, as, name: 'Anna' };
  store = createVideoStore({ me: { id: me.id, as }, ...world });
  const made = store;
  render(
    <MantineProvider env="test">
      <VideoContext value={made}>
        <LazyLayoutSwitch />
        <LazyVideoTiles
          me={me}
          therapist={{ id: 1, name: 'Anna' }}
          people={PEOPLE}
          phone={phone}
          onPlace={(element) => {
            over.add(element);
            return () => void over.delete(element);
          }}
        />
      </VideoContext>
    </MantineProvider>,
  );
  act(() => world.room(running(true)));
  if (join)
    await act(async () => {
      made.join('microphone');
    });
  return { world, store: made };
}
/** The elements over the field. */
const over = new Set<Element>();
const named = () => [...document.querySelectorAll('.tile')].map((tile) => tile.getAttribute('aria-label'));

test('an offer has three ways to join, and none is chosen automatically', async () => {
  const { world } = await shown({ join: false });
  expect(screen.getByText('Anna has started the video')).toBeTruthy();
  expect(world.done).toEqual([]);
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Just watch and listen' }));
  });
  expect(world.done[0]).toBe('start --');
});

test('5.24 the field receives the area that the question covers, until it is answered', async () => {
  await shown({ join: false });
  expect([...over].map((element) => element.getAttribute('aria-label'))).toEqual(['Anna has started the video']);
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
  expect(over.size).toBe(0);
});

test('tiles have names and marks that are read out; only videos on the page are requested', async () => {
  const { world } = await shown({ as: 'therapist', kept: { layout: 'gallery' } });
  act(() => world.set({ people: PEOPLE.map(({ id }) => someone(id, { talking: id === 12, sendsAudio: id !== 13 })) }));
  expect(named().slice(0, 3)).toEqual(['Person 1', 'Person 2, is talking', 'Person 3, microphone off']);
  expect(named().slice(12)).toEqual(['You, microphone off']);
  expect(world.done.at(-1)).toBe(
    `show ${PEOPLE.slice(0, 12)
      .map(({ id }) => id)
      .join(' ')}`,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  expect(world.done.at(-1)).toBe(
    `show ${PEOPLE.slice(12)
      .map(({ id }) => id)
      .join(' ')}`,
  );
  expect(screen.getByText('2 of 2')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true);
});

test('on a phone the therapist’s video, one’s own and the talkers are visible, the rest behind one button', async () => {
  const { world } = await shown({ phone: true });
  act(() =>
    world.set({
      people: [
        someone(1, { as: 'therapist' }),
        ...PEOPLE.slice(1).map(({ id }) => someone(id, { talking: id === 30 })),
      ],
    }),
  );
  expect(named()).toEqual(['Anna', 'Person 20, is talking', 'Person 2', 'You, microphone off']);
  fireEvent.click(screen.getByRole('button', { name: '+21 more' }));
  expect(screen.getByRole('button', { name: 'Layout: Gallery' })).toBeTruthy();
});

test('10.13: people on stage are large beside the therapist, and a client on stage reads that', async () => {
  const { world } = await shown();
  act(() => world.set({ people: [someone(1, { as: 'therapist' }), someone(12), someone(13)] }));
  const room = (stage: number[] | null, stageOnly = false) =>
    act(() => world.room({ ...running(true), stage, settings: { ...DEFAULT_VIDEO_SETTINGS, stageOnly } }));
  const inside = (id: string) =>
    [...screen.getByTestId(id).querySelectorAll('figure')].map((tile) => tile.getAttribute('aria-label'));
  expect(screen.queryByTestId('stage-tiles')).toBeNull();
  room([11, 13]);
  expect([inside('stage-tiles'), inside('other-tiles')]).toEqual([['Anna', 'Person 3'], ['Person 2']]);
  expect(screen.getByText('You’re on stage')).toBeTruthy();
  expect(world.done.at(-1)).toBe('show 1 13 12');
  // Hidden people are not requested either.
  room([13], true);
  expect([inside('stage-tiles'), inside('other-tiles')]).toEqual([['Anna', 'Person 3'], []]);
  expect(screen.getByText('Only Anna sees you')).toBeTruthy();
  expect(world.done.at(-1)).toBe('show 1 13');
  room(null);
  expect(screen.queryByTestId('stage-tiles')).toBeNull();
});

test('10.13: if no tile of the stage would be legible, all of it is behind the button, and nobody is lost', async () => {
  const box = { width: 40, height: 40 };
  class SmallBox {
    readonly onSize: (entries: { contentRect: typeof box }[]) => void;
    constructor(onSize: SmallBox['onSize']) {
      this.onSize = onSize;
    }
    observe() {
      this.onSize([{ contentRect: box }]);
    }
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', SmallBox);
  const { world } = await shown();
  act(() => world.set({ people: [someone(1, { as: 'therapist' }), someone(12), someone(13), someone(14)] }));
  act(() => world.room({ ...running(true), stage: [12, 13] }));
  expect(named()).toEqual(['Anna', 'You, microphone off']);
  expect(screen.getByRole('button', { name: '+3 more' })).toBeTruthy();
  vi.unstubAllGlobals();
});

test('each of three layouts has a key, which does nothing while somebody types', async () => {
  const { store: made } = await shown({ as: 'therapist' });
  const layout = () => made.get().view.layout;
  fireEvent.keyDown(document.body, { key: '2' });
  expect(layout()).toBe('half');
  const input = document.body.appendChild(document.createElement('input'));
  fireEvent.keyDown(input, { key: '3' });
  input.remove();
  expect(layout()).toBe('half');
  fireEvent.keyDown(document.body, { key: '3' });
  fireEvent.click(screen.getByRole('button', { name: 'Back to field' }));
  expect(layout()).toBe('field');
});

test('5.36: opening the list of the gaze leaves the gallery for the field, and changes no other layout', async () => {
  const { store: made } = await shown({ join: false, kept: { layout: 'gallery' } });
  const { result } = renderHook(() => useLayout(), {
    wrapper: ({ children }) => <VideoContext value={made}>{children}</VideoContext>,
  });
  const leave = () => act(() => result.current.leaveGallery());
  // A person not in the video has the field anyway, and the gallery again later.
  leave();
  await act(async () => made.join('microphone'));
  expect(result.current.layout).toBe('gallery');
  leave();
  expect(result.current.layout).toBe('field');
  act(() => made.setView({ layout: 'half' }));
  leave();
  expect(result.current.layout).toBe('half');
});

test.each([
  [{ playBlocked: true }, 'Turn on sound', 'play'],
  [
    { own: { videoStream: null, audio: true, video: false, level: 0, talking: false, lost: 'camera' as const } },
    'Turn the camera on again',
    'video true',
  ],
  [
    { own: { videoStream: null, audio: false, video: false, level: 0, talking: false, lost: 'microphone' as const } },
    'Turn the microphone on again',
    'audio true',
  ],
])(
  'a playback or device that was blocked or lost is reported, and one tap fixes it: %j',
  async (patch, button, asked) => {
    const { world } = await shown();
    act(() => world.set(patch));
    fireEvent.click(screen.getByRole('button', { name: button }));
    expect(world.done.at(-1)).toBe(asked);
  },
);

test('a fault is explained with advice; one that no retry can fix offers none', async () => {
  const { world } = await shown();
  act(() => world.set({ phase: 'off', fault: 'room_full' }));
  expect(screen.getByRole('alert').textContent).toContain('The room is full, please try again later');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  act(() => world.set({ fault: 'not_member' }));
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a therapist’s request is a question; only the answer unmutes the microphone', async () => {
  const { world } = await shown();
  act(() => world.say({ eventType: 'VIDEO_ASK', contents: { ask: 'unmute' } }));
  expect(world.done).not.toContain('audio true');
  fireEvent.click(screen.getByRole('button', { name: 'Unmute' }));
  expect(world.done.at(-1)).toBe('audio true');
});

test('quality buttons appear with the switch, one for each level, and request that level', async () => {
  const { world, store: made } = await shown({ as: 'therapist' });
  act(() =>
    world.set({
      people: [
        someone(12, {
          layers: { substream: 0, temporal: 2, wantedSubstream: 2, wantedTemporal: 2 },
          size: { width: 320, height: 180 },
          kbps: 99.6,
        }),
      ],
    }),
  );
  expect(screen.queryByRole('group', { name: 'Picture size of Person 2' })).toBeNull();
  act(() => made.setView({ details: true, layout: 'half' }));
  expect(screen.getByText('320 × 180 · 100 kbit/s')).toBeTruthy();
  const size = screen.getByRole('group', { name: 'Picture size of Person 2' });
  expect([...size.querySelectorAll('button')].map((button) => button.getAttribute('aria-pressed'))).toEqual([
    'false',
    'false',
    'true',
  ]);
  fireEvent.click(size.querySelectorAll('button')[1]!);
  expect(world.done.at(-1)).toBe('layers 12 {"substream":1}');
});

test('a floating strip is moved by arrow keys and stays on the field', async () => {
  vi.stubGlobal('ResizeObserver', undefined);
  await shown({ kept: { strip: 'float' } });
  const grip = screen.getByRole('button', { name: /^Move the videos/ });
  const box = grip.parentElement as HTMLElement;
  Object.defineProperty(box.parentElement, 'clientWidth', { value: 400 });
  Object.defineProperty(box.parentElement, 'clientHeight', { value: 300 });
  fireEvent.keyDown(grip, { key: 'ArrowRight' });
  expect(box.style.insetInlineStart).toBe('32px');
  for (let press = 0; press < 20; press++) fireEvent.keyDown(grip, { key: 'ArrowLeft', shiftKey: true });
  expect(box.style.insetInlineStart).toBe('8px');
  vi.unstubAllGlobals();
});

test('5.24 the field receives the area of the floating videos, again after each move, and when they stop floating', async () => {
  vi.stubGlobal('ResizeObserver', undefined);
  const { store: made } = await shown({ kept: { strip: 'float' } });
  const grip = screen.getByRole('button', { name: /^Move the videos/ });
  grip.setPointerCapture = () => undefined;
  const box = grip.parentElement as HTMLElement;
  Object.defineProperty(box.parentElement, 'clientWidth', { value: 400 });
  Object.defineProperty(box.parentElement, 'clientHeight', { value: 300 });
  expect([...over]).toEqual([box]);
  const told = vi.spyOn(over, 'add');
  const at = (x: number, y: number) => ({ pointerId: 1, clientX: x, clientY: y });
  fireEvent.pointerDown(grip, at(100, 100));
  fireEvent.pointerMove(grip, at(150, 120));
  expect(box.style.insetInlineStart).toBe('66px');
  expect(told).not.toHaveBeenCalled();
  fireEvent.pointerUp(grip, at(150, 120));
  fireEvent.keyDown(grip, { key: 'ArrowRight' });
  expect(told.mock.calls).toEqual([[box], [box]]);
  expect([...over]).toEqual([box]);
  act(() => made.setView({ layout: 'half' }));
  expect(over.size).toBe(0);
  told.mockRestore();
  vi.unstubAllGlobals();
});

test('explains what the server withholds, the worse of two first, until it is over', async () => {
  const { world } = await shown();
  act(() => world.set({ limited: ['video'] }));
  expect(screen.getByRole('status').textContent).toBe(words.limited.video.title + words.limited.video.text);
  act(() => world.set({ limited: ['audio', 'video'] }));
  expect(screen.getByRole('status').textContent).toBe(words.limited.audio.title + words.limited.audio.text);
  act(() => world.set({ limited: [] }));
  expect(screen.queryByRole('status')).toBeNull();
});
