/** Nobody's microphone or camera opens without an act of their own. PRODUCT 10. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MediaChoice, MediaRoom, MediaState } from '../../platform/media/media.types.ts';
import type { VideoState } from './rules.ts';
import { createVideoStore, ENDED_AFTER_MS, type Memory, type VideoNews, type VideoView } from './video.store.ts';

const SETTINGS = { clientsVisible: true, highQuality: false, encrypted: false };
const running = (on: boolean): VideoState => ({ running: on, settings: SETTINGS, faces: [] });

/** The outside of the store: the room's line, media that only notes what it is asked, and what the browser keeps. */
function outside({ active = false, choice = null as MediaChoice | null } = {}) {
  let video: VideoState | null = null;
  const hearers = new Set<() => void>();
  const news = new Set<(one: VideoNews) => void>();
  const mediaHearers = new Set<() => void>();
  const done: string[] = [];
  let state = { phase: 'off', choice: { audio: false, video: false } } as MediaState;
  const setMedia = (patch: Partial<MediaState>) => { state = { ...state, ...patch }; for (const hear of mediaHearers) hear(); };
  const media: MediaRoom = {
    get: () => state,
    subscribe(hear) { mediaHearers.add(hear); return () => mediaHearers.delete(hear); },
    async start(wanted) { done.push(`start ${wanted.audio ? 'a' : '-'}${wanted.video ? 'v' : '-'}`); setMedia({ phase: 'on', choice: wanted }); },
    async stop() { done.push('stop'); setMedia({ phase: 'off' }); },
    async setAudio(on) { done.push(`audio ${on}`); },
    async setVideo(on) { done.push(`video ${on}`); },
    async setDevice(kind, id) { done.push(`${kind} ${id}`); },
    show() {}, setLayers() {}, setLowData() {}, async play() {}, setSettings() {}, muted() { done.push('muted'); }, close() { done.push('close'); },
  };
  const kept = { view: {} as Partial<VideoView>, choice, active };
  const memory: Memory = { view: () => kept.view, setView: (view) => { kept.view = view; }, choice: () => kept.choice, setChoice: (next) => { kept.choice = next; }, active: () => kept.active, setActive: (on) => { kept.active = on; } };
  return {
    done, kept, memory, media: async () => media,
    line: { video: () => video, subscribe(hear: () => void) { hearers.add(hear); return () => void hearers.delete(hear); }, onVideo(hear: (one: VideoNews) => void) { news.add(hear); return () => void news.delete(hear); } },
    room(next: VideoState) { video = next; for (const hear of hearers) hear(); },
    say(one: VideoNews) { for (const hear of news) hear(one); },
  };
}
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

describe('a client', () => {
  const me = { id: 11, as: 'client' as const };
  test('is only offered to join when the therapist starts, and joins as it chooses', async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.room(running(false));
    expect(store.get().offer).toBeNull();
    world.room(running(true));
    world.say({ eventType: 'START_VIDEO', contents: { userId: 1 } });
    await settled();
    expect(store.get().offer).toBe('offer');
    expect(world.done).toEqual([]);
    store.join('voice');
    await settled();
    expect(world.done).toEqual(['start a-']);
    expect(store.get()).toMatchObject({ offer: null, media: { phase: 'on' } });
    expect(world.kept.active).toBe(true);
  });
  test('that chose before waits for the therapist, and comes in then without being asked again', async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.room(running(false));
    store.join('camera', { camera: 'c2' });
    await settled();
    expect(world.done).toEqual([]);
    expect(store.get().chosen).toBe('camera');
    world.room(running(true));
    await settled();
    expect(world.done).toEqual(['start av']);
    expect(world.kept.choice).toMatchObject({ camera: 'c2' });
  });
  test('that takes its choice back is not brought in', async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.room(running(false));
    store.join('camera');
    store.dropChoice();
    world.room(running(true));
    await settled();
    expect(world.done).toEqual([]);
    expect(store.get().offer).toBe('offer');
  });
  test('whose page was loaded anew is one tap away from where it was', async () => {
    const world = outside({ active: true, choice: { audio: true, video: false } });
    const store = createVideoStore({ me, ...world });
    world.room(running(true));
    await settled();
    expect(store.get().offer).toBe('again');
    expect(world.done).toEqual([]);
  });
  test('is not left among clients alone: some time after the end its devices close; a line that comes back ends nothing', async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.room(running(true));
    store.join('camera');
    await settled();
    world.room(running(false));
    await vi.advanceTimersByTimeAsync(ENDED_AFTER_MS - 1);
    world.room(running(true));
    await vi.advanceTimersByTimeAsync(ENDED_AFTER_MS * 2);
    expect(world.done).toEqual(['start av']);
    world.room(running(false));
    await vi.advanceTimersByTimeAsync(ENDED_AFTER_MS);
    expect(world.done).toEqual(['start av', 'stop']);
    // The next start only offers.
    world.room(running(true));
    await settled();
    expect(store.get().offer).toBe('offer');
  });
  test('that was muted hears of it, and only its own act opens the microphone', async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.room(running(true));
    store.join('voice');
    await settled();
    world.say({ eventType: 'VIDEO_ASK', contents: { ask: 'muted' } });
    world.say({ eventType: 'VIDEO_ASK', contents: { ask: 'unmute' } });
    await settled();
    expect(world.done).toEqual(['start a-', 'muted']);
    expect(store.get().asked).toBe('unmute');
    store.setAudio(true);
    expect(world.done.at(-1)).toBe('audio true');
    expect(store.get().asked).toBeNull();
  });
  test('that takes no part is asked nothing', () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.say({ eventType: 'VIDEO_ASK', contents: { ask: 'unmute' } });
    expect(store.get().asked).toBeNull();
  });
});

describe('the therapist', () => {
  const me = { id: 1, as: 'therapist' as const };
  test('starts without waiting for anybody, and is never offered to join', async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.room(running(false));
    store.join('camera');
    await settled();
    expect(world.done).toEqual(['start av']);
    world.say({ eventType: 'START_VIDEO', contents: { userId: 1 } });
    expect(store.get().offer).toBeNull();
  });
  test('whose page was loaded anew is one tap away, and not more', async () => {
    const world = outside({ active: true });
    const store = createVideoStore({ me, ...world });
    world.room(running(true));
    await settled();
    expect(store.get().offer).toBe('again');
    expect(world.done).toEqual([]);
    store.dismissOffer();
    expect(world.kept.active).toBe(false);
  });
});

test('the view is kept, and what was kept wrongly is not believed', () => {
  const world = outside();
  world.kept.view = { layout: 'sideways' as never, strip: 'float', showOwn: false };
  const store = createVideoStore({ me: { id: 1, as: 'therapist' }, ...world });
  expect(store.get().view).toEqual({ layout: 'field', strip: 'float', showOwn: false, details: false });
  store.setView({ layout: 'half' });
  expect(world.kept.view).toMatchObject({ layout: 'half', strip: 'float' });
});

test('closing ends the media and hears nothing more', async () => {
  const world = outside();
  const store = createVideoStore({ me: { id: 1, as: 'therapist' }, ...world });
  store.join('camera');
  await settled();
  store.close();
  world.room(running(true));
  expect(world.done.at(-1)).toBe('close');
  expect(store.get().room).toBeNull();
});
