/**
 * A room of peers without browsers, on any engine with the interface of `video.types.ts`: what each publishes and
 * subscribes to, and at which rates.
 */
import type {
  EngineEvent,
  EngineReply,
  EngineSession,
  RoomSpec,
  VideoEngine,
} from '../../../server/src/features/video/video.types.ts';
import { createHeaderWriter } from '../../../server/src/features/video/engine/rtp/rtp.ts';
import type { Certificate } from '../../../server/src/features/video/engine/transport/dtls.ts';
import { mapInParallel } from '../service/processes.ts';
import { openPeer, type Totals, type VideoPeer } from './video-peer.ts';

const refusalOf = (reply: EngineReply) => (reply.kind === 'refused' ? reply.message : undefined);

const TURN_MS = 3;
const ASK_AGAIN_MS = 250;
const LEVEL_ID = 1;
const LOUD = 20;
const QUIET = 100;
const DESCRIPTOR = 6;
const HANDSHAKES_MAX = 10;

export interface Load {
  name: string;
  publishers: number;
  /** Audio packets a second of each publisher; 0: no audio. */
  voicePackets: number;
  voiceBytes: number;
  /** Video frames a second of each publisher. */
  frames: (publisher: number) => number;
  /** Video packets a second of each publisher; 0: no video. The first publisher is the therapist. */
  picturePackets: (publisher: number) => number;
  pictureBytes: (publisher: number) => number;
  /** The number of subscribers who do not publish; ignored if `everybody`. */
  subscribers: number;
  /** The publishers themselves subscribe, each to all others. */
  everybody: boolean;
  /** The number of videos that each person subscribes to; all by default. */
  tiles?: number;
  loudestVoices: number;
  /** Share of the video packets that subscribers request again. */
  again: number;
}

type Engine = Pick<VideoEngine, 'open' | 'closeRoom'>;

const common = (peer: VideoPeer, certificate: Certificate) => [
  `a=ice-ufrag:${peer.ufrag}`,
  `a=ice-pwd:${peer.password}`,
  `a=fingerprint:${certificate.fingerprint.algorithm} ${certificate.fingerprint.value}`,
  'a=setup:active',
  'a=rtcp-mux',
  ...peer.addresses.map(
    (address, index) => `a=candidate:${index + 1} 1 udp ${2_130_706_431 - index} ${address} ${peer.port} typ host`,
  ),
  'a=end-of-candidates',
];
const session = (mids: readonly string[]) => [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  `a=group:BUNDLE ${mids.join(' ')}`,
  'a=msid-semantic: WMS *',
];

function publisherOffer(
  peer: VideoPeer,
  certificate: Certificate,
  { voice, picture }: { voice: boolean; picture: boolean },
  ssrc: { voice: number; picture: number },
): string {
  const lines: string[] = [];
  const mids: string[] = [];
  const section = (kind: string, type: number, extra: string[]) => {
    const mid = String(mids.length);
    mids.push(mid);
    lines.push(
      `m=${kind} 9 UDP/TLS/RTP/SAVPF ${type}`,
      'c=IN IP4 0.0.0.0',
      `a=mid:${mid}`,
      'a=sendonly',
      ...common(peer, certificate),
      ...extra,
    );
  };
  if (voice)
    section('audio', 111, [
      'a=rtpmap:111 opus/48000/2',
      `a=extmap:${LEVEL_ID} urn:ietf:params:rtp-hdrext:ssrc-audio-level`,
      `a=ssrc:${ssrc.voice} cname:bench`,
    ]);
  if (picture)
    section('video', 96, [
      'a=rtpmap:96 VP8/90000',
      'a=rtcp-fb:96 nack',
      'a=rtcp-fb:96 nack pli',
      'a=rtcp-fb:96 goog-remb',
      `a=ssrc:${ssrc.picture} cname:bench`,
    ]);
  return `${[...session(mids), ...lines].join('\r\n')}\r\n`;
}

/** Answers an offer: the same media sections with our addresses, receiving. */
function subscriberAnswer(offer: string, peer: VideoPeer, certificate: Certificate): string {
  const sections = offer.split(/(?=^m=)/m).slice(1);
  const mids = sections.map((section) => /^a=mid:(\S+)/m.exec(section)![1]!);
  const answered = sections.map((section) => {
    const lines = section.trim().split(/\r?\n/);
    const kept = lines
      .filter((line) => /^(m=|c=|a=(mid|rtpmap|fmtp|rtcp-fb|extmap|sendonly|inactive))/.test(line))
      .map((line) => line.replace('a=sendonly', 'a=recvonly'));
    return [...kept, ...common(peer, certificate)].join('\r\n');
  });
  return `${[...session(mids), ...answered].join('\r\n')}\r\n`;
}

interface SubscribingPeer {
  peer: VideoPeer;
  session: EngineSession;
  /** Subscribes to a publisher who has joined. */
  take(feed: number): Promise<void>;
}

interface PublishingPeer {
  peer: VideoPeer;
  session: EngineSession;
  begin(nowMs: number): void;
  /** Sends the packets that are due. */
  turn(nowMs: number): void;
  sent: number;
}

export interface VideoRoom {
  /** Sends for `warmMs` and then measures for `measureMs`. Calls `begin` and `end` around the measurement. */
  run(
    warmMs: number,
    measureMs: number,
    begin: () => void,
    end: () => void,
  ): Promise<Totals & { sent: number; lateP99: number }>;
  /** Sends without counting, until `stop` is called. */
  flow(): { stop(): void };
  /** A person leaves with both connections and returns; the others accept the new offers and subscribe again. */
  replace(index: number): Promise<void>;
  /** The first requests to the engine that were refused or answered wrongly. */
  refusals: string[];
  profiles: { in: number; out: number };
  close(): Promise<void>;
}

let rooms = 0;

/** Opens a room with all its connections. */
export async function openVideoRoom(engine: Engine, load: Load, certificate: Certificate): Promise<VideoRoom> {
  const spec: RoomSpec = {
    therapistId: 1000 + ++rooms,
    publishers: 25,
    keyframeSeconds: 10,
    talkingLevel: 50,
    talkingPackets: 100,
    loudestVoices: load.loudestVoices,
  };
  /** Null while a person is away. */
  const publishers: (PublishingPeer | null)[] = [];
  const subscribers: (SubscribingPeer | null)[] = [];
  const allPublishers = () => publishers.filter((one) => one !== null);
  const allSubscribers = () => subscribers.filter((one) => one !== null);
  const refusals: string[] = [];
  let flowing = false;
  const ids = Array.from({ length: load.publishers }, (_, index) =>
    index === 0 ? spec.therapistId : 100_000 * spec.therapistId + index,
  );

  /** Opens a session with one handle. `up` resolves when its peer connection is established. */
  async function openSession(
    id: number,
    onEvent: (event: EngineEvent) => void = () => undefined,
  ): Promise<{ own: EngineSession; handle: number; up: () => Promise<void> }> {
    let resolve: () => void = () => undefined;
    const up = new Promise<void>((done) => {
      resolve = done;
    });
    const listener = (event: EngineEvent) => {
      if (event.kind === 'webrtcup') resolve();
      onEvent(event);
    };
    const own = await engine.open(spec, { id, as: id === spec.therapistId ? 'therapist' : 'client' }, listener);
    return { own, handle: await own.attach(), up: () => up };
  }

  /**
   * Connects, or closes peer and session. The DTLS client fails when an answer comes twice, as happens on a busy
   * machine (browsers do not), so callers retry with a new session.
   */
  async function connected(peer: VideoPeer, sdp: string, session: EngineSession): Promise<void> {
    try {
      await peer.connect(sdp);
    } catch (error) {
      peer.close();
      await session.close();
      throw error;
    }
  }
  const retried =
    (work: (index: number) => Promise<void>) =>
    async (index: number): Promise<void> => {
      for (let left = HANDSHAKES_MAX; ; left--) {
        try {
          return await work(index);
        } catch (error) {
          if (left === 0) throw error;
          await new Promise((resolve) => {
            setTimeout(resolve, 1000);
          });
        }
      }
    };

  async function publish(index: number): Promise<void> {
    const id = ids[index]!;
    const { own, handle, up } = await openSession(id);
    const joined = await own.request(handle, { kind: 'joinPublisher', id, display: String(id) });
    if (joined.kind === 'refused') throw new Error(`cannot join: ${joined.message}`);
    const ssrc = { voice: index * 2 + 11, picture: index * 2 + 12 };
    const packets = load.picturePackets(index);
    const frames = load.frames(index);
    let keyFrame = true;
    const peer = await openPeer(certificate, (asked) => {
      if (asked === ssrc.picture) keyFrame = true;
    });
    const answer = await own.request(
      handle,
      { kind: 'publish' },
      {
        type: 'offer',
        sdp: publisherOffer(peer, certificate, { voice: load.voicePackets > 0, picture: packets > 0 }, ssrc),
      },
    );
    if (answer.kind !== 'configured' || !answer.jsep) throw new Error(`cannot publish: ${JSON.stringify(answer)}`);
    await connected(peer, answer.jsep.sdp, own);
    await up();

    const voice = createHeaderWriter({
      ssrc: ssrc.voice,
      payloadType: 111,
      mid: '',
      extensions: { audioLevel: LEVEL_ID },
    });
    const picture = createHeaderWriter({ ssrc: ssrc.picture, payloadType: 96, mid: '', extensions: {} });
    const voicePayload = Buffer.alloc(load.voiceBytes, 7);
    const bytes = load.pictureBytes(index);
    const picturePayload = Buffer.alloc(Math.max(bytes, DESCRIPTOR + 1), 9);
    let [voices, pictures, frame] = [0, 0, 0];
    let voiceMs = Infinity;
    let frameMs = Infinity;
    const publishing: PublishingPeer = {
      peer,
      session: own,
      sent: 0,
      begin(nowMs) {
        // People do not begin at the same instant.
        voiceMs = nowMs + ((index * 37) % 33);
        frameMs = voiceMs;
      },
      turn(nowMs) {
        for (; load.voicePackets > 0 && voiceMs <= nowMs; voiceMs += 1000 / load.voicePackets) {
          const header = voice.write(voices & 0xffff, (voices * 960) >>> 0, false, index % 5 === 0 ? LOUD : QUIET, -1);
          peer.send(peer.sender.rtp(header, voicePayload, Math.floor(voices / 65_536)));
          voices++;
          publishing.sent++;
        }
        for (; packets > 0 && frameMs <= nowMs; frameMs += 1000 / frames) {
          const count = Math.round((packets * (frame + 1)) / frames) - Math.round((packets * frame) / frames);
          for (let number = 0; number < count; number++) {
            // X, start of the frame; I, L, T, K: picture id of 15 bits, TL0PICIDX, temporal layer 0.
            picturePayload[0] = number === 0 ? 0x90 : 0x80;
            picturePayload[1] = 0xe0;
            picturePayload.writeUInt16BE(0x8000 | (frame & 0x7fff), 2);
            picturePayload[4] = frame & 0xff;
            picturePayload[5] = 0;
            picturePayload[6] = number === 0 && keyFrame ? 0 : 1;
            peer.send(
              peer.sender.rtp(
                picture.write(pictures & 0xffff, (frame * 3000) >>> 0, number === count - 1, -1, -1),
                picturePayload,
                Math.floor(pictures / 65_536),
              ),
            );
            pictures++;
            publishing.sent++;
          }
          keyFrame = false;
          frame++;
        }
      },
    };
    if (flowing) publishing.begin(performance.now());
    publishers[index] = publishing;
  }

  async function subscribe(index: number): Promise<void> {
    const own = load.everybody ? ids[index]! : spec.therapistId * 200_000 + index;
    const others = ids.filter((id) => id !== own);
    // The visible page of tiles: the next publishers in the circle, and always the therapist.
    const shown = new Set([...others.slice(index), ...others.slice(0, index)].slice(0, load.tiles ?? others.length));
    if (load.tiles !== undefined && own !== ids[0]) shown.add(ids[0]!);
    const voiceMid = '0';
    const pictureMid = load.voicePackets > 0 ? '1' : '0';
    const streamsOf = (feed: number) => [
      ...(load.voicePackets > 0 ? [{ publisherId: feed, mid: voiceMid }] : []),
      ...(load.picturePackets(ids.indexOf(feed)) > 0 && shown.has(feed)
        ? [{ publisherId: feed, mid: pictureMid }]
        : []),
    ];
    const streams = others.filter((feed) => publishers[ids.indexOf(feed)]).flatMap(streamsOf);
    const peer = await openPeer(certificate);
    /** Requests run one after the other, as in a page. */
    let turn: Promise<unknown> = Promise.resolve();
    const answered = (sdp: string) =>
      subscriberSession.request(
        handle,
        { kind: 'start' },
        { type: 'answer', sdp: subscriberAnswer(sdp, peer, certificate) },
      );
    const {
      own: subscriberSession,
      handle,
      up,
    } = await openSession(own, (event) => {
      if (event.kind !== 'updated' || event.jsep?.type !== 'offer') return;
      const { sdp } = event.jsep;
      turn = turn.then(() => answered(sdp)).then(noted, noted);
    });
    const noted = (answer: unknown) => {
      const reason = answer instanceof Error ? answer.message : refusalOf(answer as EngineReply);
      if (reason !== undefined && refusals.length < 20) refusals.push(reason);
    };
    const attached = await subscriberSession.request(handle, { kind: 'joinSubscriber', streams });
    if (attached.kind !== 'attached' || !attached.jsep)
      throw new Error(`cannot subscribe: ${JSON.stringify(attached)}`);
    await answered(attached.jsep.sdp);
    await connected(peer, attached.jsep.sdp, subscriberSession);
    await up();
    subscribers[index] = {
      peer,
      session: subscriberSession,
      take(feed) {
        if (streamsOf(feed).length === 0 || !others.includes(feed)) return Promise.resolve();
        turn = turn
          .then(async () => {
            const answer = await subscriberSession.request(handle, {
              kind: 'update',
              subscribe: streamsOf(feed),
              unsubscribe: [],
            });
            noted(answer);
            // While an offer is pending, the engine sends the next one on its own.
            if (answer.kind === 'updated' && answer.jsep) noted(await answered(answer.jsep.sdp));
          })
          .catch(noted);
        return turn.then(() => undefined);
      },
    };
  }

  // Five at a time: a handshake keeps both sides busy.
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
  await mapInParallel(upTo(load.publishers), 5, retried(publish));
  await mapInParallel(upTo(load.everybody ? load.publishers : load.subscribers), 5, retried(subscribe));

  /** Sends until the returned function is called. Takes a listener for how late each turn was, in ms. */
  function sending(late: (ms: number) => void): () => void {
    let dueMs = performance.now() + TURN_MS;
    for (const publisher of allPublishers()) publisher.begin(dueMs);
    flowing = true;
    // Between two turns the generator sleeps in a way that packets do not interrupt: real people are on other machines,
    // and waking them is not the engine's work.
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    const turn = () => {
      if (!flowing) return;
      const nowMs = performance.now();
      late(nowMs - dueMs);
      dueMs = nowMs + TURN_MS;
      for (const publisher of publishers) publisher?.turn(nowMs);
      Atomics.wait(sleeper, 0, 0, TURN_MS);
      setImmediate(turn);
    };
    turn();
    return () => {
      flowing = false;
    };
  }

  return {
    profiles: { in: publishers[0]!.peer.profile, out: subscribers[0]!.peer.profile },
    refusals,
    flow() {
      return { stop: sending(() => undefined) };
    },
    async replace(index) {
      const [gone, listener] = [publishers[index]!, subscribers[index]!];
      publishers[index] = null;
      subscribers[index] = null;
      gone.peer.close();
      listener.peer.close();
      await gone.session.close();
      await listener.session.close();
      await retried(publish)(index);
      await retried(subscribe)(index);
      await Promise.all(
        allSubscribers().map((other) => (other === subscribers[index] ? Promise.resolve() : other.take(ids[index]!))),
      );
    },
    async run(warmMs, measureMs, begin, end) {
      const late: number[] = [];
      let measuring = false;
      const stop = sending((ms) => {
        if (measuring) late.push(ms);
      });
      const asking = setInterval(() => {
        for (const { peer } of allSubscribers()) peer.requestAgain(load.again);
      }, ASK_AGAIN_MS);
      const wait = (ms: number) =>
        new Promise((resolve) => {
          setTimeout(resolve, ms);
        });
      await wait(warmMs);
      for (const { peer } of allSubscribers()) peer.count();
      for (const publisher of allPublishers()) publisher.sent = 0;
      measuring = true;
      begin();
      await wait(measureMs);
      end();
      measuring = false;
      const sent = allPublishers().reduce((sum, publisher) => sum + publisher.sent, 0);
      stop();
      clearInterval(asking);
      // Packets in flight count as arrived.
      await wait(300);
      const totals: Totals = { received: 0, expected: 0, again: 0, broken: 0 };
      for (const { peer } of allSubscribers()) {
        const one = peer.totals();
        for (const name of ['received', 'expected', 'again', 'broken'] as const) totals[name] += one[name];
      }
      late.sort((a, b) => a - b);
      return { ...totals, sent, lateP99: late[Math.floor(late.length * 0.99)] ?? 0 };
    },
    async close() {
      for (const { peer } of [...allPublishers(), ...allSubscribers()]) peer.close();
      await Promise.all([...allPublishers(), ...allSubscribers()].map(({ session }) => session.close()));
      await engine.closeRoom(spec.therapistId);
    },
  };
}
