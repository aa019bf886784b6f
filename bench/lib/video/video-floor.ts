/** The minimum cost of a packet to one subscriber: only cipher and system call, in our SRTP and in werift's. */
import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import {
  AEAD_AES_128_GCM,
  AES_CM_128_HMAC_SHA1_80,
} from '../../../server/src/features/video/engine/srtp/srtp.types.ts';
import { createSrtpSender } from '../../../server/src/features/video/engine/srtp/srtp.ts';
import { createWeriftEncryptor } from '../../../server/src/features/video/engine/srtp/srtp.fixture.ts';
import { median } from '../numbers.ts';

const PACKETS = 6000;
const ROUNDS = 5;

/** CPU time of a call in µs, the median of several rounds. */
function micros(work: (index: number) => void): number {
  for (let index = 0; index < PACKETS; index++) work(index);
  return median(
    Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage();
      for (let index = 0; index < PACKETS; index++) work(index);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / PACKETS;
    }),
  );
}

export interface Floor {
  bytes: number;
  werift: number;
  counter: number;
  gcm: number;
  cipher: number;
  send: number;
  /** `send` on a connected socket. */
  connected: number;
}

/** Measures packets of 1,000 and 120 bytes. All times are in µs of CPU. */
export async function cipherFloor(): Promise<Floor[]> {
  const socket = createSocket({
    type: 'udp4',
    lookup: ((host: string, _options: unknown, done: (error: null, address: string, family: number) => void) =>
      done(null, host, 4)) as never,
  });
  // A bound socket that nothing reads: this counts neither ICMP errors nor waking a receiver.
  const sink = createSocket('udp4');
  await new Promise<void>((resolve) => {
    sink.bind(0, '127.0.0.1', resolve);
  });
  const { port } = sink.address();
  const connected = createSocket('udp4');
  await new Promise<void>((resolve) => {
    connected.connect(port, '127.0.0.1', () => resolve());
  });
  const floors = [1000, 120].map((bytes): Floor => {
    const payload = randomBytes(bytes);
    const masterKey = randomBytes(16);
    const header = Buffer.alloc(12);
    header[0] = 0x80;
    const ours = (profile: typeof AEAD_AES_128_GCM | typeof AES_CM_128_HMAC_SHA1_80) => {
      const sender = createSrtpSender({
        profile,
        masterKey,
        masterSalt: randomBytes(profile === AEAD_AES_128_GCM ? 12 : 14),
      });
      // Sequence numbers continue, as in a stream.
      let number = 0;
      return micros(() => {
        header.writeUInt16BE(number & 0xffff, 2);
        sender.rtp(header, payload, number >>> 16);
        number++;
      });
    };
    const encrypt = createWeriftEncryptor({ profile: AEAD_AES_128_GCM, masterKey, masterSalt: randomBytes(12) });
    const key = createSecretKey(masterKey);
    const vector = Buffer.alloc(12);
    const packet = randomBytes(bytes + 28);
    return {
      bytes,
      werift: micros((index) => encrypt(payload, index)),
      counter: ours(AES_CM_128_HMAC_SHA1_80),
      gcm: ours(AEAD_AES_128_GCM),
      cipher: micros((index) => {
        vector.writeUInt32BE(index);
        const cipher = createCipheriv('aes-128-gcm', key, vector);
        cipher.setAAD(header);
        cipher.update(payload);
        cipher.final();
        cipher.getAuthTag();
      }),
      send: micros(() => socket.send(packet, port, '127.0.0.1')),
      connected: micros(() => connected.send(packet)),
    };
  });
  for (const one of [socket, connected, sink]) one.close();
  return floors;
}
