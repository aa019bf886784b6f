import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRemoteVideo } from './remoteVideo.ts';
import type { Inbound } from '../connection/quality/connectionStats.ts';
import type { ReceivedStream } from '../connection/janus/subscription.ts';

class Stream {
  readonly tracks: unknown[];
  constructor(tracks: unknown[]) {
    this.tracks = tracks;
  }
}
const arriving = (at: string, feed: number): ReceivedStream => ({ at, feed, mid: '1', type: 'video' });
const counted = (at: string, frames: number, keyFrames: number | null, source = 77): Inbound => ({
  at,
  kind: 'video',
  source,
  bytes: 0,
  packets: 0,
  lost: 0,
  frames,
  keyFrames,
  width: 640,
  height: 360,
});
const TRACKS = new Map(['1', '2'].map((at) => [at, { at } as unknown as MediaStreamTrack]));
const trackOf = (at: string) => TRACKS.get(at) ?? null;

let decoder: Inbound[] = [];
let made: ReturnType<typeof createRemoteVideo>;
let changes = 0;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('MediaStream', Stream);
  decoder = [];
  changes = 0;
  made = createRemoteVideo(
    async () => decoder,
    () => (changes += 1),
  );
});
afterEach(() => {
  made.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('shown video', () => {
  test('appears soon after a key frame was decoded', async () => {
    made.set([arriving('1', 8)], trackOf);
    expect(made.of(8)).toBeNull();
    decoder = [counted('1', 0, 0)];
    await vi.advanceTimersByTimeAsync(300);
    expect(made.of(8)).toBeNull();
    decoder = [counted('1', 1, 1)];
    const before = changes;
    await vi.advanceTimersByTimeAsync(100);
    expect((made.of(8) as unknown as Stream).tracks).toEqual([trackOf('1')]);
    expect(changes).toBe(before + 1);
  });
  test('is the same object while its track is the same', async () => {
    made.set([arriving('1', 8)], trackOf);
    made.count([counted('1', 1, 1)], performance.now());
    const stream = made.of(8);
    made.set([arriving('1', 8), arriving('2', 9)], trackOf);
    expect(made.of(8)).toBe(stream);
  });
  test('appears after any frame if key frames are not counted', () => {
    made.set([arriving('1', 8)], trackOf);
    made.count([counted('1', 1, null)], performance.now());
    expect(made.of(8)).not.toBeNull();
  });
});

describe('an m-line that carried another person', () => {
  test.each([
    ['at once', false],
    ['after a pause', true],
  ])('shows nothing of the previous person, taken over %s', (_, pause) => {
    made.set([arriving('1', 8)], trackOf);
    made.count([counted('1', 30, 2)], performance.now());
    if (pause) made.set([], trackOf);
    made.set([arriving('1', 9)], trackOf);
    expect([made.of(8), made.of(9)]).toEqual([null, null]);
    made.count([counted('1', 31, 2)], performance.now());
    made.count([counted('1', 35, 2)], performance.now());
    expect(made.of(9)).toBeNull();
    made.count([counted('1', 36, 3)], performance.now());
    expect(made.of(9)).not.toBeNull();
    expect(made.of(8)).toBeNull();
  });
});

describe('an m-line that resumes with another SSRC', () => {
  test.each([
    ['at once', false],
    ['after a pause', true],
  ])('shows its first key frame, taken over %s', (_, pause) => {
    made.set([arriving('1', 8)], trackOf);
    made.count([counted('1', 30, 2)], performance.now());
    if (pause) made.set([], trackOf);
    made.set([arriving('1', 9)], trackOf);
    made.count([counted('1', 31, 2)], performance.now());
    made.count([counted('1', 0, 0, 78)], performance.now());
    expect(made.of(9)).toBeNull();
    made.count([counted('1', 1, 1, 78)], performance.now());
    expect(made.of(9)).not.toBeNull();
  });
  test('also if the browser kept the SSRC and counts from zero', () => {
    made.set([arriving('1', 8)], trackOf);
    made.count([counted('1', 30, 2)], performance.now());
    made.set([], trackOf);
    made.set([arriving('1', 8)], trackOf);
    made.count([counted('1', 1, 1)], performance.now());
    expect(made.of(8)).not.toBeNull();
  });
});

describe('a camera that was switched off', () => {
  test('is noticed after three seconds without frames, and when frames arrive again', () => {
    const second = (frames: number) => (
      vi.advanceTimersByTime(1_000),
      made.count([counted('1', frames, 1)], performance.now())
    );
    made.set([arriving('1', 8)], trackOf);
    second(20);
    for (let count = 0; count < 3; count += 1) second(20);
    expect([made.flows(8), made.of(8) !== null]).toEqual([true, true]);
    second(20);
    expect([made.flows(8), made.of(8) !== null]).toEqual([false, false]);
    const before = changes;
    second(21);
    expect([made.flows(8), made.of(8) !== null, changes > before]).toEqual([true, true, true]);
  });
  test('is not assumed while this page counts nothing: a blocked page keeps its video', () => {
    made.set([arriving('1', 8)], trackOf);
    made.count([counted('1', 20, 1)], performance.now());
    vi.advanceTimersByTime(60_000);
    expect([made.flows(8), made.of(8) !== null]).toEqual([true, true]);
    const before = changes;
    made.count([counted('1', 21, 1)], performance.now());
    expect([made.flows(8), made.of(8) !== null, changes - before]).toEqual([true, true, 0]);
  });
  test('is not assumed at the first count after the machine slept, but at the next ones', () => {
    made.set([arriving('1', 8)], trackOf);
    made.count([counted('1', 20, 1)], performance.now());
    vi.advanceTimersByTime(60_000);
    made.count([counted('1', 20, 1)], performance.now());
    expect(made.of(8)).not.toBeNull();
    for (let count = 0; count < 2; count += 1) {
      vi.advanceTimersByTime(1_000);
      made.count([counted('1', 20, 1)], performance.now());
    }
    expect(made.of(8)).toBeNull();
  });
  test('the decoder is not queried endlessly', async () => {
    let asked = 0;
    const quiet = createRemoteVideo(
      async () => ((asked += 1), [counted('1', 0, 0)]),
      () => undefined,
    );
    quiet.set([arriving('1', 8)], trackOf);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBeLessThan(40);
    quiet.close();
  });
  test('someone who is not on the page counts as sending', () => expect(made.flows(8)).toBe(true));
});
