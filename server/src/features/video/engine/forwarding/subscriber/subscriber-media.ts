/** Subscribers: what each of their m-lines carries and in which layer, what they request, and what they report. */
import { type Again, createContinuity, type Placed } from './continuous-stream.ts';
import { knowsKeyFrames, writeVp8 } from '../../rtp/payloads.ts';
import type {
  SubscriberMedia,
  SubscriberMediaSpec,
  SubscribedTrack,
  SubscribedTrackSpec,
  PublishedTrack,
} from '../forwarding.types.ts';
import { ntpMiddle, readRtcp, type ReportBlock, writeDescription, writeSenderReport } from '../../rtp/rtcp.ts';
import { createHeaderWriter, type HeaderWriter } from '../../rtp/rtp.ts';
import { ahead32 } from '../../rtp/sequence-numbers.ts';
import type { Layer, MediaPacket, Receiver, RoomParts, Source } from '../packet.types.ts';

const REPORT_EVERY_MS = 1000;
/** A key frame that was requested and did not come is requested again after this time. */
const ASK_AGAIN_MS = 1000;
const LOOK_EVERY_MS = 100;
/** Maximum size of a compound report, so that it fits into one datagram together with its headers. */
const COMPOUND_BYTES = 1100;
/**
 * Above this share of requested packets, each of them is sent twice, the second time a tick later. Browsers wait 100
 * ms before they request again, and two such waits are seen as a freeze. Receiver reports do not show this loss:
 * browsers count repaired packets as received.
 */
const LOSSY = 0.01;
/** Weight of the last second in the average share. */
const LOSS_SHARE = 0.3;
/** Packets that can be requested again: two seconds of video, and of audio in packets of 20 ms. */
const VIDEO_REPEATED = 512;
const AUDIO_REPEATED = 128;
/** Duration of an audio packet: the next one of another speaker must not overlap it. */
const AUDIO_PACKET_SECONDS = 0.02;
/** One byte of padding that counts itself: the whole content of a filler packet. */
const FILLER = Buffer.from([1]);
/** Highest layer there is. */
const HIGHEST = 2;
/** A longer round trip than this comes from a report about something else. */
const ROUND_TRIP_MAX_MS = 30_000;

export interface SubscriberMediaParts extends SubscriberMedia {
  tick(nowMs: number): void;
}

interface SubscribedTrackParts extends SubscribedTrack {
  opened(nowMs: number): void;
  /** The subscriber requests a packet again. */
  again(sequence: number, nowMs: number): void;
  /** Sends what was requested since the last tick a second time. */
  repeat(nowMs: number): void;
  keyFrame(): void;
  block(block: ReportBlock, nowMs: number): void;
  look(nowMs: number): void;
  /** Returns a sender report when one is due and the source's clock is known. */
  report(nowMs: number): Buffer | null;
}

/** Per connection: packets sent and requested in this second, and the averaged share of requests. */
interface Asked {
  packets: number;
  requests: number;
  share: number;
}

/**
 * Makes what a room keeps of one subscriber's connection: its tracks, repeated packets, and sender reports. Takes the
 * room, the connection, and what to call when it is closed.
 */
export function createSubscriberMedia(
  room: RoomParts,
  spec: SubscriberMediaSpec,
  onClose: () => void,
): SubscriberMediaParts {
  const tracks = new Map<number, SubscribedTrackParts>();
  const repeating = new Set<SubscribedTrackParts>();
  const asked: Asked = { packets: 0, requests: 0, share: 0 };
  let askedMs = -Infinity;
  let open = false;
  let estimatedBitrate: number | null = null;
  let lookMs = -Infinity;

  return {
    open(nowMs) {
      if (open) return;
      open = true;
      for (const subscribed of tracks.values()) subscribed.opened(nowMs);
    },
    addTrack(trackSpec) {
      if (tracks.has(trackSpec.ssrc)) throw new Error('two tracks of a connection must not share an SSRC');
      if (trackSpec.firstSequence < 0 || trackSpec.firstSequence > 0x7fff)
        throw new Error('a stream begins with a sequence number below 32768');
      const subscribed = createSubscribedTrack(
        room,
        spec,
        trackSpec,
        asked,
        () => open,
        () => {
          tracks.delete(trackSpec.ssrc);
          repeating.delete(subscribed);
        },
      );
      tracks.set(trackSpec.ssrc, subscribed);
      return subscribed;
    },
    rtcp(compound, nowMs) {
      readRtcp(compound, {
        nack(ssrc, sequence) {
          const subscribed = tracks.get(ssrc);
          if (subscribed === undefined) return;
          subscribed.again(sequence, nowMs);
          repeating.add(subscribed);
        },
        keyFrame: (ssrc) => tracks.get(ssrc)?.keyFrame(),
        block: (block) => tracks.get(block.ssrc)?.block(block, nowMs),
        remb: (bitsPerSecond) => {
          estimatedBitrate = bitsPerSecond;
        },
      });
    },
    tick(nowMs) {
      for (const subscribed of repeating) subscribed.repeat(nowMs);
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
      for (const subscribed of tracks.values()) {
        subscribed.look(nowMs);
        const report = subscribed.report(nowMs);
        if (report === null) continue;
        if (reports.length === 0) first = subscribed.ssrc;
        reports.push(report);
        bytes += report.length;
        if (bytes > COMPOUND_BYTES) flush();
      }
      flush();
    },
    stats: () => ({ estimatedBitrate, tracks: tracks.size }),
    close() {
      for (const subscribed of [...tracks.values()]) subscribed.close();
      onClose();
    },
  };
}

function createSubscribedTrack(
  room: RoomParts,
  connection: SubscriberMediaSpec,
  spec: SubscribedTrackSpec,
  asked: Asked,
  isOpen: () => boolean,
  onClose: () => void,
): SubscribedTrackParts {
  const headers: HeaderWriter = createHeaderWriter(spec);
  const stream = createContinuity<Layer>(
    spec.firstSequence,
    spec.firstTimestamp,
    spec.media === 'video' ? VIDEO_REPEATED : AUDIO_REPEATED,
  );
  const { counted } = room;
  let source: Source | null = null;
  let on = true;
  let hidden = false;
  let active = false;
  let closed = false;
  const wanted = { substream: HIGHEST, temporal: HIGHEST };

  /** The layer being sent; null until a key frame has come. */
  let current: Layer | null = null;
  /** The layer that is waited for, or that of `current`; -1 when no layer sends anything. */
  let target = -1;
  let temporal = HIGHEST;
  /** The source's gap that was bridged last. */
  let gap = 0;
  let askedMs = -Infinity;
  /** The newest packet sent; it places the next source or layer in time. */
  let sent: { layer: Layer; timestamp: number; atMs: number } | null = null;
  /** The source of that packet. */
  let sentBy: Source | null = null;
  let told = { substream: -1, temporal: -1 };

  let packets = 0;
  let bytes = 0;
  let retransmitted = 0;
  let reportMs = -Infinity;
  let reported = 0;
  let received: { fractionLost: number; lost: number } | null = null;
  let roundTripMs: number | null = null;
  /** Our sequence numbers that are sent once more at the next tick. */
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
    room.spec.onLayer?.(subscribed, now.substream, now.temporal);
  }

  function chooseLayer(nowMs: number): void {
    if (source === null) return;
    const living = source.livingLayer(wanted.substream, nowMs);
    // No layer sends (a muted camera, a broken connection): take the first that comes, or wait for the previous one.
    if (living >= 0) target = living;
    else if (target < 0) target = Math.min(wanted.substream, source.spec.layers - 1);
  }
  function ask(nowMs: number): void {
    if (source === null || target < 0) return;
    askedMs = nowMs;
    source.askKeyFrame(target);
  }

  /** Joins or leaves the source as all switches say. Video starts again with a key frame. */
  function settle(nowMs: number): void {
    const now = source !== null && on && !hidden && isOpen() && !closed;
    if (now === active) return;
    active = now;
    if (now) {
      current = null;
      target = -1;
      source!.join(subscribed);
      chooseLayer(nowMs);
      ask(nowMs);
    } else {
      source?.leave(subscribed);
      current = null;
      tellLayer();
    }
  }

  /** Timestamp ticks between the last packet sent and this one, which comes from another source or layer. */
  function ticksSince(packet: MediaPacket, nowMs: number): number {
    const least = spec.media === 'audio' ? spec.clockRate * AUDIO_PACKET_SECONDS : 1;
    if (sent === null) return least;
    let elapsedMs = nowMs - sent.atMs;
    if (sent.layer.reception !== packet.source.reception && sentBy === source) {
      // For layers of one camera, the publisher's reports say exactly when each picture was taken.
      const before = sent.layer.reception.captured(sent.timestamp);
      const captured = packet.source.reception.captured(packet.timestamp);
      if (before !== null && captured !== null && Math.abs(captured - before - elapsedMs) < 1000)
        elapsedMs = captured - before;
    }
    return Math.max(least, (elapsedMs * spec.clockRate) / 1000);
  }

  /** Whether a video packet belongs to a temporal layer that is wanted; decided once per frame. */
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
    const encrypted = connection.protect.rtp(header, payload, rolloverCounter);
    counted.packetsOut++;
    counted.bytesOut += encrypted.length;
    packets++;
    asked.packets++;
    bytes += payload.length;
    connection.send(encrypted);
  }
  /** The payload belongs to the ring: each subscriber's numbers overwrite those of the subscriber before. */
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

  const subscribed: SubscribedTrackParts & Receiver = {
    ssrc: spec.ssrc,
    watching() {
      return active ? target : -1;
    },
    offer(packet, nowMs) {
      if (packet.source !== current) {
        if (packet.payload.length === 0 || !packet.entry) return;
        const { index } = packet.source;
        // Before anything is shown, a lower layer is better than none. A layer with a new SSRC is the same layer.
        const fits = index === target || (current === null && (index < target || target < 0));
        if (!fits) return;
        stream.begin(packet, ticksSince(packet, nowMs));
        current = packet.source;
        sentBy = source;
        gap = source!.gaps();
        temporal = wanted.temporal;
        tellLayer();
      } else if (source!.gaps() !== gap) {
        // After a gap audio simply continues; video needs a key frame.
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
    carry(track: PublishedTrack | null, nowMs) {
      const next = track as Source | null;
      if (next !== null && next.media !== spec.media)
        throw new Error(`a subscribed ${spec.media} track cannot carry ${next.media}`);
      if (next === source) return;
      if (active) source!.leave(subscribed);
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
      // Send nothing to a subscriber who may not see the track, not even a retransmission.
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
      // The clock has 16 bits of seconds; a time that seems to lie in the future is a rounding error.
      if (trip <= ROUND_TRIP_MAX_MS) roundTripMs = trip;
    },
    report(nowMs) {
      if (current === null || packets === reported || nowMs - reportMs < REPORT_EVERY_MS) return null;
      const offsetMs = source?.clock.clockOffsetMs() ?? null;
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
  return subscribed;
}
