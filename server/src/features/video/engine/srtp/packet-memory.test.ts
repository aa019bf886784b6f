/** Memory for packets: slices never overlap, and pieces are reused only when nobody holds a slice. */
import { expect, test } from 'vitest';
import { AES_CM_128_HMAC_SHA1_80 } from './srtp.types.ts';
import { incoming, outgoing, slice } from './packet-memory.ts';
import { createSrtpReceiver, createSrtpSender } from './srtp.ts';

/** Many slices, more than any piece holds, each filled with its own number. */
function fill(slab: typeof outgoing): Buffer[] {
  return Array.from({ length: 3000 }, (_, number) => slice(slab, 100 + (number % 7)).fill(number & 0xff));
}
const whole = (slices: readonly Buffer[]) =>
  slices.every((bytes, number) => bytes.every((byte) => byte === (number & 0xff)));

test('a slice is not given to others while it may be in use', () => {
  expect(whole(fill(outgoing))).toBe(true);
  outgoing.reuse(() => false);
  expect(whole(fill(outgoing))).toBe(true);
});

test('one piece is enough for one burst, and its slices never overlap until it is reused', () => {
  outgoing.reuse(() => true);
  const slices = fill(outgoing);
  expect(new Set(slices.map(({ buffer }) => buffer)).size).toBeLessThanOrEqual(2);
  expect(
    whole(slices.slice(-500).map((bytes, at) => (bytes[0] === ((2500 + at) & 0xff) ? bytes.fill(at & 0xff) : bytes))),
  ).toBe(true);
  // Sockets that hold something: another piece.
  let asked = 0;
  outgoing.reuse(() => ++asked > 2);
  const pieces = new Set(fill(outgoing).map(({ buffer }) => buffer)).size;
  expect(pieces).toBeGreaterThanOrEqual(3);
  expect(pieces).toBeLessThanOrEqual(4);
});

test('large slices get their own piece, and slices start at a word boundary', () => {
  outgoing.reuse(() => true);
  for (const bytes of [1, 3, 9000, 5, 200_000, 8192, 8193, 7]) {
    const taken = slice(outgoing, bytes);
    expect(taken.length).toBe(bytes);
    expect(taken.byteOffset & 3).toBe(0);
  }
});

test('received packets are kept, whatever is sent', () => {
  outgoing.reuse(() => true);
  const keys = {
    profile: AES_CM_128_HMAC_SHA1_80,
    masterKey: Buffer.alloc(16, 1),
    masterSalt: Buffer.alloc(14, 2),
  } as const;
  const sender = createSrtpSender(keys);
  const receiver = createSrtpReceiver(keys);
  const header = Buffer.alloc(12);
  header[0] = 0x80;
  const opened = Array.from({ length: 2000 }, (_, number) => {
    header.writeUInt16BE(number, 2);
    return receiver.rtp(sender.rtp(header, Buffer.alloc(200 + (number % 50), number & 0xff), 0))!;
  });
  expect(
    opened.every(
      (packet, number) =>
        packet.readUInt16BE(2) === number && packet.subarray(12).every((byte) => byte === (number & 0xff)),
    ),
  ).toBe(true);
  expect(new Set(opened.map(({ buffer }) => buffer)).has(outgoing.memory.buffer)).toBe(false);
  expect(incoming.memory.buffer).not.toBe(outgoing.memory.buffer);
});
