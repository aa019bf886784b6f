/**
 * Which picture is whose, and when it may be shown. A line of media that one person leaves is given to the next with the same track:
 * the last frame of the one must never stand in the other's tile, so a picture is shown once a key frame of its own was decoded.
 */
import type { Inbound } from './stats.ts';
import type { Arriving } from './wanted.ts';

/** How often the decoder is asked while a picture is awaited. */
const LOOK_EVERY_MS = 100;
/** Pictures without frames for this long are taken for switched off. */
const STILL_AFTER_MS = 3_000;

interface Slot {
  feed: number;
  track: MediaStreamTrack;
  stream: MediaStream;
  /** Key frames (frames, where those are not counted) decoded when the slot became this person's; null until asked. */
  before: number | null;
  fresh: boolean;
  frames: number;
  /** Whose frames were counted last (SSRC); null before any. */
  source: number | null;
  movedMs: number;
}

export interface Pictures {
  /** In: what arrives now and the track of each. */
  set(arriving: readonly Arriving[], trackOf: (at: string) => MediaStreamTrack | null): void;
  /** In: the decoder's numbers, once a second or oftener, and the time (ms). */
  count(inbound: readonly Inbound[], nowMs: number): void;
  /** A person's picture; null while nothing of it came, or nothing comes any more. */
  of(personId: number): MediaStream | null;
  /** False once it is known that nothing comes although it is subscribed. */
  flows(personId: number): boolean;
  close(): void;
}

/** In: how the decoder is asked, who hears that a picture came or went. */
export function createPictures(ask: () => Promise<readonly Inbound[]>, changed: () => void): Pictures {
  const slots = new Map<string, Slot>();
  let looking: ReturnType<typeof setTimeout> | undefined;
  const slotOf = (personId: number) => [...slots.values()].find(({ feed }) => feed === personId);
  const still = (slot: Slot, nowMs: number) => nowMs - slot.movedMs > STILL_AFTER_MS;

  function look() {
    clearTimeout(looking);
    const nowMs = performance.now();
    // Who sends nothing is looked at by the slower count alone.
    if (![...slots.values()].some((slot) => !slot.fresh && !still(slot, nowMs))) return;
    looking = setTimeout(
      () =>
        void ask()
          .then((inbound) => (count(inbound, performance.now()), look()))
          .catch(() => undefined),
      LOOK_EVERY_MS,
    );
  }
  function count(inbound: readonly Inbound[], nowMs: number) {
    let news = false;
    for (const { at, kind, source, frames, keyFrames } of inbound) {
      const slot = kind === 'video' ? slots.get(at) : undefined;
      if (!slot) continue;
      const was = { fresh: slot.fresh, still: still(slot, nowMs) };
      const decoded = keyFrames ?? frames;
      // Counting began anew: what is counted now came after whoever had the line before.
      if (slot.source !== source || frames < slot.frames) slot.before = 0;
      else slot.before ??= decoded;
      slot.source = source;
      if (frames !== slot.frames) slot.movedMs = nowMs;
      slot.frames = frames;
      slot.fresh ||= decoded > slot.before;
      news ||= slot.fresh !== was.fresh || still(slot, nowMs) !== was.still || (was.still && slot.movedMs === nowMs);
    }
    if (news) changed();
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
        // A track that is new here has decoded nothing before.
        slots.set(at, {
          feed,
          track,
          stream: new MediaStream([track]),
          before: slot?.track === track ? null : 0,
          fresh: false,
          frames: slot?.frames ?? 0,
          source: slot?.track === track ? slot.source : null,
          movedMs: nowMs,
        });
      }
      for (const at of slots.keys()) {
        const slot = slots.get(at)!;
        // Kept by line, so that whoever gets it next is known to come after another.
        if (!present.has(at)) slots.set(at, { ...slot, feed: -1, fresh: false });
      }
      changed();
      look();
    },
    count,
    of(personId) {
      const slot = slotOf(personId);
      return slot?.fresh && !still(slot, performance.now()) ? slot.stream : null;
    },
    flows(personId) {
      const slot = slotOf(personId);
      return !slot || !still(slot, performance.now());
    },
    close() {
      clearTimeout(looking);
      slots.clear();
    },
  };
}
