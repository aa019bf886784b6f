/**
 * Browsers for tests: werift's peer connections, which know nothing of the engine. They talk to a session of the engine
 * as a page would, without gateway, and send packets with distinguishable content.
 */
import {
  MediaStreamTrack,
  type RTCPeerConnection,
  RTCRtpCodecParameters,
  RtpHeader,
  RtpPacket,
  useAudioLevelIndication as audioLevels,
} from 'werift';
import type { RoomEvent } from '../janus/janus.videoroom.ts';
import { createTestPeer } from '../werift.fixture.ts';
import type {
  EngineEvent,
  EngineReply,
  EngineRequest,
  EngineSession,
  Jsep,
  RoomSpec,
  StreamWish,
  VideoEngine,
} from '../video.types.ts';

const ROOM: RoomSpec = {
  therapistId: 71,
  publishers: 25,
  keyframeSeconds: 10,
  talkingLevel: 50,
  talkingPackets: 100,
  loudestVoices: 5,
};

const OPUS = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 });
const VP8 = new RTCRtpCodecParameters({
  mimeType: 'video/VP8',
  clockRate: 90_000,
  payloadType: 96,
  rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }, { type: 'goog-remb' }],
});

/** Waits until something is true, checking at each turn of the event loop; fails after `ms` with the given words. */
export async function until<T>(what: string, look: () => T | undefined | null | false, ms = 60_000): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The offer or answer that came with a reply or event. Throws if there is none. */
export function jsepOf(reply: EngineReply | RoomEvent): Jsep {
  if (!('jsep' in reply) || reply.jsep === undefined) throw new Error(`no description: ${JSON.stringify(reply)}`);
  return reply.jsep;
}

const OWN_MESSAGE: ReadonlySet<string> = new Set([
  'webrtcup',
  'trickle',
  'media',
  'slowlink',
  'hangup',
  'detached',
  'gone',
]);

/** A session in the room with everything that it received. */
export interface TestConnection {
  session: EngineSession;
  events: EngineEvent[];
  /** Events of the room on a handle, without those of its connection. */
  heard(handle: number): RoomEvent[];
  ask(handle: number, request: EngineRequest, jsep?: Jsep): Promise<EngineReply>;
}

export interface ConnectionOptions {
  room: RoomSpec;
  as?: 'client' | 'therapist';
  /** The publisher's packets say how loud they are. */
  levels?: boolean;
}

/** Opens one person's session in a room of the engine, and keeps the events that it sends. */
export async function openConnection(
  engine: VideoEngine,
  id: number,
  { room, as = 'client' }: ConnectionOptions,
): Promise<TestConnection> {
  const events: EngineEvent[] = [];
  const session = await engine.open(room, { id, as }, (event) => events.push(event));
  return {
    session,
    events,
    heard: (handle) =>
      events.filter(
        (event): event is RoomEvent => 'handle' in event && event.handle === handle && !OWN_MESSAGE.has(event.kind),
      ),
    ask: (handle, request, jsep) => session.request(handle, request, jsep),
  };
}

export interface TestPublisher {
  connection: TestConnection;
  handle: number;
  readonly id: number;
  pc: RTCPeerConnection;
  joined: EngineReply;
  answer: EngineReply;
  /** Sends one packet of voice or picture; the payload is the text. VP8 packets are whole key frames. */
  say(kind: 'audio' | 'video', text: string): void;
  /** Of the following packets, as RFC 6464 tells it: 0 is loud, 127 silent. */
  loudness(minusDbov: number): void;
  /** Sends every 20 ms until stopped. */
  keepSaying(kind: 'audio' | 'video', text: string): () => void;
  close(): Promise<void>;
}

const browser = (levels = false) =>
  createTestPeer({
    codecs: { audio: [OPUS], video: [VP8] },
    headerExtensions: { audio: levels ? [audioLevels()] : [], video: [] },
    bundlePolicy: 'max-bundle',
  });

/**
 * A VP8 payload: descriptor without extensions, beginning of a partition; then the first bytes of a key frame or
 * another, then the text.
 */
export const vp8 = (text: string, key = true) =>
  Buffer.concat([
    Buffer.from([0x10, key ? 0x10 : 0x11, 0x02, 0x00, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0x00]),
    Buffer.from(text),
  ]);

/** The number of the latest room: each test has a room of its own. */
let rooms = 1000;
/** The settings of a room with a new number. */
export const aRoom = (changes: Partial<RoomSpec> = {}): RoomSpec => ({ ...ROOM, therapistId: ++rooms, ...changes });

/** The offer of a browser that sends only audio; for requests that are not about media. */
export async function anOffer(kinds: readonly ('audio' | 'video')[] = ['audio']): Promise<Jsep> {
  const pc = browser();
  for (const kind of kinds) pc.addTransceiver(kind, { direction: 'sendonly' });
  await pc.setLocalDescription(await pc.createOffer());
  const { sdp } = pc.localDescription!;
  await pc.close();
  return { type: 'offer', sdp };
}

/** Joins as publisher and publishes the named media. */
export async function publish(
  engine: VideoEngine,
  id: number,
  options: ConnectionOptions,
  kinds: ('audio' | 'video')[] = ['audio', 'video'],
): Promise<TestPublisher> {
  const connection = await openConnection(engine, id, options);
  const handle = await connection.session.attach();
  const joined = await connection.ask(handle, { kind: 'joinPublisher', id, display: String(id) });
  const pc = browser(options.levels);
  const tracks = new Map(kinds.map((kind) => [kind, new MediaStreamTrack({ kind })] as const));
  for (const track of tracks.values()) pc.addTransceiver(track, { direction: 'sendonly' });
  await pc.setLocalDescription(await pc.createOffer());
  const answer = await connection.ask(handle, { kind: 'publish' }, { type: 'offer', sdp: pc.localDescription!.sdp });
  await pc.setRemoteDescription(jsepOf(answer) as never);
  await until('publisher up', () => connection.events.some((event) => event.kind === 'webrtcup'));
  await until('publisher connected', () => pc.connectionState === 'connected');
  const sequence = { audio: 100, video: 200 };
  let level = 127;
  const levelId = Number(/a=extmap:(\d+) urn:ietf:params:rtp-hdrext:ssrc-audio-level/.exec(jsepOf(answer).sdp)?.[1]);
  const say = (kind: 'audio' | 'video', text: string) => {
    const at = sequence[kind]++;
    const header = new RtpHeader({
      sequenceNumber: at & 0xffff,
      timestamp: at * (kind === 'audio' ? 960 : 3000),
      payloadType: kind === 'audio' ? 111 : 96,
      marker: true,
      ssrc: 1,
    });
    if (levelId && kind === 'audio') header.extensions = [{ id: levelId, payload: Buffer.from([level]) }];
    tracks.get(kind)!.writeRtp(new RtpPacket(header, kind === 'audio' ? Buffer.from(text) : vp8(text)));
  };
  const timers = new Set<NodeJS.Timeout>();
  return {
    connection,
    handle,
    id,
    pc,
    joined,
    answer,
    say,
    loudness(minusDbov) {
      level = minusDbov;
    },
    keepSaying(kind, text) {
      const timer = setInterval(() => say(kind, text), 20);
      timers.add(timer);
      return () => clearInterval(timer);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await connection.session.close();
      await pc.close();
    },
  };
}

export interface TestSubscriber {
  connection: TestConnection;
  handle: number;
  pc: RTCPeerConnection;
  attached: Extract<EngineReply, { kind: 'attached' }>;
  /** Texts received by mid, in order. */
  received(mid: string): string[];
  packets(mid: string): RtpPacket[];
  /** Answers an offer with `start`. */
  answerTo(jsep: Jsep): Promise<EngineReply>;
  close(): Promise<void>;
}

const VP8_PREFIX = vp8('').length;

/** Subscribes to the named streams, and answers the offer. */
export async function subscribe(
  engine: VideoEngine,
  id: number,
  streams: readonly StreamWish[],
  options: ConnectionOptions,
): Promise<TestSubscriber> {
  const connection = await openConnection(engine, id, options);
  const handle = await connection.session.attach();
  const attached = await connection.ask(handle, { kind: 'joinSubscriber', streams });
  if (attached.kind !== 'attached') throw new Error(`not attached: ${JSON.stringify(attached)}`);
  const pc = browser();
  const got = new Map<string, RtpPacket[]>();
  const bound = new Set<MediaStreamTrack>();
  const bind = () => {
    // One track for each SSRC that an m-line had.
    for (const transceiver of pc.getTransceivers())
      for (const track of transceiver.receiver.tracks) {
        if (bound.has(track)) continue;
        bound.add(track);
        track.onReceiveRtp.subscribe((packet) => {
          const mid = transceiver.mid ?? '?';
          const list = got.get(mid) ?? [];
          list.push(packet);
          got.set(mid, list);
        });
      }
  };
  const answerTo = async (jsep: Jsep) => {
    await pc.setRemoteDescription(jsep as never);
    bind();
    await pc.setLocalDescription(await pc.createAnswer());
    return connection.ask(handle, { kind: 'start' }, { type: 'answer', sdp: pc.localDescription!.sdp });
  };
  await answerTo(jsepOf(attached));
  await until('subscriber up', () => connection.events.some((event) => event.kind === 'webrtcup'));
  const packets = (mid: string) => got.get(mid) ?? [];
  return {
    connection,
    handle,
    pc,
    attached,
    packets,
    received: (mid) =>
      packets(mid).map(({ payload, header }) =>
        payload.subarray(header.payloadType === 111 ? 0 : VP8_PREFIX).toString(),
      ),
    answerTo,
    async close() {
      await connection.session.close();
      await pc.close();
    },
  };
}
