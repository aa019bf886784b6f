/** Publishers: takes the packets of a person's microphone and camera, requests what is missing, and sends reports. */
import { type Cap, createCap } from './bitrate-cap.ts';
import { isH264KeyFrame, knowsKeyFrames, readVp8 } from '../../rtp/payloads.ts';
import type { PublishedTrackSpec, PublisherMedia, PublisherMediaSpec } from '../forwarding.types.ts';
import type { Clocked, Layer, MediaPacket, Receiver, RoomParts, Source } from '../packet.types.ts';
import { createMissing } from './lost-packets.ts';
import { createReception } from './reception-statistics.ts';
import { createRing } from './packet-ring.ts';
import {
  readRtcp,
  type ReportBlock,
  writeFir,
  writeNack,
  writePli,
  writeReceiverReport,
  writeRemb,
} from '../../rtp/rtcp.ts';
import { readRtp } from '../../rtp/rtp.ts';
import { createUnwrap, createWindow } from '../../rtp/sequence-numbers.ts';
import type { ActiveSpeaker } from './active-speakers.ts';

/** Shortest time between two requests for a key frame of one layer: key frames are large. */
const KEY_FRAME_EVERY_MS = 500;
/** A layer that is silent for ALIVE_MS is no longer chosen; after GONE_MS it is reported as gone. */
const ALIVE_MS = 1000;
const GONE_MS = 2000;
const REPORT_EVERY_MS = 1000;
/** How often work that is not urgent is done. */
const LOOK_EVERY_MS = 100;
/** Duplicates, and packets older than this many packets, are dropped. */
const WINDOW = 1024;
const KEEP_BYTES = 1_000_000;
const KEEP_MS = 2000;
/** A publisher's clock that jumps by more than this is adopted again. */
const CLOCK_JUMP_MS = 5000;
const LAYERS_MAX = 3;

export interface PublisherMediaParts extends PublisherMedia {
  tick(nowMs: number): void;
  keptBytes(): number;
}

/**
 * Makes what a room keeps of one publisher's connection: its tracks, the bitrate cap, and the reports and requests that
 * go back. Takes the room, the connection, and what to call when it is closed.
 */
export function createPublisherMedia(
  room: RoomParts,
  spec: PublisherMediaSpec,
  onClose: () => void,
): PublisherMediaParts {
  const tracks = new Set<TrackParts>();
  let bitrate = spec.bitrate;
  let reportMs = -Infinity;
  let clockOffsetMs: number | null = null;
  let fresh = true;
  const clock: Clocked = { clockOffsetMs: () => clockOffsetMs };
  const cap = createCap(spec.bitrate);
  /** Tells the tracks and the room that too much has started or stopped coming. */
  function limited(): void {
    for (const track of tracks) track.limited();
    spec.onLimited?.({ audio: cap.audio.held, video: cap.all.held });
  }

  function send(packets: readonly Buffer[]): void {
    if (packets.length > 0) spec.send(spec.protect.rtcp(Buffer.concat(packets)));
  }
  function report(nowMs: number): void {
    const blocks: ReportBlock[] = [];
    const ssrcs: number[] = [];
    for (const track of tracks) track.report(nowMs, blocks, ssrcs);
    if (ssrcs.length === 0) return;
    const packets = [writeReceiverReport(spec.ssrc, blocks)];
    if (bitrate > 0) packets.push(writeRemb(spec.ssrc, bitrate, ssrcs));
    send(packets);
    reportMs = nowMs;
    fresh = false;
  }

  const publisher: PublisherMediaParts = {
    rtcp(compound, nowMs) {
      readRtcp(compound, {
        senderReport(ssrc, ntpMs, rtp, middle) {
          const ours = room.spec.epochMs + nowMs - ntpMs;
          // One offset for all tracks and for good, so that audio and video stay in sync however late a report comes.
          if (clockOffsetMs === null || Math.abs(clockOffsetMs - ours) > CLOCK_JUMP_MS) clockOffsetMs = ours;
          for (const track of tracks) track.reported(ssrc, ntpMs, rtp, middle, nowMs);
        },
      });
    },
    bitrate(bitsPerSecond) {
      if (bitsPerSecond === bitrate) return;
      bitrate = bitsPerSecond;
      cap.set(bitsPerSecond);
      fresh = true;
    },
    addTrack(trackSpec) {
      if (trackSpec.layers < 1 || trackSpec.layers > LAYERS_MAX)
        throw new Error(`a track has 1 to ${LAYERS_MAX} layers`);
      const track = createTrack(room, trackSpec, { clock, sender: spec.ssrc, cap, limited }, () =>
        tracks.delete(track),
      );
      tracks.add(track);
      return track;
    },
    tick(nowMs) {
      if (cap.tick(nowMs)) limited();
      const requests: Buffer[] = [];
      for (const track of tracks) track.tick(nowMs, requests);
      if (requests.length > 0) send([writeReceiverReport(spec.ssrc), ...requests]);
      // Announce a new limit at once.
      if (fresh || nowMs - reportMs >= REPORT_EVERY_MS) report(nowMs);
    },
    keptBytes() {
      let bytes = 0;
      for (const track of tracks) bytes += track.keptBytes();
      return bytes;
    },
    close() {
      for (const track of [...tracks]) track.close();
      onClose();
    },
  };
  return publisher;
}

interface TrackParts extends Source {
  /** The cap has started or stopped holding something back. */
  limited(): void;
  reported(ssrc: number, ntpMs: number, rtp: number, middle: number, nowMs: number): void;
  report(nowMs: number, blocks: ReportBlock[], ssrcs: number[]): void;
  /** Adds what has to be requested from the publisher now. */
  tick(nowMs: number, requests: Buffer[]): void;
  keptBytes(): number;
}

/** What the tracks of one publisher share. */
interface OfPublisher {
  clock: Clocked;
  /** The SSRC our requests carry. */
  sender: number;
  cap: Cap;
  /** Called when this track notices that too much comes. */
  limited(): void;
}

function createTrack(
  room: RoomParts,
  spec: PublishedTrackSpec,
  { clock, sender, cap, limited }: OfPublisher,
  onClose: () => void,
): TrackParts {
  const meter = spec.media === 'audio' ? cap.audio : cap.all;
  const layers: (Layer | null)[] = Array.from({ length: spec.layers }, () => null);
  /** Per layer: since when a key frame is wanted, and when it was last requested. */
  const keyFrames = layers.map(() => ({ wanted: false, askedMs: -Infinity, cameMs: -Infinity }));
  const entries = knowsKeyFrames(spec.codec);
  let receivers: Receiver[] = [];
  let firs = 0;
  let gaps = 0;
  let muted = false;
  let lookMs = -Infinity;
  /** Packets are being forwarded; a gap begins when that stops. */
  let flowing = false;
  let closed = false;
  const speaker: ActiveSpeaker | null =
    spec.media === 'audio'
      ? room.speakers.join(spec.always, (talking, average) => room.spec.onTalking?.(track, talking, average))
      : null;

  function layerOf(index: number, ssrc: number): Layer {
    const known = layers[index];
    if (known?.ssrc === ssrc) return known;
    known?.ring.clear();
    const layer: Layer = {
      index,
      ssrc,
      reception: createReception(spec.clockRate, spec.media === 'audio'),
      ring: createRing(room.spec.keepBytes ?? KEEP_BYTES, room.spec.keepMs ?? KEEP_MS),
      missing: spec.nack ? createMissing(spec.media === 'audio') : null,
      window: createWindow(WINDOW),
      unwrap: createUnwrap(16),
      unwrapPicture: null,
      packets: 0,
      bytes: 0,
      packetMs: -Infinity,
      // Another SSRC is no pause. If each change were reported, packets that alternate between two SSRCs would flood
      // the program with events.
      receiving: known?.receiving ?? false,
    };
    layers[index] = layer;
    return layer;
  }
  const lives = (layer: Layer | null | undefined, nowMs: number): layer is Layer =>
    layer !== null && layer !== undefined && nowMs - layer.packetMs < ALIVE_MS;

  /** Whether packets are forwarded now; notes where a gap begins. */
  function flows(): boolean {
    const now = !muted && !meter.held && (speaker === null || speaker.heard());
    if (flowing && !now) gaps++;
    flowing = now;
    return now;
  }

  const track: TrackParts = {
    media: spec.media,
    spec,
    clock,
    gaps() {
      return gaps;
    },
    receive(index, bytes, nowMs) {
      if (closed || index < 0 || index >= spec.layers) return;
      const read = readRtp(bytes, spec.extensions);
      if (read === null) return;
      room.counted.packetsIn++;
      const layer = layerOf(index, read.ssrc);
      const sequence = layer.unwrap(read.sequence);
      if (!layer.window.isNew(sequence)) return;
      layer.window.note(sequence);
      layer.packets++;
      layer.bytes += bytes.length;
      layer.packetMs = nowMs;
      meter.bytes += bytes.length;
      if (speaker !== null) cap.all.bytes += bytes.length;
      if (meter.bytes > meter.allowed && !meter.held) {
        meter.held = true;
        limited();
      }
      if (!layer.receiving) {
        layer.receiving = true;
        room.spec.onMedia?.(track, index, true);
      }
      layer.reception.arrived(sequence, read.timestamp, nowMs, layer.missing?.asked(sequence));
      if (layer.missing?.arrived(sequence, nowMs) === false) track.askKeyFrame(index);

      // Padding that publishers send to probe their bandwidth has no descriptor. It is skipped like any packet that is
      // not for subscribers.
      const empty = read.payload.length === 0;
      const vp8 = spec.codec === 'vp8' && !empty ? readVp8(read.payload) : null;
      const keyFrame = vp8?.keyFrame ?? (spec.codec === 'h264' && isH264KeyFrame(read.payload));
      if (keyFrame) {
        keyFrames[index]!.wanted = false;
        keyFrames[index]!.cameMs = nowMs;
      }
      if (vp8 !== null && vp8.pictureId >= 0) layer.unwrapPicture ??= createUnwrap(vp8.longPictureId ? 15 : 7);
      const packet: MediaPacket = {
        source: layer,
        sequence,
        timestamp: read.timestamp,
        marker: read.marker,
        vp8,
        picture: vp8 !== null && vp8.pictureId >= 0 ? layer.unwrapPicture!(vp8.pictureId) : -1,
        payload: read.payload,
        arrivedMs: nowMs,
        audioLevel: read.audioLevel,
        orientation: read.orientation,
        entry: !entries || keyFrame,
      };
      if (speaker !== null && !muted && !meter.held && !empty)
        speaker.packet(read.audioLevel, read.payload.length, nowMs);
      if (!flows()) return;
      if (!empty) layer.ring.put(packet);
      // The list is copied when it changes, so it can be walked while a receiver leaves.
      for (const receiver of receivers) receiver.offer(packet, nowMs);
    },
    ssrc: (index) => layers[index]?.ssrc ?? null,
    mute(now) {
      if (now === muted) return;
      muted = now;
      if (muted) speaker?.silence();
      flows();
    },
    limited() {
      if (meter.held) speaker?.silence();
      else track.requestKeyFrame();
      flows();
    },
    requestKeyFrame() {
      for (const receiver of receivers) if (receiver.watching() >= 0) track.askKeyFrame(receiver.watching());
    },
    askKeyFrame(index) {
      const keyFrame = keyFrames[index];
      if (keyFrame && entries && spec.keyFrames !== 'none') keyFrame.wanted = true;
    },
    livingLayer(highest, nowMs) {
      for (let index = Math.min(highest, spec.layers - 1); index >= 0; index--)
        if (lives(layers[index], nowMs)) return index;
      for (let index = highest + 1; index < spec.layers; index++) if (lives(layers[index], nowMs)) return index;
      return -1;
    },
    join(receiver) {
      receivers = [...receivers, receiver];
    },
    leave(receiver) {
      receivers = receivers.filter((other) => other !== receiver);
    },
    reported(ssrc, ntpMs, rtp, middle, nowMs) {
      for (const layer of layers) if (layer?.ssrc === ssrc) layer.reception.reported(ntpMs, rtp, middle, nowMs);
    },
    report(nowMs, blocks, ssrcs) {
      for (const layer of layers) {
        const block = layer?.reception.report(layer.ssrc, nowMs);
        if (!layer || !block) continue;
        blocks.push(block);
        ssrcs.push(layer.ssrc);
      }
    },
    tick(nowMs, requests) {
      const looks = nowMs - lookMs >= LOOK_EVERY_MS;
      if (looks) lookMs = nowMs;
      for (const layer of layers) {
        if (layer === null) continue;
        if (looks) {
          layer.ring.tidy(nowMs);
          if (layer.receiving && nowMs - layer.packetMs >= GONE_MS) {
            layer.receiving = false;
            room.spec.onMedia?.(track, layer.index, false);
          }
        }
        const { missing } = layer;
        // Do not request what nobody receives.
        if (missing === null || missing.count() === 0 || meter.held || (speaker !== null && !flowing)) continue;
        const due = missing.due(nowMs);
        if (due.length > 0) {
          room.counted.requested += due.length;
          requests.push(
            writeNack(
              sender,
              layer.ssrc,
              due.map((sequence) => sequence & 0xffff),
            ),
          );
        }
        const givenUp = missing.takeGivenUp();
        room.counted.givenUp += givenUp;
        // Damage that can no longer be repaired would stay on the screens as a smear until the next key frame.
        if (givenUp > 0) track.askKeyFrame(layer.index);
      }
      if (spec.media === 'audio') return;
      const everyMs = room.spec.keyframeSeconds * 1000;
      if (everyMs > 0 && looks) {
        for (const receiver of receivers) {
          const watching = receiver.watching();
          if (watching >= 0 && nowMs - Math.max(keyFrames[watching]!.cameMs, keyFrames[watching]!.askedMs) >= everyMs)
            track.askKeyFrame(watching);
        }
      }
      for (let index = 0; index < keyFrames.length; index++) {
        const keyFrame = keyFrames[index]!;
        const ssrc = layers[index]?.ssrc;
        if (!keyFrame.wanted || ssrc === undefined || nowMs - keyFrame.askedMs < KEY_FRAME_EVERY_MS) continue;
        keyFrame.wanted = false;
        keyFrame.askedMs = nowMs;
        room.counted.keyFramesRequested++;
        requests.push(spec.keyFrames === 'fir' ? writeFir(sender, ssrc, firs++) : writePli(sender, ssrc));
      }
    },
    keptBytes() {
      return layers.reduce((bytes, layer) => bytes + (layer?.ring.bytes() ?? 0), 0);
    },
    stats: () => ({
      layers: layers.map((layer) => ({
        ssrc: layer?.ssrc ?? null,
        packets: layer?.packets ?? 0,
        bytes: layer?.bytes ?? 0,
        lost: layer?.reception.lost() ?? 0,
        jitterMs: layer?.reception.jitterMs() ?? 0,
        alive: layer?.receiving ?? false,
      })),
      loudness: speaker?.loudness() ?? 0,
      talking: speaker?.talking() ?? false,
    }),
    close() {
      if (closed) return;
      closed = true;
      speaker?.silence();
      speaker?.leave();
      for (const layer of layers) layer?.ring.clear();
      const ended = receivers;
      receivers = [];
      for (const receiver of ended) receiver.ended();
      onClose();
    },
  };
  return track;
}
