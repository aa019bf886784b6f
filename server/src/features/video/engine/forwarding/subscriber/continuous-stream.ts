/**
 * Makes one continuous stream for a receiver out of changing sources: sequence numbers, timestamps, and VP8's picture
 * id and TL0PICIDX continue across layers, sources, mutes and silenced speakers. Packets left out on purpose leave no
 * hole; lost packets do.
 */
import type { Vp8 } from '../../rtp/payloads.ts';
import { createRenumber, type Renumber } from './renumbering.ts';

/** How many pictures back are remembered, for late packets. A power of two. */
const PICTURES_REMEMBERED = 256;
/** How often the same packet is sent again at most, and the shortest time between. */
const RESENT_MAX = 10;
const RESENT_EVERY_MS = 15;

/** What is kept of a packet that was sent, in words of 32 bits, and the flags in one of them. */
const WORDS = 6;
const MARKED = 1;
const FILLS = 2;
/** How many sources back a packet can still be found; a power of two. */
const SOURCES = 8;

/** What has to be known of a packet. `Source` tells where it can be found again. */
export interface Sendable<Source> {
  source: Source;
  /** Unwrapped. */
  sequence: number;
  timestamp: number;
  marker: boolean;
  vp8: Vp8 | null;
  /** Unwrapped picture id; -1 when there is none. */
  picture: number;
}

/** How a packet is sent. The object is reused: read it before the next call. */
export interface Placed {
  sequence: number;
  rolloverCounter: number;
  timestamp: number;
  marker: boolean;
  picture: number;
  tl0: number;
}

/** A packet to be sent again exactly as before: with other content its number would be used twice under one key. */
export interface Again<Source> extends Placed {
  /** Null: a filler. */
  source: Source | null;
  sourceSequence: number;
}

export interface Continuity<Source> {
  /**
   * Continues the stream with this packet, `ticks` after the last one sent. It is the first, or comes from another
   * source or layer.
   */
  begin(packet: Sendable<Source>, ticks: number): void;
  /** Continues the stream with this packet of the same source, after a gap made on purpose. */
  resume(packet: Sendable<Source>): void;
  /** Returns null when the packet is too late or was sent already; pass it to `skip` then. */
  place(packet: Sendable<Source>): Placed | null;
  /** Leaves a packet out. Returns how to fill the number that had been reserved for it; null when none was. */
  skip(packet: Sendable<Source>): Placed | null;
  /** Whether the packet's frame is sent (true), left out (false) or not decided (null). */
  decided(packet: Sendable<Source>): boolean | null;
  /**
   * Returns what was sent under a number; null when unknown or requested too often. A `copy` of what was just sent
   * again is always returned.
   */
  again(sequence: number, nowMs: number, copy?: boolean): Again<Source> | null;
  /** Translates a timestamp of the source's into the stream's. */
  timestampOf(sourceTimestamp: number): number;
}

/**
 * Takes the first sequence number and the first timestamp. The number is below 32768, so that the receiver guesses the
 * rollover counter right. `repeats` is how many of the latest packets can come late and be requested again, a power of
 * two.
 */
export function createContinuity<Source>(
  firstSequence: number,
  firstTimestamp: number,
  repeats: number,
): Continuity<Source> {
  const sequences = createRenumber(firstSequence, repeats);
  // Audio has none.
  let made: Renumber | null = null;
  const pictures = () => (made ??= createRenumber(0, PICTURES_REMEMBERED));
  let offset = 0;
  let begun = false;
  /** Of the newest packet. */
  let lastTimestamp = firstTimestamp;
  let tl0Offset = 0;
  let lastTl0 = -1;
  let breathed = false;
  const placed: Placed = { sequence: 0, rolloverCounter: 0, timestamp: 0, marker: false, picture: 0, tl0: 0 };

  // What was sent, by our number, six words per packet side by side. There are as many of these tables as tiles on all
  // screens together, and a word anywhere else is another cache miss.
  const mask = repeats - 1;
  const went = new Int32Array(repeats * WORDS);
  /** The latest sources; a packet knows its own by its index in their order. */
  const sources = Array.from<Source | null>({ length: SOURCES }).fill(null);
  let sourceCount = 0;

  function remember(out: number, packet: Sendable<Source> | null): void {
    const at = (out & mask) * WORDS;
    if (packet !== null && packet.source !== sources[sourceCount & (SOURCES - 1)])
      sources[++sourceCount & (SOURCES - 1)] = packet.source;
    // Indexes count from 1; 0 means none.
    went[at] = out + 1;
    went[at + 1] = packet === null ? 0 : packet.sequence;
    went[at + 2] = placed.timestamp;
    went[at + 3] =
      (placed.picture << 16) | (placed.tl0 << 8) | (placed.marker ? MARKED : 0) | (packet === null ? FILLS : 0);
    // The source's number, then how often it was sent again and when.
    went[at + 4] = (sourceCount & 0xff_ffff) << 8;
  }
  function number(out: number): void {
    placed.sequence = out & 0xffff;
    placed.rolloverCounter = Math.floor(out / 0x1_0000);
  }
  function fill(out: number, packet: Sendable<Source>): Placed {
    number(out);
    placed.timestamp = (packet.timestamp + offset) >>> 0;
    placed.marker = false;
    placed.picture = 0;
    placed.tl0 = 0;
    remember(out, null);
    return placed;
  }
  function goOn(packet: Sendable<Source>): void {
    sequences.restart(packet.sequence);
    if (packet.vp8 === null) return;
    if (packet.picture >= 0) pictures().restart(packet.picture);
    if (packet.vp8.tl0 >= 0) tl0Offset = lastTl0 + 1 - packet.vp8.tl0;
  }

  return {
    begin(packet, ticks) {
      const timestamp = begun ? lastTimestamp + Math.max(1, Math.round(ticks)) : firstTimestamp;
      begun = true;
      offset = (timestamp - packet.timestamp) | 0;
      goOn(packet);
    },
    resume(packet) {
      goOn(packet);
      breathed = true;
    },
    place(packet) {
      const picture = packet.picture < 0 ? 0 : pictures().take(packet.picture);
      // The packet is older than the last start; the number that may be reserved for it is filled (see `skip`).
      if (picture === null) return null;
      const out = sequences.takeOnce(packet.sequence);
      if (out === null) return null;
      number(out);
      placed.timestamp = (packet.timestamp + offset) >>> 0;
      // After a gap audio starts again: the marker lets the receiver adapt its buffer (RFC 3551, 4.1).
      placed.marker = packet.marker || breathed;
      breathed = false;
      placed.picture = picture & 0x7fff;
      placed.tl0 = packet.vp8 === null || packet.vp8.tl0 < 0 ? 0 : (packet.vp8.tl0 + tl0Offset) & 0xff;
      if (out === sequences.last()) {
        lastTimestamp = placed.timestamp;
        if (packet.vp8 !== null && packet.vp8.tl0 >= 0) lastTl0 = placed.tl0;
      }
      remember(out, packet);
      return placed;
    },
    skip(packet) {
      if (packet.picture >= 0) pictures().skip(packet.picture);
      const out = sequences.skip(packet.sequence);
      return out === null ? null : fill(out, packet);
    },
    decided: (packet) => (packet.picture < 0 ? null : pictures().decided(packet.picture)),
    again(sequence, nowMs, copy = false) {
      if (sequences.last() < firstSequence) return null;
      // The closest number to the newest one that is not newer.
      let out = sequences.last() - (sequences.last() & 0xffff) + sequence;
      if (out > sequences.last()) out -= 0x1_0000;
      const at = (out & mask) * WORDS;
      if (went[at] !== ((out + 1) | 0)) return null;
      const looks = went[at + 3]!;
      const fills = (looks & FILLS) !== 0;
      const from = went[at + 4]! >>> 8;
      // Its source is no longer among the latest.
      if (!fills && ((sourceCount - from) & 0xff_ffff) >= SOURCES) return null;
      if (!copy) {
        const times = went[at + 4]! & 0xff;
        if (times >= RESENT_MAX || (times > 0 && nowMs - went[at + 5]! < RESENT_EVERY_MS)) return null;
        went[at + 4]! += 1;
        went[at + 5] = nowMs;
      }
      number(out);
      return {
        sequence,
        rolloverCounter: placed.rolloverCounter,
        timestamp: went[at + 2]! >>> 0,
        marker: (looks & MARKED) !== 0,
        picture: looks >>> 16,
        tl0: (looks >>> 8) & 0xff,
        source: fills ? null : sources[from & (SOURCES - 1)]!,
        sourceSequence: went[at + 1]! >>> 0,
      };
    },
    timestampOf: (sourceTimestamp) => (sourceTimestamp + offset) >>> 0,
  };
}
