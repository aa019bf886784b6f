/** Nobody's microphone or camera opens without an act of their own (docs/product.md#10.3). */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createVideoStore, ENDED_AFTER_MS } from './videoStore.ts';
import { outside, running } from './videoStore.fixture.ts';

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a client', () => {
  const me = { id: 11, as: 'client' as const };
  test('is only offered to join when the therapist starts, and joins as chosen', async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.room(running(false));
    expect(store.get().offer).toBeNull();
    world.room(running(true));
    world.say({ eventType: 'START_VIDEO', contents: { userId: 1 } });
    await settled();
    expect(store.get().offer).toBe('offer');
    expect(world.done).toEqual([]);
    store.join('microphone');
    await settled();
    expect(world.done).toEqual(['start a-']);
    expect(store.get()).toMatchObject({ offer: null, media: { phase: 'on' } });
    expect(world.kept.active).toBe(true);
  });
  test('with an earlier choice waits for the therapist, and then joins without being asked again', async () => {
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
  test('that withdraws its choice does not join', async () => {
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
  test('can rejoin with one tap after a reload', async () => {
    const world = outside({ active: true, choice: { audio: true, video: false } });
    const store = createVideoStore({ me, ...world });
    world.room(running(true));
    await settled();
    expect(store.get().offer).toBe('again');
    expect(world.done).toEqual([]);
  });
  test('is not left alone with other clients: some time after the end its devices close; a connection that comes back closes nothing', async () => {
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
  test('is told when muted, and only its own act unmutes', async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.room(running(true));
    store.join('microphone');
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
  test('that was muted while the message was lost learns it from the room’s state, once', async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    const face = (mutedByTherapist: boolean) =>
      world.room({
        ...running(true),
        faces: [{ id: 11, audio: !mutedByTherapist, video: false, mutedByTherapist, line: 'good' }],
      });
    world.room(running(true));
    store.join('microphone');
    await settled();
    face(false);
    face(true);
    expect([world.done.at(-1), store.get().asked]).toEqual(['muted', 'muted']);
    store.setAudio(true);
    // Was pending when the person unmuted.
    face(true);
    expect([world.done.at(-1), store.get().asked]).toEqual(['audio true', null]);
    face(false);
    face(true);
    expect(world.done.at(-1)).toBe('muted');
  });
  test('that was muted before a reload and rejoins with the microphone learns that it is muted', async () => {
    const world = outside({ active: true, choice: { audio: false, video: true } });
    const store = createVideoStore({ me, ...world });
    world.room(running(true));
    store.join('camera');
    await settled();
    world.room({
      ...running(true),
      faces: [{ id: 11, audio: false, video: true, mutedByTherapist: true, line: 'good' }],
    });
    expect([world.done, store.get().asked]).toEqual([['start av', 'muted'], 'muted']);
  });
  test('outside the video is not asked to unmute', () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.say({ eventType: 'VIDEO_ASK', contents: { ask: 'unmute' } });
    expect(store.get().asked).toBeNull();
  });
});

describe('a client is asked about one offer once', () => {
  const me = { id: 11, as: 'client' as const };
  const offered = async () => {
    const world = outside();
    const store = createVideoStore({ me, ...world });
    world.room(running(true));
    world.say({ eventType: 'START_VIDEO', contents: { userId: 1 } });
    await settled();
    expect(store.get().offer).toBe('offer');
    return { world, store };
  };
  const flicker = async (world: ReturnType<typeof outside>, ms = ENDED_AFTER_MS - 1) => {
    world.room(running(false));
    await vi.advanceTimersByTimeAsync(ms);
    world.room(running(true));
    await settled();
  };

  test('after "Not now", the offer does not return when the therapist publishes again', async () => {
    const { world, store } = await offered();
    store.dismissOffer();
    await flicker(world);
    expect(store.get().offer).toBeNull();
  });
  test('nor does it after leaving the video', async () => {
    const { world, store } = await offered();
    store.join('microphone');
    await settled();
    await store.leave();
    await flicker(world);
    expect(store.get().offer).toBeNull();
  });
  test('an unanswered offer stays', async () => {
    const { world, store } = await offered();
    await flicker(world);
    expect(store.get().offer).toBe('offer');
  });
  test('another start is another offer, at once or after some time', async () => {
    const { world, store } = await offered();
    store.dismissOffer();
    world.room(running(false));
    world.room(running(true));
    expect(store.get().offer).toBeNull();
    world.say({ eventType: 'START_VIDEO', contents: { userId: 1 } });
    expect(store.get().offer).toBe('offer');
    store.dismissOffer();
    await flicker(world, ENDED_AFTER_MS);
    expect(store.get().offer).toBe('offer');
  });
});

test('participation is stored repeatedly, and forgotten when the live session is over', async () => {
  const world = outside();
  const noted = vi.spyOn(world.preferences, 'setActive');
  const store = createVideoStore({ me: { id: 1, as: 'therapist' }, ...world });
  world.room(running(false));
  store.join('camera');
  await settled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(noted.mock.calls).toEqual([[true], [true], [true]]);
  world.set({ phase: 'off', fault: 'live_session_over' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(noted.mock.calls).toEqual([[true], [true], [true], [false]]);
  expect(world.kept.active).toBe(false);
});

test('cancelling while the media’s code loads opens nothing, and joining works afterwards', async () => {
  const world = outside();
  const loads: (() => void)[] = [];
  const media = async () => {
    await new Promise<void>((resolve) => loads.push(resolve));
    return world.media();
  };
  const store = createVideoStore({ me: { id: 11, as: 'client' }, ...world, media });
  world.room(running(true));
  store.join('camera');
  expect(store.get().media.phase).toBe('connecting');
  void store.leave();
  expect(store.get().media.phase).toBe('off');
  loads.forEach((load) => load());
  await settled();
  expect([world.done, store.get().media.phase]).toEqual([[], 'off']);
  store.join('microphone');
  await settled();
  expect(world.done).toEqual(['start a-']);
});

test('videos shown before the media was loaded are requested once it is', async () => {
  const world = outside();
  const store = createVideoStore({ me: { id: 11, as: 'client' }, ...world });
  world.room(running(true));
  store.join('microphone');
  store.show([1, 12]);
  await settled();
  expect(world.done).toEqual(['show 1 12', 'start a-']);
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
  test('is one tap away after a reload, and no more', async () => {
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

test('removing somebody before the therapist joins forgets the key that the tab stored', async () => {
  const world = outside();
  const store = createVideoStore({ me: { id: 1, as: 'therapist' }, ...world });
  store.removed(11);
  store.join('watch');
  await settled();
  store.removed(12);
  expect(world.done).toEqual(['forget key', 'start --', 'removed 12']);
});

test('the view is stored, and an invalid stored one is ignored', () => {
  const world = outside();
  world.kept.view = { layout: 'sideways' as never, strip: 'float', showOwn: false };
  const store = createVideoStore({ me: { id: 1, as: 'therapist' }, ...world });
  expect(store.get().view).toEqual({ layout: 'field', strip: 'float', showOwn: false, details: false });
  store.setView({ layout: 'half' });
  expect(world.kept.view).toMatchObject({ layout: 'half', strip: 'float' });
});

test('closing ends the media and ignores later messages', async () => {
  const world = outside();
  const store = createVideoStore({ me: { id: 1, as: 'therapist' }, ...world });
  store.join('camera');
  await settled();
  store.close();
  world.room(running(true));
  expect(world.done.at(-1)).toBe('close');
  expect(store.get().room).toBeNull();
});
