/**
 * A peer connection without a browser: ICE connectivity checks as the controlling side, the DTLS handshake, SRTP.
 * Incoming packets are counted but not decrypted: sequence numbers are readable, so counting needs no cipher. One
 * packet in 64 is decrypted to check that it is intact.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { crc32 } from 'node:zlib';
import { createSrtpReceiver, createSrtpSender } from '../../../server/src/features/video/engine/srtp/srtp.ts';
import { isRtcp } from '../../../server/src/features/video/engine/rtp/rtp.ts';
import type { SrtpReceiver, SrtpSender } from '../../../server/src/features/video/engine/srtp/srtp.types.ts';
import { readRtcp, writeNack, writeReceiverReport } from '../../../server/src/features/video/engine/rtp/rtcp.ts';
import { createWindow, type Window } from '../../../server/src/features/video/engine/rtp/sequence-numbers.ts';
import { type Certificate, createDtls, type Dtls } from '../../../server/src/features/video/engine/transport/dtls.ts';
import {
  bindingSuccess,
  integrityHolds,
  readBindingRequest,
} from '../../../server/src/features/video/engine/transport/stun.ts';

const CHECK_INTERVAL_MS = 100;
const CONSENT_MS = 2000;
const CONNECT_TIMEOUT_MS = 60_000;
const RECEIVE_BUFFER = 4 << 20;
/** One in this many packets is decrypted. */
const SAMPLE_EVERY = 64;
const MAGIC = 0x2112_a442;

/** The other side's address and ICE credentials, from its description. */
interface Remote {
  address: string;
  port: number;
  ufrag: string;
  password: string;
}

/** Packets of one SSRC since counting began. */
interface Counted {
  /** The newest packet when retransmissions were last requested. */
  requestedAt: number;
  newest: number;
  first: number;
  received: number;
  again: number;
  video: boolean;
  window: Window;
}

export interface Totals {
  /** Distinct packets. */
  received: number;
  /** Packets that were sent, by their sequence numbers. */
  expected: number;
  /** Packets that arrived more than once. */
  again: number;
  /** Packets of the decrypted sample that were not intact. */
  broken: number;
}

export interface VideoPeer {
  readonly ufrag: string;
  readonly password: string;
  readonly port: number;
  /** Our addresses. Not only loopback, because Janus offers none. */
  readonly addresses: readonly string[];
  /** Takes the other side's description. Resolves when the DTLS handshake has produced keys. */
  connect(sdp: string): Promise<void>;
  readonly sender: SrtpSender;
  send(bytes: Buffer): void;
  /** Resets all counts. */
  count(): void;
  totals(): Totals;
  /** Requests retransmission of a share of the video packets that arrived since the last call. */
  requestAgain(share: number): void;
  /** The negotiated protection profile. */
  readonly profile: number;
  close(): void;
}

function attribute(type: number, value: Buffer): Buffer {
  const bytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(value.length, 2);
  value.copy(bytes, 4);
  return bytes;
}

/** A connectivity check with nomination (RFC 8445, sections 7.2.2 and 8.1.1). */
function bindingRequest(username: string, password: string, tieBreaker: Buffer): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt16BE(1, 0);
  header.writeUInt32BE(MAGIC, 4);
  randomBytes(12).copy(header, 8);
  const body = Buffer.concat([
    header,
    attribute(0x0006, Buffer.from(username)),
    attribute(0x0024, Buffer.from([0x6e, 0, 0x1e, 0xff])),
    attribute(0x802a, tieBreaker),
    attribute(0x0025, Buffer.alloc(0)),
  ]);
  body.writeUInt16BE(body.length - 20 + 24, 2);
  const signed = Buffer.concat([body, attribute(0x0008, createHmac('sha1', password).update(body).digest())]);
  signed.writeUInt16BE(signed.length - 20 + 8, 2);
  const print = Buffer.alloc(4);
  print.writeUInt32BE((crc32(signed) ^ 0x5354_554e) >>> 0);
  return Buffer.concat([signed, attribute(0x8028, print)]);
}

function remoteOf(sdp: string): Remote {
  const value = (name: string) => new RegExp(`^a=${name}:(\\S+)`, 'm').exec(sdp)?.[1] ?? '';
  const candidates = [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ ([\d.]+) (\d+) typ host/gim)].map(
    ([, address, port]) => ({ address: address!, port: Number(port) }),
  );
  const candidate = candidates.find(({ address }) => address.startsWith('127.')) ?? candidates[0];
  if (!candidate) throw new Error(`no candidate in the description:\n${sdp}`);
  return { ...candidate, ufrag: value('ice-ufrag'), password: value('ice-pwd') };
}

const addresses = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ family }) => family === 'IPv4')
  .map(({ address }) => address);

/** Opens a peer. Takes the certificate of all peers, and a listener that gets the SSRC of requested key frames. */
export async function openPeer(
  certificate: Certificate,
  onKeyFrame: (ssrc: number) => void = () => undefined,
): Promise<VideoPeer> {
  // Addresses are always numeric; the default lookup would take a turn of the event loop for each packet.
  const lookup = (host: string, _options: unknown, done: (error: null, address: string, family: number) => void) =>
    done(null, host, 4);
  const socket: Socket = createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BUFFER, lookup: lookup as never });
  await new Promise<void>((resolve) => {
    socket.bind(0, '0.0.0.0', resolve);
  });
  socket.on('error', () => undefined);
  const ufrag = randomBytes(4).toString('hex');
  const password = randomBytes(16).toString('hex');
  const tieBreaker = randomBytes(8);
  const { port } = socket.address();
  let remote: Remote | null = null;
  let dtls: Dtls | null = null;
  let sender: SrtpSender | null = null;
  let receiver: SrtpReceiver | null = null;
  let checks: NodeJS.Timeout | undefined;
  let checked = false;
  let profile = 0;
  const streams = new Map<number, Counted>();
  let broken = 0;
  let sampled = 0;
  let keyed: () => void = () => undefined;
  let failed: (error: Error) => void = () => undefined;

  const send = (bytes: Buffer) => {
    if (remote) socket.send(bytes, remote.port, remote.address);
  };
  const check = () => send(bindingRequest(`${remote!.ufrag}:${ufrag}`, remote!.password, tieBreaker));

  function packet(data: Buffer): void {
    const ssrc = data.readUInt32BE(8);
    const number = data.readUInt16BE(2);
    let counted = streams.get(ssrc);
    if (!counted)
      streams.set(
        ssrc,
        (counted = {
          newest: number + 0x1_0000,
          first: number + 0x1_0000,
          requestedAt: number + 0x1_0000,
          received: 0,
          again: 0,
          video: (data[1]! & 0x7f) !== 111,
          window: createWindow(1024),
        }),
      );
    const whole = counted.newest + (((number - counted.newest) << 16) >> 16);
    if (counted.window.isNew(whole)) {
      counted.window.note(whole);
      counted.received++;
      counted.newest = Math.max(counted.newest, whole);
      if (++sampled % SAMPLE_EVERY === 0 && receiver!.rtp(data) === null) broken++;
    } else counted.again++;
  }

  socket.on('message', (data, from) => {
    const kind = data[0]!;
    if (kind < 4) {
      // Janus sends checks too, even with ICE lite.
      const request = readBindingRequest(data);
      if (request && integrityHolds(data, request, password))
        socket.send(bindingSuccess(request, from.address, from.port, password), from.port, from.address);
      else if (data.readUInt16BE(0) === 0x0101 && !checked) {
        checked = true;
        clearInterval(checks);
        checks = setInterval(check, CONSENT_MS);
        dtls!.begin();
      }
    } else if (kind >= 20 && kind < 64) dtls?.receive(data);
    else if (kind >= 128 && receiver) {
      if (!isRtcp(data)) return packet(data);
      const compound = receiver.rtcp(data);
      if (compound) readRtcp(compound, { keyFrame: onKeyFrame });
    }
  });

  return {
    ufrag,
    password,
    port,
    addresses,
    async connect(sdp) {
      remote = remoteOf(sdp);
      const connected = new Promise<void>((resolve, reject) => {
        keyed = resolve;
        failed = reject;
      });
      dtls = createDtls({
        role: 'client',
        certificate,
        send,
        onKeys(keys) {
          sender = createSrtpSender(keys.send);
          receiver = createSrtpReceiver(keys.receive);
          profile = keys.send.profile;
          keyed();
        },
        onFailed: () => failed(new Error('the DTLS handshake failed')),
        onClosed: () => undefined,
      });
      checks = setInterval(check, CHECK_INTERVAL_MS);
      check();
      const timeout = setTimeout(
        () =>
          failed(
            new Error(
              [
                `no connection within ${CONNECT_TIMEOUT_MS / 1000} s`,
                checked ? '(no handshake)' : '(no answer to checks)',
              ].join(' '),
            ),
          ),
        CONNECT_TIMEOUT_MS,
      );
      await connected.finally(() => clearTimeout(timeout));
    },
    get sender() {
      return sender!;
    },
    send,
    count() {
      for (const counted of streams.values()) {
        counted.first = counted.newest + 1;
        counted.received = 0;
        counted.again = 0;
      }
      broken = 0;
    },
    totals() {
      const totals: Totals = { received: 0, expected: 0, again: 0, broken };
      for (const { received, newest, first, again } of streams.values()) {
        totals.received += received;
        totals.expected += newest - first + 1;
        totals.again += again;
      }
      return totals;
    },
    requestAgain(share) {
      for (const [ssrc, counted] of streams) {
        if (!counted.video || counted.received === 0) continue;
        const count = Math.min(20, Math.floor(share * (counted.newest - counted.requestedAt) + Math.random()));
        counted.requestedAt = counted.newest;
        const numbers = Array.from(
          { length: count },
          () => (counted.newest - 3 - Math.floor(Math.random() * 40)) & 0xffff,
        ).sort((a, b) => a - b);
        if (numbers.length > 0)
          send(
            sender!.rtcp(
              Buffer.concat([
                writeReceiverReport(1, [
                  {
                    ssrc,
                    fractionLost: 0,
                    lost: 0,
                    highestSequence: counted.newest,
                    jitter: 0,
                    lastReport: 0,
                    delay: 0,
                  },
                ]),
                writeNack(1, ssrc, numbers),
              ]),
            ),
          );
      }
    },
    get profile() {
      return profile;
    },
    close() {
      clearInterval(checks);
      dtls?.close();
      socket.close();
    },
  };
}
