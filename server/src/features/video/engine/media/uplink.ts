/** Publishers: what comes from a person's microphone and camera, what is asked of them, and what is reported to them. */
import type { Sendable } from './continuity.ts';
import { isH264KeyFrame, knowsKeyFrames, readVp8 } from './frames.ts';
import type { ForwardingSpec, ForwardingStats, Track, TrackSpec, Uplink, UplinkSpec } from './media.types.ts';
import { createMissing, type Missing } from './missing.ts';
import { createReception, type Reception } from './reception.ts';
import { createRing, type Ring } from './ring.ts';
import { readRtcp, type ReportBlock, writeFir, writeNack, writePli, writeReceiverReport, writeRemb } from './rtcp.ts';
import { readRtp } from './rtp.ts';
import { createUnwrap, createWindow, type Window } from './serial.ts';
import type { Voice, Voices } from './voices.ts';

/** Key frames are large: a layer is asked for one at most so often. */
const KEY_FRAME_EVERY_MS = 500;
/** A layer of which nothing came for that long is not chosen any more; and one is told to be gone. */
const ALIVE_MS = 1000;
const GONE_MS = 2000;
const REPORT_EVERY_MS = 1000;
/** What is not pressing is looked at so often. */
const LOOK_EVERY_MS = 100;
/** Copies and what comes later than so many packets are dropped. */
const WINDOW = 1024;
const KEEP_BYTES = 1_000_000;
const KEEP_MS = 2000;
/** A publisher's clock that jumps by more than this is believed anew. */
const CLOCK_JUMP_MS = 5000;
const LAYERS_MAX = 3;

/** A packet as the room passes it on. */
export interface MediaPacket extends Sendable<Layer> {
  payload: Buffer;
  arrivedMs: number;
  audioLevel: number;
  orientation: number;
  /** A key frame begins with it; voices and unknown codecs can begin anywhere. */
  entry: boolean;
}

/** One simulcast layer under one SSRC. Another SSRC makes another layer object: nothing of the two is ever mixed. */
export interface Layer {
  readonly index: number;
  readonly ssrc: number;
  readonly reception: Reception;
  readonly ring: Ring<MediaPacket>;
  readonly missing: Missing | null;
  readonly window: Window;
  readonly unwrap: ReturnType<typeof createUnwrap>;
  unwrapPicture: ReturnType<typeof createUnwrap> | null;
  packets: number;
  bytes: number;
  packetMs: number;
  receiving: boolean;
}

/** Who gets a track's packets. */
export interface Receiver {
  offer(packet: MediaPacket, nowMs: number): void;
  /** The layer it shows or waits for; -1 for none. */
  watching(): number;
  /** The track is gone. */
  ended(): void;
}

/** A track as the subscribers' side sees it. */
export interface Source extends Track {
  readonly spec: TrackSpec;
  readonly uplink: Clocked;
  join(receiver: Receiver): void;
  leave(receiver: Receiver): void;
  /** One up with each gap that was made on purpose. */
  gaps(): number;
  /** The highest living layer that is not above `highest`; else the lowest living one; -1 when none lives. */
  livingLayer(highest: number, nowMs: number): number;
  askKeyFrame(layer: number): void;
}

export interface Clocked {
  /** Adds to a time of the publisher's clock to get one of ours; null before its first report. */
  clockOffsetMs(): number | null;
}

/** What the parts of a room share. */
export interface RoomParts {
  spec: ForwardingSpec;
  voices: Voices;
  counted: ForwardingStats;
}

export interface UplinkParts extends Uplink {
  tick(nowMs: number): void;
  keptBytes(): number;
}

export function createUplink(room: RoomParts, spec: UplinkSpec, onClose: () => void): UplinkParts {
  const tracks = new Set<TrackParts>();
  let bitrate = spec.bitrate;
  let reportMs = -Infinity;
  let clockOffsetMs: number | null = null;
  let fresh = true;
  const clocked: Clocked = { clockOffsetMs: () => clockOffsetMs };

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

  const uplink: UplinkParts = {
    rtcp(compound, nowMs) {
      readRtcp(compound, {
        senderReport(ssrc, ntpMs, rtp, middle) {
          const ours = room.spec.epochMs + nowMs - ntpMs;
          // One offset for all tracks and for good, so that sound and picture stay together however late single reports come.
          if (clockOffsetMs === null || Math.abs(clockOffsetMs - ours) > CLOCK_JUMP_MS) clockOffsetMs = ours;
          for (const track of tracks) track.reported(ssrc, ntpMs, rtp, middle, nowMs);
        },
      });
    },
    bitrate(bitsPerSecond) {
      if (bitsPerSecond === bitrate) return;
      bitrate = bitsPerSecond;
      fresh = true;
    },
    addTrack(trackSpec) {
      if (trackSpec.layers < 1 || trackSpec.layers > LAYERS_MAX)
        throw new Error(`a track has 1 to ${LAYERS_MAX} layers`);
      const track = createTrack(room, trackSpec, clocked, spec.ssrc, () => tracks.delete(track));
      tracks.add(track);
      return track;
    },
    tick(nowMs) {
      const requests: Buffer[] = [];
      for (const track of tracks) track.tick(nowMs, requests);
      if (requests.length > 0) send([writeReceiverReport(spec.ssrc), ...requests]);
      // A new limit is told at once.
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
  return uplink;
}

interface TrackParts extends Source {
  reported(ssrc: number, ntpMs: number, rtp: number, middle: number, nowMs: number): void;
  report(nowMs: number, blocks: ReportBlock[], ssrcs: number[]): void;
  /** Adds what has to be asked of the publisher now. */
  tick(nowMs: number, requests: Buffer[]): void;
  keptBytes(): number;
}

function createTrack(
  room: RoomParts,
  spec: TrackSpec,
  uplink: Clocked,
  sender: number,
  onClose: () => void,
): TrackParts {
  const layers: (Layer | null)[] = Array.from({ length: spec.layers }, () => null);
  /** Since when a key frame is wanted of a layer, and when it was asked for last. */
  const keyFrames = layers.map(() => ({ wanted: false, askedMs: -Infinity, cameMs: -Infinity }));
  const entries = knowsKeyFrames(spec.codec);
  let receivers: Receiver[] = [];
  let firs = 0;
  let gaps = 0;
  let muted = false;
  let lookMs = -Infinity;
  /** What comes is being forwarded; when it stops a gap begins. */
  let flowing = false;
  let closed = false;
  const voice: Voice | null =
    spec.media === 'audio'
      ? room.voices.join(spec.always, (talking, average) => room.spec.onTalking?.(track, talking, average))
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
      receiving: false,
    };
    layers[index] = layer;
    return layer;
  }
  const lives = (layer: Layer | null | undefined, nowMs: number): layer is Layer =>
    layer !== null && layer !== undefined && nowMs - layer.packetMs < ALIVE_MS;

  /** Whether packets are passed on now; notes where a gap begins. */
  function flows(): boolean {
    const now = !muted && (voice === null || voice.heard());
    if (flowing && !now) gaps++;
    flowing = now;
    return now;
  }

  const track: TrackParts = {
    media: spec.media,
    spec,
    uplink,
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
      if (!layer.receiving) {
        layer.receiving = true;
        room.spec.onMedia?.(track, index, true);
      }
      layer.reception.arrived(sequence, read.timestamp, nowMs, layer.missing?.asked(sequence));
      if (layer.missing?.arrived(sequence, nowMs) === false) track.askKeyFrame(index);

      // Padding that publishers send to measure their line has no descriptor; it is left out like any other packet that is not for others.
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
      if (voice !== null && !muted && !empty) voice.packet(read.audioLevel, read.payload.length, nowMs);
      if (!flows()) return;
      if (!empty) layer.ring.put(packet);
      // A copy of the list is made when it changes, so it can be walked while somebody leaves.
      for (const receiver of receivers) receiver.offer(packet, nowMs);
    },
    ssrc: (index) => layers[index]?.ssrc ?? null,
    mute(now) {
      if (now === muted) return;
      muted = now;
      if (muted) voice?.silence();
      flows();
    },
    requestKeyFrame(nowMs) {
      for (const receiver of receivers) if (receiver.watching() >= 0) track.askKeyFrame(receiver.watching());
      void nowMs;
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
        // A voice that nobody hears is not worth asking for.
        if (missing === null || missing.count() === 0 || (voice !== null && !flowing)) continue;
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
        // What nobody can mend any more would stay on the screens as a smear.
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
      loudness: voice?.loudness() ?? 0,
      talking: voice?.talking() ?? false,
    }),
    close() {
      if (closed) return;
      closed = true;
      voice?.silence();
      voice?.leave();
      for (const layer of layers) layer?.ring.clear();
      const ended = receivers;
      receivers = [];
      for (const receiver of ended) receiver.ended();
      onClose();
    },
  };
  return track;
}
