/**
 * Which person's video is on which m-line, and when it may be shown. An m-line that one person leaves is given to the
 * next with the same track. The first person's last frame must never appear in the other's tile, so video is shown once
 * a key frame of its own has been decoded.
 */
import type { Inbound } from '../connection/quality/connectionStats.ts';
import type { ReceivedStream } from '../connection/janus/subscription.ts';

/** How often the decoder is queried while video is awaited. */
const LOOK_EVERY_MS = 100;
/** Video without frames for this long counts as switched off. */
const STILL_AFTER_MS = 3_000;
/**
 * A longer time between two counts counts as this long: the page, or the whole machine, was suspended, which says
 * nothing about the sender. Twice the regular time between two counts.
 */
const GAP_MS = 2_000;

interface Slot {
  feed: number;
  track: MediaStreamTrack;
  stream: MediaStream;
  /**
   * Key frames (or frames, where key frames are not counted) decoded when the m-line became this person's; null until
   * queried.
   */
  before: number | null;
  fresh: boolean;
  frames: number;
  /** The SSRC whose frames were counted last; null before any. */
  source: number | null;
  /** When the decoder was last queried, and for how long it has counted no new frame since. */
  countedMs: number;
  stillMs: number;
}

export interface RemoteVideo {
  /** Takes the received streams and the track of each. */
  set(arriving: readonly ReceivedStream[], trackOf: (at: string) => MediaStreamTrack | null): void;
  /** Takes the decoder's statistics, at least once a second, and the time (ms). */
  count(inbound: readonly Inbound[], nowMs: number): void;
  /** A person's video; null before its first frame and while none arrives. */
  of(personId: number): MediaStream | null;
  /** False when it is known that nothing arrives although it is subscribed to. */
  flows(personId: number): boolean;
  close(): void;
}

/** Takes a function that queries the decoder, and a callback for video that came or went. */
export function createRemoteVideo(ask: () => Promise<readonly Inbound[]>, changed: () => void): RemoteVideo {
  const slots = new Map<string, Slot>();
  let looking: ReturnType<typeof setTimeout> | undefined;
  const slotOf = (personId: number) => [...slots.values()].find(({ feed }) => feed === personId);
  // By what was counted, never by the clock: a camera must not count as off because this page counts late.
  const still = (slot: Slot) => slot.stillMs > STILL_AFTER_MS;

  function look() {
    clearTimeout(looking);
    // People who send nothing are covered by the slower count.
    if (![...slots.values()].some((slot) => !slot.fresh && !still(slot))) return;
    looking = setTimeout(
      () =>
        void ask()
          .then((inbound) => (count(inbound, performance.now()), look()))
          .catch(() => undefined),
      LOOK_EVERY_MS,
    );
  }
  function count(inbound: readonly Inbound[], nowMs: number) {
    const shownBefore = new Map([...slots].map(([at, slot]) => [at, { fresh: slot.fresh, still: still(slot) }]));
    for (const slot of slots.values()) {
      slot.stillMs += Math.min(GAP_MS, nowMs - slot.countedMs);
      slot.countedMs = nowMs;
    }
    for (const { at, kind, source, frames, keyFrames } of inbound) {
      const slot = kind === 'video' ? slots.get(at) : undefined;
      if (!slot) continue;
      const decoded = keyFrames ?? frames;
      // Counting has restarted: the frames counted now arrived after the previous person's.
      if (slot.source !== source || frames < slot.frames) slot.before = 0;
      else slot.before ??= decoded;
      slot.source = source;
      if (frames !== slot.frames) slot.stillMs = 0;
      slot.frames = frames;
      slot.fresh ||= decoded > slot.before;
    }
    const differs = ([at, slot]: [string, Slot]) =>
      slot.fresh !== shownBefore.get(at)?.fresh || still(slot) !== shownBefore.get(at)?.still;
    if ([...slots].some(differs)) changed();
  }
  return {
    set(arriving, trackOf) {
      const nowMs = performance.now();
      const present = new Set<string>();
      for (const { at, feed, type } of arriving) {
        const track = type === 'video' ? trackOf(at) : null;
        if (!track) continue;
        present.add(at);
        const slot = slots.get(at);
        if (slot?.feed === feed && slot.track === track) continue;
        // A new track has not decoded anything yet.
        slots.set(at, {
          feed,
          track,
          stream: new MediaStream([track]),
          before: slot?.track === track ? null : 0,
          fresh: false,
          frames: slot?.frames ?? 0,
          source: slot?.track === track ? slot.source : null,
          countedMs: nowMs,
          stillMs: 0,
        });
      }
      for (const at of slots.keys()) {
        const slot = slots.get(at)!;
        // Kept by m-line, so that the next person on it is known to follow another.
        if (!present.has(at)) slots.set(at, { ...slot, feed: -1, fresh: false });
      }
      changed();
      look();
    },
    count,
    of(personId) {
      const slot = slotOf(personId);
      return slot?.fresh && !still(slot) ? slot.stream : null;
    },
    flows(personId) {
      const slot = slotOf(personId);
      return !slot || !still(slot);
    },
    close() {
      clearTimeout(looking);
      slots.clear();
    },
  };
}
