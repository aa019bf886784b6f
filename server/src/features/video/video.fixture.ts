/**
 * What the tests of the video connection share: Debian's Janus on loopback, a program that speaks the Janus protocol
 * over a bare socket, and peers that send and receive.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  MediaStreamTrack,
  type RTCPeerConnection,
  RTCRtpCodecParameters,
  RTCRtpHeaderExtensionParameters,
  RTP_EXTENSION_URI,
  RtpHeader,
  RtpPacket,
} from 'werift';
import { WebSocket } from 'ws';
import { getVideoTicket, VIDEO_PATH, VIDEO_PLUGIN } from '@fieldroom/contract/video';
import { freePort } from '../../../tests/support/programs/process.ts';
import type { TestApp } from '../../../tests/support/test-app.ts';
import type { PluginBody } from './janus/janus.videoroom.ts';
import type { Jsep } from './video.types.ts';
import { createTestPeer } from './werift.fixture.ts';

const DEPLOY = new URL('../../../../deploy/janus/', import.meta.url);
const FILES = ['janus.jcfg', 'janus.transport.websockets.jcfg', 'janus.plugin.videoroom.jcfg'];
export const JANUS_SECRET = 'secret-of-the-tests';
export const JANUS_ADMIN_KEY = 'key-of-the-tests-only';

// ---- Janus

/**
 * Where a program is; installs Debian's package where that is allowed. Takes its path, its package, and what is left
 * out without it. Returns null, and prints a message that says so, when it is not available.
 */
export function findProgram(program: string, debianPackage: string, without: string): string | null {
  const isThere = () => {
    try {
      accessSync(program, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  if (isThere()) return program;
  const before = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  // Two files of tests may come here at once: the second waits for the first one's packages.
  for (const step of [
    ['update', '-q'],
    ['-o', 'DPkg::Lock::Timeout=120', 'install', '-q', '-y', '--no-install-recommends', debianPackage],
  ]) {
    const [command = '', ...args] = [...before, 'apt-get', ...step];
    try {
      // At "runlevel 1" packages start no service of their own.
      execFileSync(command, args, {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
        stdio: 'ignore',
        timeout: 180_000,
      });
    } catch {
      // An old list of packages may do; what is missing in the end is told below.
    }
  }
  if (isThere()) return program;
  console.warn(`${program} is not installed and could not be (apt-get install ${debianPackage}): ${without}`);
  return null;
}

/** The path of Debian's Janus, which is installed if that is allowed; null, with a message, if there is none. */
export const findJanus = () => findProgram('/usr/bin/janus', 'janus', 'video is not tested against Janus.');

export interface RunningJanus {
  url: string;
  /** Cuts it, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again at the same place. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts Janus with the settings of deploy/janus; only ports and secrets are the test's. */
export async function startJanus(program: string): Promise<RunningJanus> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-janus-'));
  const port = await freePort();
  for (const file of FILES) {
    const text = (await readFile(new URL(file, DEPLOY), 'utf8'))
      .replace('"/etc/janus"', JSON.stringify(folder))
      .replace('PUT-THE-VALUE-OF-JANUS_SECRET-HERE', JANUS_SECRET)
      .replace('PUT-THE-VALUE-OF-JANUS_ADMIN_KEY-HERE', JANUS_ADMIN_KEY)
      .replace('ws_port = 8188', `ws_port = ${port}`);
    await writeFile(path.join(folder, file), text);
  }
  let child: ChildProcess;
  const start = async () => {
    child = spawn(program, ['-F', folder, '-C', path.join(folder, 'janus.jcfg')], { stdio: 'ignore' });
    for (;;) {
      if (child.exitCode !== null) throw new Error('Janus ended at its start');
      const socket = new WebSocket(`ws://127.0.0.1:${port}`, 'janus-protocol');
      const open = await once(socket, 'open').then(
        () => true,
        () => false,
      );
      socket.terminate();
      if (open) return;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  await start();
  return {
    url: `ws://127.0.0.1:${port}`,
    kill: () => end('SIGKILL'),
    restart: start,
    async stop() {
      await end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// ---- a program that speaks the protocol

/** What the videoroom says; each test looks at what it asked for. */
type Data = Record<string, unknown> & {
  videoroom?: string;
  error_code?: number;
  participants?: unknown[];
  streams?: { mid: string; type: string; feed_id: number; feed_mid: string }[];
};

interface Told {
  janus: string;
  transaction?: string;
  session_id?: number;
  sender?: number;
  data?: { id: number };
  error?: { code: number; reason: string };
  plugindata?: { plugin: string; data: Data };
  jsep?: Jsep;
  [other: string]: unknown;
}

export interface Program {
  readonly ws: WebSocket;
  readonly ticket: string;
  session: number;
  /** All that came, in order. */
  readonly told: Told[];
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  /** Why it was closed, by the other side's word. */
  reason(): string;
  /** Sends as it is and waits for the final answer: past an acknowledgement. */
  ask(message: object): Promise<Told>;
  /** The same for a session: token and number are added. */
  say(message: object): Promise<Told>;
  raw(text: string): void;
  attach(): Promise<number>;
  /** A request to the videoroom. Returns its data, with the description if there was one. */
  room(handle: number, body: object, jsep?: Jsep): Promise<Data & { jsep?: Jsep | undefined }>;
  /** The next (or an earlier) message that fits. */
  next(what: string, fits: (told: Told) => boolean, after?: number): Promise<Told>;
  close(): Promise<void>;
}

/** Opens a socket at `/video`, without a session. */
export async function openSocket(
  url: string,
  ticket = '',
  { headers = {}, protocol = 'janus-protocol' as string | undefined } = {},
): Promise<Program> {
  const ws = new WebSocket(url.replace('http', 'ws') + VIDEO_PATH, protocol === undefined ? [] : [protocol], {
    headers,
  });
  const told: Told[] = [];
  const wakers = new Set<() => void>();
  let ended = false;
  let why = '';
  const closed = new Promise<number>((resolve) => {
    ws.on('close', (code, reason) => {
      ended = true;
      why = reason.toString();
      resolve(code);
      for (const wake of wakers) wake();
    });
  });
  ws.on('message', (data: Buffer) => {
    told.push(JSON.parse(data.toString()) as Told);
    for (const wake of wakers) wake();
  });
  await once(ws, 'open');
  ws.on('error', () => {});
  let count = 0;

  async function next(what: string, fits: (one: Told) => boolean, after = 0): Promise<Told> {
    for (;;) {
      const found = told.slice(after).find(fits);
      if (found) return found;
      if (ended) throw new Error(`The video connection was closed before ${what}`);
      await new Promise<void>((resolve) => {
        const waker = () => {
          wakers.delete(waker);
          resolve();
        };
        wakers.add(waker);
      });
    }
  }
  const program: Program = {
    ws,
    ticket,
    session: 0,
    told,
    closed,
    reason: () => why,
    next,
    raw: (text) => ws.send(text),
    async ask(message) {
      const transaction = `t${++count}`;
      ws.send(JSON.stringify({ transaction, ...message }));
      const wanted = (message as { transaction?: string }).transaction ?? transaction;
      const isKeepalive =
        (message as { janus?: string }).janus === 'keepalive' || (message as { janus?: string }).janus === 'trickle';
      return next(
        `the answer to ${JSON.stringify(message).slice(0, 200)}`,
        (one) => one.transaction === wanted && (one.janus !== 'ack' || isKeepalive),
      );
    },
    say: (message) => program.ask({ token: ticket, session_id: program.session, ...message }),
    async attach() {
      const answer = await program.say({ janus: 'attach', plugin: VIDEO_PLUGIN });
      if (answer.data === undefined) throw new Error(JSON.stringify(answer));
      return answer.data.id;
    },
    async room(handle, body, jsep) {
      const answer = await program.say({ janus: 'message', handle_id: handle, body, ...(jsep ? { jsep } : {}) });
      if (answer.plugindata === undefined) throw new Error(JSON.stringify(answer));
      return { ...answer.plugindata.data, jsep: answer.jsep };
    },
    async close() {
      ws.close();
      await closed;
    },
  };
  return program;
}

export interface Somebody {
  id: number;
  token: string;
}

/** A member's program with its session. */
export async function openProgram(
  t: Pick<TestApp, 'api' | 'url'>,
  person: Somebody,
  { firefox = false } = {},
): Promise<Program> {
  const { ticket } = await t.api(getVideoTicket, { body: { firefox } }, { token: person.token });
  const program = await openSocket(t.url, ticket);
  const answer = await program.ask({ janus: 'create', token: ticket });
  if (answer.data === undefined) throw new Error(JSON.stringify(answer));
  program.session = answer.data.id;
  return program;
}

// ---- peers

const OPUS = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 });
const VP8 = new RTCRtpCodecParameters({
  mimeType: 'video/VP8',
  clockRate: 90_000,
  payloadType: 96,
  rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }, { type: 'goog-remb' }],
});
const LEVELS = new RTCRtpHeaderExtensionParameters({ uri: RTP_EXTENSION_URI.audioLevelIndication });
const peer = () =>
  createTestPeer({
    headerExtensions: { audio: [LEVELS] },
    codecs: { audio: [OPUS], video: [VP8] },
    bundlePolicy: 'max-bundle',
  });
/** A whole key frame of VP8 in one packet: descriptor, frame header, 320 by 240, then the text. */
const picture = (text: string) =>
  Buffer.concat([Buffer.from([0x10, 0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0x00]), Buffer.from(text)]);

export interface Publisher {
  program: Program;
  handle: number;
  pc: RTCPeerConnection;
  joined: Data;
  published: Data;
  offer(): Promise<Jsep>;
  /** Says it every 20 ms until stopped. */
  keepSaying(kind: 'audio' | 'video', text: string): () => void;
  /** Adds a second microphone to the next offer. Returns what keeps saying a text on it. */
  addAudio(): (text: string) => void;
  /** Sends loud packets as fast as they are counted, until stopped; after that quiet ones. */
  talk(): () => void;
  /** Hears the bits per second the other side asks to keep below (REMB). */
  onCap(listener: (bits: number) => void): void;
  close(): Promise<void>;
}

/** Joins as publisher and publishes what is named, as a stock program would. */
export async function publish(
  program: Program,
  roomNumber: number,
  kinds: readonly ('audio' | 'video')[] = ['audio', 'video'],
  body: PluginBody = { request: 'configure', audio: true, video: true },
): Promise<Publisher> {
  const handle = await program.attach();
  const joined = await program.room(handle, { request: 'join', ptype: 'publisher', room: roomNumber });
  if (joined.error_code) throw new Error(JSON.stringify(joined));
  const pc = peer();
  const tracks = new Map(kinds.map((kind) => [kind, new MediaStreamTrack({ kind })] as const));
  const transceivers = [...tracks.values()].map((track) => pc.addTransceiver(track, { direction: 'sendonly' }));
  const offer = async (): Promise<Jsep> => {
    await pc.setLocalDescription(await pc.createOffer());
    return { type: 'offer', sdp: pc.localDescription!.sdp };
  };
  const published = await program.room(handle, body, await offer());
  if (published.jsep === undefined) throw new Error(JSON.stringify(published));
  await pc.setRemoteDescription(published.jsep as never);
  await program.next('webrtcup', (told) => told.janus === 'webrtcup' && told.sender === handle);
  const timers = new Set<NodeJS.Timeout>();
  const sequence = { audio: 100, video: 200 };
  const keepSaying = (track: MediaStreamTrack, kind: 'audio' | 'video', text: string) => {
    const timer = setInterval(() => {
      const at = sequence[kind]++;
      const header = new RtpHeader({
        sequenceNumber: at & 0xffff,
        timestamp: at * (kind === 'audio' ? 960 : 3000),
        payloadType: kind === 'audio' ? 111 : 96,
        marker: true,
        ssrc: 1,
      });
      track.writeRtp(new RtpPacket(header, kind === 'audio' ? Buffer.from(text) : picture(text)));
    }, 20);
    timers.add(timer);
    return () => clearInterval(timer);
  };
  return {
    program,
    handle,
    pc,
    joined,
    published,
    offer,
    keepSaying: (kind, text) => keepSaying(tracks.get(kind)!, kind, text),
    addAudio() {
      const track = new MediaStreamTrack({ kind: 'audio' });
      pc.addTransceiver(track, { direction: 'sendonly' });
      return (text) => void keepSaying(track, 'audio', text);
    },
    talk() {
      // What comes before the extension's number is negotiated goes without it.
      const number = /a=extmap:(\d+) urn:ietf:params:rtp-hdrext:ssrc-audio-level/.exec(published.jsep!.sdp)?.[1];
      if (number === undefined) throw new Error('audio levels were not agreed upon');
      const track = tracks.get('audio')!;
      let level = 10;
      const timer = setInterval(() => {
        for (let count = 0; count < 10; count++) {
          const at = sequence.audio++;
          const extensions = [{ id: Number(number), payload: Buffer.from([0x80 | level]) }];
          track.writeRtp(
            new RtpPacket(
              new RtpHeader({
                sequenceNumber: at & 0xffff,
                timestamp: at * 960,
                payloadType: 111,
                ssrc: 1,
                extension: true,
                extensionProfile: 0xbede,
                extensions,
              }),
              Buffer.from('loud'),
            ),
          );
        }
      }, 20);
      timers.add(timer);
      return () => {
        level = 127;
      };
    },
    onCap(listener) {
      for (const { sender } of transceivers) {
        sender.onRtcp.subscribe((packet) => {
          const feedback = (
            packet as unknown as { feedback?: { bitrate?: bigint; brMantissa?: number; brExp?: number } }
          ).feedback;
          if (feedback?.bitrate !== undefined) listener(Number(feedback.bitrate));
        });
      }
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await pc.close();
    },
  };
}

export interface Subscriber {
  program: Program;
  handle: number;
  attached: Data;
  /** The first m-line of a kind. */
  midOf(kind: 'audio' | 'video'): string;
  /** How many packets came on an m-line. */
  count(mid: string): number;
  /** Texts that came on any m-line, each once. */
  texts(): Set<string>;
  forget(): void;
  answer(jsep: Jsep): Promise<Data>;
  close(): Promise<void>;
}

/** Subscribes and answers the offer. */
export async function subscribe(program: Program, roomNumber: number, streams: readonly object[]): Promise<Subscriber> {
  const handle = await program.attach();
  const attached = await program.room(handle, { request: 'join', ptype: 'subscriber', room: roomNumber, streams });
  if (attached.jsep === undefined) throw new Error(JSON.stringify(attached));
  const pc = peer();
  const counts = new Map<string, number>();
  const texts = new Set<string>();
  const bound = new Set<unknown>();
  const answer = async (jsep: Jsep) => {
    await pc.setRemoteDescription(jsep as never);
    // One track for each SSRC that an m-line had.
    for (const transceiver of pc.getTransceivers())
      for (const track of transceiver.receiver.tracks) {
        if (bound.has(track)) continue;
        bound.add(track);
        track.onReceiveRtp.subscribe(({ payload }) => {
          const mid = transceiver.mid ?? '?';
          counts.set(mid, (counts.get(mid) ?? 0) + 1);
          const text = /[a-z]+$/.exec(payload.toString('latin1'))?.[0];
          if (text) texts.add(text);
        });
      }
    await pc.setLocalDescription(await pc.createAnswer());
    return program.room(handle, { request: 'start' }, { type: 'answer', sdp: pc.localDescription!.sdp });
  };
  await answer(attached.jsep);
  await program.next('webrtcup', (told) => told.janus === 'webrtcup' && told.sender === handle);
  return {
    program,
    handle,
    attached,
    midOf: (kind) => attached.streams!.find(({ type }) => type === kind)!.mid,
    count: (mid) => counts.get(mid) ?? 0,
    texts: () => texts,
    forget() {
      counts.clear();
      texts.clear();
    },
    answer,
    close: () => pc.close(),
  };
}
