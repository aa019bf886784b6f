/**
 * The publisher: joins the room and sends audio and video on one peer connection. Both m-lines are offered from the
 * start, empty while a device is closed, so that devices can open, close and change without a new negotiation. Source:
 * Janus videoroom 1.x.
 */
import type { DebugFlags } from '../debugFlags.ts';
import type { RoomData } from './publisherList.ts';
import { type Jsep, ConnectionFault, opaqueId, type Plugin, type Session } from './janusSession.ts';
import type { ConnectionEncryption } from '../../encryption/encodedTransform.ts';

const ROOM_EXISTS = 427;
/** Time for ICE to connect; TURN over TCP is slow. */
const ICE_MS = 9_000;
const HANGUP_MS = 800;

/**
 * Simulcast layers under the cap of "high quality": two sizes below the full one, three temporal layers each. Bit rates
 * in bit/s.
 */
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
  encryption: ConnectionEncryption | null;
  events: {
    /** The room's events: publishers, people leaving, talking. */
    room(data: RoomData): void;
    ice(state: RTCIceConnectionState): void;
    /** The same person joined elsewhere, which ends this publisher (contract/video.ts, invariant 3). */
    replaced(): void;
    lost(): void;
  };
}
export interface LocalTracks {
  audio: MediaStreamTrack | null;
  video: MediaStreamTrack | null;
}
export interface Publisher {
  /**
   * Takes the tracks of open devices, which of them the others may hear and see, the cap in bit/s, and whether to send
   * several sizes. Resolves when the peer connection is up. Throws ConnectionFault (432 room full; -1 no connection).
   */
  publish(
    tracks: LocalTracks,
    sending: { audio: boolean; video: boolean },
    options: { bitrate: number; highQuality: boolean },
  ): Promise<void>;
  published(): boolean;
  /** Sends another device's track, or no track. */
  replace(kind: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void>;
  /** Tells the server what may be forwarded. */
  sending(state: { audio: boolean; video: boolean }): Promise<void>;
  /** Restarts ICE without leaving. */
  restartIce(): Promise<void>;
  /** Polls who is present and who talks; waits for no other request. */
  list(): Promise<RoomData>;
  unpublish(): Promise<void>;
  leave(): Promise<void>;
  pc(): RTCPeerConnection | null;
}

/**
 * Waits until a peer connection is up. Takes the connection and a timeout in milliseconds. Throws ConnectionFault
 * -1 after it.
 */
export function connected(pc: RTCPeerConnection, ms: number = ICE_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(new ConnectionFault(-1, 'No way to the server was found')), ms);
    const end = (fault?: ConnectionFault) => {
      clearTimeout(timer);
      pc.removeEventListener('connectionstatechange', look);
      if (fault) reject(fault);
      else resolve();
    };
    const look = () => {
      if (pc.connectionState === 'connected') end();
      else if (pc.connectionState === 'failed' || pc.connectionState === 'closed')
        end(new ConnectionFault(-1, 'No way to the server was found'));
    };
    pc.addEventListener('connectionstatechange', look);
    look();
  });
}

/** Makes an empty track, so that an m-line can be offered while its device is closed. */
function placeholder(kind: 'audio' | 'video'): MediaStreamTrack {
  if (kind === 'audio') {
    const context = new AudioContext();
    const track = context.createMediaStreamDestination().stream.getAudioTracks()[0]!;
    void context.close().catch(() => undefined);
    return track;
  }
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
  // Firefox captures no stream from a canvas that has not been drawn on.
  canvas.getContext('2d');
  return canvas.captureStream(0).getVideoTracks()[0]!;
}

/**
 * Joins as publisher; the therapist creates the room first. Takes the session and the listeners for events. Throws
 * ConnectionFault.
 */
export async function joinRoom({ session, me, room, flags, encryption, events }: PublisherParts): Promise<Publisher> {
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
      // Chromium ignores transforms that are set after the offer.
      if (sender && encryption) encryption.encrypt(sender, track.kind as 'audio' | 'video');
    },
    ice: (state) => events.ice(state),
    lost(what) {
      hungUp();
      // Unpublishing also closes the peer connection.
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
      if (!(fault instanceof ConnectionFault) || fault.code !== ROOM_EXISTS) throw fault;
    }
  }
  await plugin.ask({ request: 'join', ptype: 'publisher', room }, { until: ({ videoroom }) => videoroom === 'joined' });

  let told: { audio: boolean; video: boolean } | null = null;
  const sending = async (state: { audio: boolean; video: boolean }) => {
    // Send only what changed: repeating that audio is on would undo a therapist's mute that is still on its way here.
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
      { jsep: encryption ? { ...jsep, e2ee: true } : jsep, until: (data) => data.configured === 'ok' },
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
          // Encrypted video keeps VP8's own header readable, so that the server finds key frames. The format is made
          // for that one codec.
          {
            type: 'video',
            capture: fill.video,
            recv: false,
            dontStop: true,
            ...codec(encryption ? 'vp8' : flags.videoCodec),
            ...layered,
          },
        ],
        ...(encryption?.legacy ? { externalEncryption: true } : {}),
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
      if (!pc) throw new ConnectionFault(0, 'The connection is gone');
      await connected(pc);
      isPublished = true;
      // The server starts each publication with audio and video on, whatever the offer said.
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
    list: () => plugin.query({ request: 'listparticipants', room }),
    async unpublish() {
      if (!isPublished) return;
      isPublished = false;
      // The server hangs up a moment after its reply, and would close whatever connection exists by then.
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
      // Do not tell the server, which ends it with the handle. The client would send on a socket that a page that is
      // being left no longer has.
      plugin.handle.hangup(false);
      plugin.detach();
    },
    pc: pcOf,
  };
}
