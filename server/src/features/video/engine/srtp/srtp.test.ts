/** SRTP by the vectors of its RFCs, against werift, and against replayed and forged packets. */
import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RtpHeader, SrtcpSession, SrtpSession } from 'werift';
import { AEAD_AES_128_GCM, AES_CM_128_HMAC_SHA1_80, type SrtpKeys, type SrtpProfile } from './srtp.types.ts';
import { writePli, writeReceiverReport } from '../rtp/rtcp.ts';
import { createWeriftEncryptor } from './srtp.fixture.ts';
import { createReceiver, createSender, createSrtpReceiver, createSrtpSender } from './srtp.ts';
import { sessionKeys, type SessionKeys } from './srtp.keys.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const PROFILES: [string, SrtpProfile][] = [
  ['AES_CM_128_HMAC_SHA1_80', AES_CM_128_HMAC_SHA1_80],
  ['AEAD_AES_128_GCM', AEAD_AES_128_GCM],
];
const someKeys = (profile: SrtpProfile): SrtpKeys => ({
  profile,
  masterKey: randomBytes(16),
  masterSalt: randomBytes(profile === AEAD_AES_128_GCM ? 12 : 14),
});
const pair = (profile: SrtpProfile) => {
  const keys = someKeys(profile);
  return { sender: createSrtpSender(keys), receiver: createSrtpReceiver(keys) };
};
function headerOf(sequence: number, ssrc = 0x1234_5678): Buffer {
  const header = Buffer.alloc(12);
  header[0] = 0x80;
  header[1] = 96;
  header.writeUInt16BE(sequence, 2);
  header.writeUInt32BE(ssrc, 8);
  return header;
}

describe('test vectors', () => {
  test('keys are derived as in RFC 3711, B.3', () => {
    const { rtp } = sessionKeys({
      profile: AES_CM_128_HMAC_SHA1_80,
      masterKey: hex('E1F97A0D3E018BE0D64FA32C06DE4139'),
      masterSalt: hex('0EC675AD498AFEEBB6960B3AABE6'),
    });
    expect(rtp.encryption.export().toString('hex')).toBe('c61e7a93744f39ee10734afe3ff7a087');
    expect(rtp.salt.toString('hex')).toBe('30cbbc08863d8c85d49db34a9ae1');
    expect(rtp.authentication.export().toString('hex')).toBe('cebe321f6ff7716b6fd4ab49af256a156d38baa4');
  });
  test('the key stream is that of RFC 3711, B.2', () => {
    const keys = {
      encryption: createSecretKey(hex('2B7E151628AED2A6ABF7158809CF4F3C')),
      authentication: createSecretKey(Buffer.alloc(20)),
      salt: hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD'),
    };
    const sealed = createSender({ profile: AES_CM_128_HMAC_SHA1_80, rtp: keys, rtcp: keys }).rtp(
      headerOf(0, 0),
      Buffer.alloc(48),
      0,
    );
    expect(sealed.subarray(12, 60).toString('hex')).toBe(
      'e03ead0935c95e80e166b16dd92b4eb4d23513162b02d0f72a43a2fe4a5f97ab41e95b3bb0a2e8dd477901e4fca894c0',
    );
  });

  /** RFC 7714, 16 and 17 start from session keys. */
  const gcm: SessionKeys = (() => {
    const keys = {
      encryption: createSecretKey(hex('000102030405060708090a0b0c0d0e0f')),
      authentication: createSecretKey(Buffer.alloc(20)),
      salt: Buffer.from('Quid pro quo\0\0'),
    };
    return { profile: AEAD_AES_128_GCM, rtp: keys, rtcp: keys };
  })();
  test('a packet is encrypted as in RFC 7714, 16.1.1', () => {
    const sealed = createSender(gcm).rtp(
      hex('8040f17b 8041f8d3 5501a0b2'),
      Buffer.from('Gallia est omnis divisa in partes tres'),
      0,
    );
    expect(sealed.toString('hex')).toBe(
      hex(
        '8040f17b 8041f8d3 5501a0b2 f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5 0d294e6f 42a5f47a 51c7d19b 36de3adf 8833 899d7f27 beb16a91 52cf765e e4390cce',
      ).toString('hex'),
    );
    expect(createReceiver(gcm).rtp(sealed)!.subarray(12).toString()).toBe('Gallia est omnis divisa in partes tres');
  });
  test('a report is decrypted as in RFC 7714, 17.1', () => {
    const plain = hex(
      '81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef deadbeef deadbeef deadbeef',
    );
    const sealed = hex(
      '81c8000d 4d617273 63e94885 dcdab67c a727d766 2f6b7e99 7ff5c0f7 6c06f32d c676a5f1 730d6fda 4ce09b46 86303ded 0bb9275b c84aa458 96cf4d2f c5abf872 45d9eade 800005d4',
    );
    expect(createReceiver(gcm).rtcp(sealed)?.toString('hex')).toBe(plain.toString('hex'));
  });
});

describe.each(PROFILES)('%s', (_, profile) => {
  test('an encrypted packet decrypts to the same, with any header, content and wrap of the numbers', () => {
    const { sender } = pair(profile);
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 1200 }),
        fc.nat(65_535),
        fc.nat(15),
        fc.nat(0xffff_ffff),
        (content, sequence, words, ssrc) => {
          const keys = someKeys(profile);
          const header = Buffer.concat([
            headerOf(sequence, ssrc),
            hex('bede'),
            Buffer.from([0, words]),
            randomBytes(words * 4),
          ]);
          header[0]! |= 0x10;
          const sealed = createSrtpSender(keys).rtp(header, Buffer.from(content), 0);
          const plain = createSrtpReceiver(keys).rtp(sealed);
          expect(plain).toEqual(Buffer.concat([header, content]));
          // Under other keys it is nothing.
          expect(createSrtpReceiver(someKeys(profile)).rtp(sealed)).toBeNull();
        },
      ),
      { numRuns: 60 },
    );
    // The same packet twice gives the same bytes: a retransmission tells nothing new.
    expect(sender.rtp(headerOf(7), hex('aa'), 3)).toEqual(sender.rtp(headerOf(7), hex('aa'), 3));
  });

  test('a packet of any length that fits a datagram is encrypted completely, as by another library', () => {
    const keys = someKeys(profile);
    const sender = createSrtpSender(keys);
    const receiver = createSrtpReceiver(keys);
    const theirs = createWeriftEncryptor(keys);
    // Large ones among small ones of the same stream, and one late.
    for (const [sequence, length] of [
      [1, 20],
      [2, 4_096],
      [3, 4_097],
      [4, 20],
      [5, 6_000],
      [6, 60_000],
      [8, 1_200],
      [7, 9_000],
    ] as const) {
      const header = headerOf(sequence, 1);
      header.writeUInt32BE(1, 4);
      const content = randomBytes(length);
      const sealed = Buffer.from(sender.rtp(header, content, 0));
      expect(sealed.equals(theirs(content, sequence)), `${length} bytes`).toBe(true);
      expect(receiver.rtp(sealed)?.equals(Buffer.concat([header, content])), `${length} bytes opened`).toBe(true);
    }
  });

  test('any flipped bit is noticed', () => {
    const { sender, receiver } = pair(profile);
    const sealed = sender.rtp(headerOf(5), randomBytes(40), 0);
    const report = sender.rtcp(Buffer.concat([writeReceiverReport(9), writePli(9, 10)]));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const broken = Buffer.from(sealed);
      broken[bit >>> 3]! ^= 1 << (bit & 7);
      expect(receiver.rtp(broken)).toBeNull();
    }
    for (let bit = 0; bit < report.length * 8; bit++) {
      const broken = Buffer.from(report);
      broken[bit >>> 3]! ^= 1 << (bit & 7);
      expect(receiver.rtcp(broken)).toBeNull();
    }
    expect(receiver.rtp(sealed)).not.toBeNull();
    expect(receiver.rtcp(report)).not.toBeNull();
  });

  test('each packet is accepted once, in any order, across the wrap of the numbers', () => {
    const { sender, receiver } = pair(profile);
    const order = Array.from({ length: 400 }, (_, n) => n);
    // Neighbours change places; the wrap is in the middle.
    for (let at = 0; at + 7 < order.length; at += 8) [order[at], order[at + 7]] = [order[at + 7]!, order[at]!];
    const packets = order.map((n) => {
      const index = 65_332 + n;
      return sender.rtp(headerOf(index & 0xffff), Buffer.from([n & 0xff]), Math.floor(index / 65_536));
    });
    for (const packet of packets) expect(receiver.rtp(packet)).not.toBeNull();
    for (const packet of packets) expect(receiver.rtp(packet)).toBeNull();
  });

  test('a forged packet has no effect: genuine ones are accepted as before', () => {
    const { sender, receiver } = pair(profile);
    expect(receiver.rtp(sender.rtp(headerOf(10), hex('01'), 0))).not.toBeNull();
    const forged = sender.rtp(headerOf(20_000), hex('01'), 0);
    forged[forged.length - 1]! ^= 1;
    expect(receiver.rtp(forged)).toBeNull();
    expect(receiver.rtp(sender.rtp(headerOf(11), hex('01'), 0))).not.toBeNull();
  });

  test('packets that are too old, too short or invalid are dropped', () => {
    const { sender, receiver } = pair(profile);
    expect(receiver.rtp(sender.rtp(headerOf(5000), hex('01'), 0))).not.toBeNull();
    expect(receiver.rtp(sender.rtp(headerOf(5000 - 1024), hex('01'), 0))).toBeNull();
    expect(receiver.rtp(sender.rtp(headerOf(5000 - 1023), hex('01'), 0))).not.toBeNull();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        (bytes) => receiver.rtp(Buffer.from(bytes)) === null && receiver.rtcp(Buffer.from(bytes)) === null,
      ),
    );
  });

  test('reports are numbered, and none is accepted twice', () => {
    const { sender, receiver } = pair(profile);
    const report = writeReceiverReport(77);
    const sealed = [sender.rtcp(report), sender.rtcp(report), sender.rtcp(report)];
    expect(new Set(sealed.map((bytes) => bytes.toString('hex'))).size).toBe(3);
    for (const bytes of sealed) expect(receiver.rtcp(bytes)).toEqual(report);
    expect(receiver.rtcp(sealed[1]!)).toBeNull();
  });

  test('one connection cannot fill the memory with streams', () => {
    const { sender, receiver } = pair(profile);
    for (let ssrc = 1; ssrc <= 64; ssrc++)
      expect(receiver.rtp(sender.rtp(headerOf(1, ssrc), hex('00'), 0))).not.toBeNull();
    expect(receiver.rtp(sender.rtp(headerOf(1, 65), hex('00'), 0))).toBeNull();
    expect(receiver.rtp(sender.rtp(headerOf(2, 64), hex('00'), 0))).not.toBeNull();
  });

  test('werift decrypts our packets and we decrypt those of werift, across the wrap', () => {
    const [ours, theirs] = [someKeys(profile), someKeys(profile)];
    const config = {
      profile,
      keys: {
        localMasterKey: theirs.masterKey,
        localMasterSalt: theirs.masterSalt,
        remoteMasterKey: ours.masterKey,
        remoteMasterSalt: ours.masterSalt,
      },
    };
    const werift = new SrtpSession(config);
    const weriftReports = new SrtcpSession(config);
    const sender = createSrtpSender(ours);
    const receiver = createSrtpReceiver(theirs);
    for (let index = 65_500; index < 65_580; index++) {
      const content = randomBytes(1 + (index % 90));
      const header = headerOf(index & 0xffff);
      expect(werift.decrypt(sender.rtp(header, content, Math.floor(index / 65_536)))).toEqual(
        Buffer.concat([header, content]),
      );
      const theirHeader = new RtpHeader({
        payloadType: 100,
        sequenceNumber: index & 0xffff,
        timestamp: index,
        ssrc: 99,
        extensions: [{ id: 1, payload: Buffer.from('0') }],
        extension: true,
        extensionProfile: 0xbede,
      });
      const plain = receiver.rtp(werift.encrypt(content, theirHeader));
      expect(plain?.subarray(plain.length - content.length)).toEqual(content);
    }
    const report = Buffer.concat([writeReceiverReport(5), writePli(5, 6)]);
    for (let number = 0; number < 3; number++) {
      expect(weriftReports.decrypt(sender.rtcp(report))).toEqual(report);
      expect(receiver.rtcp(weriftReports.encrypt(report))).toEqual(report);
    }
  });
});

test('a key of another length is refused', () => {
  expect(() => createSrtpSender({ ...someKeys(AEAD_AES_128_GCM), masterKey: Buffer.alloc(32) })).toThrow();
});
