/**
 * One's own place in the room: joined as publisher, sound and picture sent on one connection. Both lines of media are offered from the
 * start, with nothing in them while a device is closed; so devices open, close and change without a new negotiation.
 * Specification 4.8, 7.7; Janus videoroom 1.x.
 */
import type { DebugFlags } from './flags.ts';
import type { RoomData } from './feeds.ts';
import { type Jsep, LineFault, opaqueId, type Plugin, type Session } from './janus.ts';
import type { Seal } from './seal.ts';

const ROOM_EXISTS = 427;
/** The way to the server must be found in this time; TURN over TCP takes its time. */
const ICE_MS = 9_000;
const HANGUP_MS = 800;

/** Layers of the own picture under the cap of "high quality": a third each way, thrice in time. Rates in bit/s. */
const LAYERS: RTCRtpEncodingParameters[] = [
  { rid: 'h', active: true, scalabilityMode: 'L1T3', maxBitrate: 800_000 } as RTCRtpEncodingParameters,
  {
    rid: 'm',
    active: true,
    scalabilityMode: 'L1T3',
    maxBitrate: 260_000,
    scaleResolutionDownBy: 2,
  } as RTCRtpEncodingParameters,
  {
    rid: 'l',
    active: true,
    scalabilityMode: 'L1T3',
    maxBitrate: 100_000,
    scaleResolutionDownBy: 4,
  } as RTCRtpEncodingParameters,
];

export interface PublisherParts {
  session: Session;
  me: { id: number; as: 'therapist' | 'client' };
  room: number;
  flags: DebugFlags;
  seal: Seal | null;
  events: {
    /** What the room says: publishers, leaving, talking. */
    room(data: RoomData): void;
    ice(state: RTCIceConnectionState): void;
    /** The same person joined elsewhere, which ends this place (contract/video.ts, invariant 3). */
    replaced(): void;
    lost(): void;
  };
}
export interface Outgoing {
  audio: MediaStreamTrack | null;
  video: MediaStreamTrack | null;
}
export interface Publisher {
  /** In: tracks of open devices, what is to be heard and seen of them, cap in bit/s, whether in several sizes. Resolves when the way to the server stands. Throws LineFault (432 room full; -1 no way through). */
  publish(
    tracks: Outgoing,
    sending: { audio: boolean; video: boolean },
    options: { bitrate: number; highQuality: boolean },
  ): Promise<void>;
  published(): boolean;
  /** Another device on the same line, or none. */
  replace(kind: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void>;
  /** Tells the server what may be passed on. */
  sending(state: { audio: boolean; video: boolean }): Promise<void>;
  /** Looks for a new way to the server without leaving. */
  restartIce(): Promise<void>;
  /** What the poll says of who is there and who talks. */
  list(): Promise<RoomData>;
  unpublish(): Promise<void>;
  leave(): Promise<void>;
  pc(): RTCPeerConnection | null;
}

/** Waits until a connection carries. In: the connection, milliseconds. Throws LineFault -1 where it does not in that time. */
export function connected(pc: RTCPeerConnection, ms: number = ICE_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(new LineFault(-1, 'No way to the server was found')), ms);
    const end = (fault?: LineFault) => {
      clearTimeout(timer);
      pc.removeEventListener('connectionstatechange', look);
      if (fault) reject(fault);
      else resolve();
    };
    const look = () => {
      if (pc.connectionState === 'connected') end();
      else if (pc.connectionState === 'failed' || pc.connectionState === 'closed')
        end(new LineFault(-1, 'No way to the server was found'));
    };
    pc.addEventListener('connectionstatechange', look);
    look();
  });
}

/** Tracks without sound or picture, so that a line can be offered while its device is closed. */
function placeholder(kind: 'audio' | 'video'): MediaStreamTrack {
  if (kind === 'audio') {
    const context = new AudioContext();
    const track = context.createMediaStreamDestination().stream.getAudioTracks()[0]!;
    void context.close().catch(() => undefined);
    return track;
  }
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
  // Firefox lends no stream of a canvas that was never drawn on.
  canvas.getContext('2d');
  return canvas.captureStream(0).getVideoTracks()[0]!;
}

/** Joins as publisher; the therapist makes the room first. In: the session and who hears. Throws LineFault. */
export async function joinRoom({ session, me, room, flags, seal, events }: PublisherParts): Promise<Publisher> {
  let isPublished = false;
  let leaving = false;
  let hungUp: () => void = () => undefined;
  const plugin: Plugin = await session.attach(opaqueId(me.id, 'out'), {
    message(data) {
      if (!leaving && data.leaving === 'ok' && data.reason === 'replaced') events.replaced();
      else events.room(data);
    },
    localTrack(track, on) {
      const sender = on
        ? pcOf()
            ?.getSenders()
            .find((one) => one.track === track)
        : undefined;
      // Chromium ignores what is set after the offer.
      if (sender && seal) seal.send(sender, track.kind as 'audio' | 'video');
    },
    ice: (state) => events.ice(state),
    lost(what) {
      hungUp();
      // Taking back what is published hangs up too.
      if (!leaving && (what === 'handle' || isPublished)) events.lost();
    },
  });
  const pcOf = () => plugin.handle.webrtcStuff.pc;
  const senderOf = (kind: 'audio' | 'video') =>
    pcOf()
      ?.getTransceivers()
      .find(({ receiver }) => receiver.track.kind === kind)?.sender;
  const midOf = (kind: 'audio' | 'video') =>
    pcOf()
      ?.getTransceivers()
      .find(({ receiver }) => receiver.track.kind === kind)?.mid ?? null;

  if (me.as === 'therapist') {
    try {
      await plugin.ask({ request: 'create', room });
    } catch (fault) {
      if (!(fault instanceof LineFault) || fault.code !== ROOM_EXISTS) throw fault;
    }
  }
  await plugin.ask({ request: 'join', ptype: 'publisher', room }, { until: ({ videoroom }) => videoroom === 'joined' });

  let told: { audio: boolean; video: boolean } | null = null;
  const sending = async (state: { audio: boolean; video: boolean }) => {
    // Only what changed: to say again that the voice is on would undo a therapist's muting that is still on its way here.
    const changed = (['audio', 'video'] as const).filter((kind) => told?.[kind] !== state[kind]);
    if (changed.length === 0) return;
    told = { ...state };
    const streams = changed.flatMap((kind) => (midOf(kind) === null ? [] : [{ mid: midOf(kind)!, send: state[kind] }]));
    await plugin.ask(
      { request: 'configure', ...Object.fromEntries(changed.map((kind) => [kind, state[kind]])), streams },
      { until: ({ configured }) => configured === 'ok' },
    );
  };
  const negotiate = async (jsep: Jsep, fields: Record<string, unknown>) => {
    const answered = await plugin.ask(
      { request: 'configure', ...fields },
      { jsep: seal ? { ...jsep, e2ee: true } : jsep, until: (data) => data.configured === 'ok' },
    );
    if (answered.jsep) await plugin.accept(answered.jsep);
  };

  return {
    async publish(tracks, state, { bitrate, highQuality }) {
      const fill = { audio: tracks.audio ?? placeholder('audio'), video: tracks.video ?? placeholder('video') };
      const codec = (name: string | null) => (name === null ? {} : { codec: name });
      const layered =
        flags.svc !== null
          ? { svc: flags.svc }
          : highQuality || flags.simulcast
            ? { simulcast: true, sendEncodings: LAYERS }
            : {};
      const jsep = await plugin.offer({
        tracks: [
          { type: 'audio', capture: fill.audio, recv: false, dontStop: true, ...codec(flags.audioCodec) },
          // Sealed pictures keep VP8's own header open, so that the server finds key frames; it is made for that one codec.
          {
            type: 'video',
            capture: fill.video,
            recv: false,
            dontStop: true,
            ...codec(seal ? 'vp8' : flags.videoCodec),
            ...layered,
          },
        ],
        ...(seal?.legacy ? { externalEncryption: true } : {}),
        customizeSdp(own) {
          if (flags.dtx && own.sdp) own.sdp = own.sdp.replace('useinbandfec=1', 'useinbandfec=1;usedtx=1');
        },
      });
      for (const kind of ['audio', 'video'] as const) {
        if (tracks[kind] !== null) continue;
        await senderOf(kind)?.replaceTrack(null);
        fill[kind].stop();
      }
      await negotiate(jsep, { ...state, bitrate });
      const pc = pcOf();
      if (!pc) throw new LineFault(0, 'The connection is gone');
      await connected(pc);
      isPublished = true;
      // A publication begins with both on, whatever its offer said.
      told = { audio: true, video: true };
      await sending(state);
    },
    published: () => isPublished,
    async replace(kind, track) {
      const sender = senderOf(kind);
      if (sender && sender.track !== track) await sender.replaceTrack(track);
    },
    sending,
    async restartIce() {
      await negotiate(await plugin.offer({ iceRestart: true }), {});
    },
    list: async () =>
      (
        await plugin.ask(
          { request: 'listparticipants', room },
          { until: ({ participants }) => participants !== undefined },
        )
      ).data,
    async unpublish() {
      if (!isPublished) return;
      isPublished = false;
      // The server's hanging up comes a moment after its answer, and would close whatever connection there is by then.
      const ended = new Promise<void>((resolve) => (hungUp = resolve));
      await plugin
        .ask({ request: 'unpublish' }, { until: ({ unpublished }) => unpublished === 'ok' })
        .catch(() => undefined);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, HANGUP_MS))]);
      plugin.handle.hangup(false);
    },
    async leave() {
      leaving = true;
      await plugin.ask({ request: 'leave' }, { until: ({ leaving }) => leaving === 'ok' }).catch(() => undefined);
      plugin.handle.hangup(true);
      plugin.detach();
    },
    pc: pcOf,
  };
}
