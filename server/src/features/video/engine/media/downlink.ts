/** Subscribers: what each of their m-lines carries, in which layer, and what they ask for and report. */
import { type Again, createContinuity, type Placed } from './continuity.ts';
import { knowsKeyFrames, writeVp8 } from './frames.ts';
import type { Downlink, DownlinkSpec, Slot, SlotSpec, Track } from './media.types.ts';
import { ntpMiddle, readRtcp, type ReportBlock, writeDescription, writeSenderReport } from './rtcp.ts';
import { createHeaderWriter, type HeaderWriter } from './rtp.ts';
import { ahead32 } from './serial.ts';
import type { Layer, MediaPacket, Receiver, RoomParts, Source } from './uplink.ts';

const REPORT_EVERY_MS = 1000;
/** A key frame that was asked for and did not come is asked for again. */
const ASK_AGAIN_MS = 1000;
const LOOK_EVERY_MS = 100;
/** Reports leave room for what is around them in one datagram. */
const COMPOUND_BYTES = 1100;
/**
 * Where more than this share of a line's packets is asked for, each goes out twice, the second time a tick later: browsers wait 100 ms before they ask once
 * more, and two of those waits are seen as a freeze. What they report does not tell it: they count what was mended as received.
 */
const LOSSY = 0.01;
/** How fast the share follows the last second. */
const LOSS_SHARE = 0.3;
/** Packets that can be asked for again: two seconds of pictures, and of voices in packets of 20 ms. */
const PICTURES_REPEATED = 512;
const VOICES_REPEATED = 128;
/** A voice's packet lasts that long: the next one of another voice must not overlap it. */
const VOICE_PACKET_SECONDS = 0.02;
/** One byte of padding that counts itself: the whole content of a filler. */
const FILLER = Buffer.from([1]);
/** Layers are not chosen above these. */
const HIGHEST = 2;
/** A round trip longer than this is a report about something else. */
const ROUND_TRIP_MAX_MS = 30_000;

export interface DownlinkParts extends Downlink {
  tick(nowMs: number): void;
}

interface SlotParts extends Slot {
  opened(nowMs: number): void;
  /** A packet is asked for again. */
  again(sequence: number, nowMs: number): void;
  /** Sends for a second time what was asked for since the last tick. */
  repeat(nowMs: number): void;
  keyFrame(): void;
  block(block: ReportBlock, nowMs: number): void;
  look(nowMs: number): void;
  /** A sender report when one is due and the source's clock is known. */
  report(nowMs: number): Buffer | null;
}

/** Of one line: packets sent and asked for in this second, and which share it was before. */
interface Asked {
  packets: number;
  requests: number;
  share: number;
}

export function createDownlink(room: RoomParts, spec: DownlinkSpec, onClose: () => void): DownlinkParts {
  const slots = new Map<number, SlotParts>();
  const repeating = new Set<SlotParts>();
  const asked: Asked = { packets: 0, requests: 0, share: 0 };
  let askedMs = -Infinity;
  let open = false;
  let estimatedBitrate: number | null = null;
  let lookMs = -Infinity;

  return {
    open(nowMs) {
      if (open) return;
      open = true;
      for (const slot of slots.values()) slot.opened(nowMs);
    },
    addSlot(slotSpec) {
      if (slots.has(slotSpec.ssrc)) throw new Error('two slots of a connection must not share an SSRC');
      if (slotSpec.firstSequence < 0 || slotSpec.firstSequence > 0x7fff)
        throw new Error('a stream begins with a sequence number below 32768');
      const slot = createSlot(
        room,
        spec,
        slotSpec,
        asked,
        () => open,
        () => {
          slots.delete(slotSpec.ssrc);
          repeating.delete(slot);
        },
      );
      slots.set(slotSpec.ssrc, slot);
      return slot;
    },
    rtcp(compound, nowMs) {
      readRtcp(compound, {
        nack(ssrc, sequence) {
          const slot = slots.get(ssrc);
          if (slot === undefined) return;
          slot.again(sequence, nowMs);
          repeating.add(slot);
        },
        keyFrame: (ssrc) => slots.get(ssrc)?.keyFrame(),
        block: (block) => slots.get(block.ssrc)?.block(block, nowMs),
        remb: (bitsPerSecond) => {
          estimatedBitrate = bitsPerSecond;
        },
      });
    },
    tick(nowMs) {
      for (const slot of repeating) slot.repeat(nowMs);
      repeating.clear();
      if (!open || nowMs - lookMs < LOOK_EVERY_MS) return;
      lookMs = nowMs;
      if (nowMs - askedMs >= REPORT_EVERY_MS) {
        askedMs = nowMs;
        asked.share += ((asked.packets === 0 ? 0 : asked.requests / asked.packets) - asked.share) * LOSS_SHARE;
        asked.packets = 0;
        asked.requests = 0;
      }
      let reports: Buffer[] = [];
      let bytes = 0;
      let first = 0;
      const flush = () => {
        if (reports.length > 0)
          spec.send(spec.protect.rtcp(Buffer.concat([...reports, writeDescription(first, spec.cname)])));
        reports = [];
        bytes = 0;
      };
      for (const slot of slots.values()) {
        slot.look(nowMs);
        const report = slot.report(nowMs);
        if (report === null) continue;
        if (reports.length === 0) first = slot.ssrc;
        reports.push(report);
        bytes += report.length;
        if (bytes > COMPOUND_BYTES) flush();
      }
      flush();
    },
    stats: () => ({ estimatedBitrate, slots: slots.size }),
    close() {
      for (const slot of [...slots.values()]) slot.close();
      onClose();
    },
  };
}

function createSlot(
  room: RoomParts,
  line: DownlinkSpec,
  spec: SlotSpec,
  asked: Asked,
  isOpen: () => boolean,
  onClose: () => void,
): SlotParts {
  const headers: HeaderWriter = createHeaderWriter(spec);
  const stream = createContinuity<Layer>(
    spec.firstSequence,
    spec.firstTimestamp,
    spec.media === 'video' ? PICTURES_REPEATED : VOICES_REPEATED,
  );
  const { counted } = room;
  let source: Source | null = null;
  let on = true;
  let hidden = false;
  let active = false;
  let closed = false;
  const wanted = { substream: HIGHEST, temporal: HIGHEST };

  /** What is sent; null before a key frame. */
  let current: Layer | null = null;
  /** The layer waited for, or `current`'s. -1: none lives. */
  let target = -1;
  let temporal = HIGHEST;
  /** The source's gap that was last bridged. */
  let gap = 0;
  let askedMs = -Infinity;
  /** Of the newest packet that went out, to place the next source or layer in time. */
  let sent: { layer: Layer; timestamp: number; atMs: number } | null = null;
  /** Whose it was. */
  let sentBy: Source | null = null;
  let told = { substream: -1, temporal: -1 };

  let packets = 0;
  let bytes = 0;
  let retransmitted = 0;
  let reportMs = -Infinity;
  let reported = 0;
  let received: { fractionLost: number; lost: number } | null = null;
  let roundTripMs: number | null = null;
  /** Our numbers of what goes out once more at the next tick. */
  let copies: number[] = [];

  function sendAgain(found: Again<Layer>, nowMs: number): boolean {
    const packet = found.source?.ring.get(found.sourceSequence, nowMs) ?? null;
    if (found.source !== null && packet === null) return false;
    counted.retransmitted++;
    retransmitted++;
    if (packet === null) fill(found);
    else forward(packet, found);
    return true;
  }

  function tellLayer(): void {
    const now = current === null ? { substream: -1, temporal: -1 } : { substream: current.index, temporal };
    if (now.substream === told.substream && now.temporal === told.temporal) return;
    told = now;
    room.spec.onLayer?.(slot, now.substream, now.temporal);
  }

  function chooseLayer(nowMs: number): void {
    if (source === null) return;
    const living = source.livingLayer(wanted.substream, nowMs);
    // Nothing lives (a muted camera, a broken line): what comes first is taken, else what was there is waited for.
    if (living >= 0) target = living;
    else if (target < 0) target = Math.min(wanted.substream, source.spec.layers - 1);
  }
  function ask(nowMs: number): void {
    if (source === null || target < 0) return;
    askedMs = nowMs;
    source.askKeyFrame(target);
  }

  /** Joins or leaves the source's receivers as all switches say; video begins anew with a key frame. */
  function settle(nowMs: number): void {
    const now = source !== null && on && !hidden && isOpen() && !closed;
    if (now === active) return;
    active = now;
    if (now) {
      current = null;
      target = -1;
      source!.join(slot);
      chooseLayer(nowMs);
      ask(nowMs);
    } else {
      source?.leave(slot);
      current = null;
      tellLayer();
    }
  }

  /** Ticks between the last packet that went out and this one of another source or layer. */
  function ticksSince(packet: MediaPacket, nowMs: number): number {
    const least = spec.media === 'audio' ? spec.clockRate * VOICE_PACKET_SECONDS : 1;
    if (sent === null) return least;
    let elapsedMs = nowMs - sent.atMs;
    if (sent.layer.reception !== packet.source.reception && sentBy === source) {
      // Layers of one camera: the publisher's reports say exactly when each picture was taken.
      const before = sent.layer.reception.captured(sent.timestamp);
      const captured = packet.source.reception.captured(packet.timestamp);
      if (before !== null && captured !== null && Math.abs(captured - before - elapsedMs) < 1000)
        elapsedMs = captured - before;
    }
    return Math.max(least, (elapsedMs * spec.clockRate) / 1000);
  }

  /** Whether a picture's packet is of a temporal layer that is wanted; each frame is decided once. */
  function passes(packet: MediaPacket): boolean {
    const { vp8 } = packet;
    if (vp8 === null) return true;
    const decided = stream.decided(packet);
    if (decided !== null) return decided;
    if (temporal > wanted.temporal) temporal = wanted.temporal;
    else if (vp8.temporal > temporal && vp8.temporal <= wanted.temporal && vp8.begins && vp8.layerSync)
      temporal = vp8.temporal;
    else return vp8.temporal <= temporal;
    tellLayer();
    return vp8.temporal <= temporal;
  }

  function out(header: Buffer, payload: Buffer, rolloverCounter: number): void {
    const sealed = line.protect.rtp(header, payload, rolloverCounter);
    counted.packetsOut++;
    counted.bytesOut += sealed.length;
    packets++;
    asked.packets++;
    bytes += payload.length;
    line.send(sealed);
  }
  /** The payload is the ring's own: each subscriber's numbers are written over those of the one before. */
  function forward(packet: MediaPacket, placed: Placed): void {
    if (packet.vp8 !== null) writeVp8(packet.payload, packet.vp8, placed.picture, placed.tl0);
    out(
      headers.write(placed.sequence, placed.timestamp, placed.marker, packet.audioLevel, packet.orientation),
      packet.payload,
      placed.rolloverCounter,
    );
  }
  function fill(placed: Placed): void {
    out(headers.writeFiller(placed.sequence, placed.timestamp), FILLER, placed.rolloverCounter);
  }

  const slot: SlotParts & Receiver = {
    ssrc: spec.ssrc,
    watching() {
      return active ? target : -1;
    },
    offer(packet, nowMs) {
      if (packet.source !== current) {
        if (packet.payload.length === 0 || !packet.entry) return;
        const { index } = packet.source;
        // Before anything is shown a lower layer is better than none; and a layer that comes with a new SSRC is the same layer.
        const fits = index === target || (current === null && (index < target || target < 0));
        if (!fits) return;
        stream.begin(packet, ticksSince(packet, nowMs));
        current = packet.source;
        sentBy = source;
        gap = source!.gaps();
        temporal = wanted.temporal;
        tellLayer();
      } else if (source!.gaps() !== gap) {
        // After a gap a voice simply goes on; a picture needs a key frame.
        if (!packet.entry) {
          if (nowMs - askedMs >= ASK_AGAIN_MS) ask(nowMs);
          return;
        }
        gap = source!.gaps();
        stream.resume(packet);
      }
      const placed = packet.payload.length > 0 && passes(packet) ? stream.place(packet) : null;
      if (placed === null) {
        const hole = stream.skip(packet);
        if (hole !== null) fill(hole);
        return;
      }
      forward(packet, placed);
      if (sent === null || sent.layer !== packet.source)
        sent = { layer: packet.source, timestamp: packet.timestamp, atMs: nowMs };
      else if (ahead32(packet.timestamp, sent.timestamp) >= 0) {
        sent.timestamp = packet.timestamp;
        sent.atMs = nowMs;
      }
    },
    ended() {
      source = null;
      active = false;
      current = null;
      tellLayer();
    },
    carry(track: Track | null, nowMs) {
      const next = track as Source | null;
      if (next !== null && next.media !== spec.media)
        throw new Error(`a slot of ${spec.media} cannot carry ${next.media}`);
      if (next === source) return;
      if (active) source!.leave(slot);
      active = false;
      source = next;
      current = null;
      settle(nowMs);
      tellLayer();
    },
    want(change, nowMs) {
      const limit = (value: number | undefined, before: number) =>
        value === undefined ? before : Math.max(0, Math.min(HIGHEST, Math.trunc(value)));
      wanted.substream = limit(change.substream, wanted.substream);
      wanted.temporal = limit(change.temporal, wanted.temporal);
      if (!active) return;
      const before = target;
      chooseLayer(nowMs);
      if (target !== before && target !== current?.index) ask(nowMs);
    },
    on(now, nowMs) {
      on = now;
      settle(nowMs);
    },
    hide(now, nowMs) {
      hidden = now;
      settle(nowMs);
    },
    opened: settle,
    look(nowMs) {
      if (!active || source === null || !knowsKeyFrames(source.spec.codec)) return;
      const before = target;
      chooseLayer(nowMs);
      const waits = current === null || current.index !== target;
      if (waits && (target !== before || nowMs - askedMs >= ASK_AGAIN_MS)) ask(nowMs);
    },
    again(sequence, nowMs) {
      // Nothing at all goes to who may not see it, not even once more.
      const found = active ? stream.again(sequence, nowMs) : null;
      if (found === null || !sendAgain(found, nowMs)) {
        counted.retransmissionsMissed++;
        return;
      }
      asked.requests++;
      if (asked.share > LOSSY) copies.push(sequence);
    },
    repeat(nowMs) {
      if (copies.length === 0) return;
      const due = copies;
      copies = [];
      if (!active) return;
      for (const sequence of due) {
        const found = stream.again(sequence, nowMs, true);
        if (found !== null) sendAgain(found, nowMs);
      }
    },
    keyFrame() {
      if (active && current !== null) source?.askKeyFrame(current.index);
      else if (active && target >= 0) source?.askKeyFrame(target);
    },
    block(block, nowMs) {
      received = { fractionLost: block.fractionLost / 256, lost: block.lost };
      if (block.lastReport === 0) return;
      const now = ntpMiddle(room.spec.epochMs + nowMs);
      const trip = (((now - block.lastReport - block.delay) >>> 0) * 1000) / 0x1_0000;
      // Clocks of 16 bits of seconds: what seems to lie in the future is rounding.
      if (trip <= ROUND_TRIP_MAX_MS) roundTripMs = trip;
    },
    report(nowMs) {
      if (current === null || packets === reported || nowMs - reportMs < REPORT_EVERY_MS) return null;
      const offsetMs = source?.uplink.clockOffsetMs() ?? null;
      if (offsetMs === null) return null;
      const ntpMs = room.spec.epochMs + nowMs;
      const timestamp = current.reception.timestampAt(ntpMs - offsetMs);
      if (timestamp === null) return null;
      reportMs = nowMs;
      reported = packets;
      return writeSenderReport({ ssrc: spec.ssrc, ntpMs, rtp: stream.timestampOf(timestamp), packets, bytes });
    },
    stats: () => ({
      packets,
      bytes,
      retransmitted,
      substream: told.substream,
      temporal: told.temporal,
      fractionLost: received?.fractionLost ?? 0,
      lostInAll: received?.lost ?? 0,
      roundTripMs,
    }),
    close() {
      if (closed) return;
      closed = true;
      settle(0);
      source = null;
      onClose();
    },
  };
  return slot;
}
