/** RTP headers and their extensions as they are read and written. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rtp, SUBSCRIBED } from '../forwarding/forwarding.fixture.ts';
import { createHeaderWriter, eachExtension, headerLength, isRtcp, readRtp, readTextExtension } from './rtp.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
/** A packet with this extension block and the payload "content". */
const withBlock = (profile: string, elements: string) => {
  const body = hex(elements);
  const words = Buffer.alloc(2);
  words.writeUInt16BE(body.length / 4);
  return Buffer.concat([hex('90e4 1234 00000064 000000ff'), hex(profile), words, body, Buffer.from('content')]);
};
const elements = (packet: Buffer) => {
  const found: [number, string][] = [];
  eachExtension(packet, headerLength(packet)!, (id, start, length) =>
    found.push([id, packet.toString('hex', start, start + length)]),
  );
  return found;
};

test('header fields, contributing sources and padding are read', () => {
  const packet = Buffer.concat([
    hex('a2 e4 1234 00000064 000000ff 00000001 00000002'),
    Buffer.from('content'),
    hex('000003'),
  ]);
  expect(readRtp(packet, {})).toMatchObject({
    ssrc: 255,
    sequence: 0x1234,
    timestamp: 100,
    marker: true,
    payloadType: 100,
    payload: Buffer.from('content'),
    audioLevel: -1,
  });
});

test('one-byte and two-byte extensions are read, padding between them is skipped', () => {
  expect(elements(withBlock('bede', '10 aa 00 00 32 010203 00'))).toEqual([
    [1, 'aa'],
    [3, '010203'],
  ]);
  // 15 ends the list.
  expect(elements(withBlock('bede', '10 aa f0 00 10 bb 00 00'))).toEqual([[1, 'aa']]);
  expect(elements(withBlock('1000', '01 00 10 02 beef 00 00'))).toEqual([
    [1, ''],
    [16, 'beef'],
  ]);
  expect(elements(withBlock('1234', '10 aa 00 00'))).toEqual([]);
  // One that says it is longer than the block.
  expect(elements(withBlock('bede', '1f aa 00 00'))).toEqual([]);
});

test('audio level, video orientation and texts are found under their ids', () => {
  const packet = withBlock('bede', '10 8a 21 6869 30 02 00');
  expect(readRtp(packet, { audioLevel: 1, orientation: 3 })).toMatchObject({
    audioLevel: 0x8a,
    orientation: 2,
    payload: Buffer.from('content'),
  });
  expect(readTextExtension(packet, 2)).toBe('hi');
  expect(readTextExtension(packet, 9)).toBeNull();
  expect(readTextExtension(hex('00'), 9)).toBeNull();
});

test('truncated and non-RTP packets are refused', () => {
  const packet = withBlock('bede', '10 8a 21 6869 30 02 00');
  for (let length = 0; length < 24; length++) expect(readRtp(packet.subarray(0, length), {})).toBeNull();
  // Padding longer than the packet, or of nothing.
  expect(readRtp(hex('a0e4 1234 00000064 000000ff 05'), {})).toBeNull();
  expect(readRtp(hex('a0e4 1234 00000064 000000ff 00'), {})).toBeNull();
  expect(readRtp(hex('40e4 1234 00000064 000000ff 05'), {})).toBeNull();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const read = readRtp(Buffer.from(bytes), { audioLevel: 1, orientation: 2, mid: 3 });
      return read === null || read.payload.length <= bytes.length - 12;
    }),
    { numRuns: 2000 },
  );
});

test('reports are distinguished from packets', () => {
  expect(isRtcp(hex('80c9'))).toBe(true);
  expect(isRtcp(hex('80e4'))).toBe(false);
  expect(isRtcp(hex(''))).toBe(false);
});

test('a written header is read back: ids of the subscriber, its mid, nothing of the publisher', () => {
  fc.assert(
    fc.property(
      fc.nat(65_535),
      fc.nat(0xffff_ffff),
      fc.boolean(),
      fc.integer({ min: -1, max: 255 }),
      fc.integer({ min: -1, max: 255 }),
      fc.integer({ min: 0, max: 16 }),
      (sequence, timestamp, marker, audioLevel, orientation, midLength) => {
        const mid = 'abcdefghijklmnop'.slice(0, midLength);
        const writer = createHeaderWriter({
          ssrc: 77,
          payloadType: 111,
          mid,
          extensions: { mid: 14, audioLevel: 1, orientation: 13 },
        });
        // What was written before leaves no trace.
        writer.write(1, 1, true, 255, 255);
        writer.writeFiller(2, 2);
        const header = writer.write(sequence, timestamp, marker, audioLevel, orientation);
        const packet = Buffer.concat([header, Buffer.from('content')]);
        expect(headerLength(packet)).toBe(header.length);
        expect(readRtp(packet, { audioLevel: 1, orientation: 13 })).toEqual({
          ssrc: 77,
          payloadType: 111,
          sequence,
          timestamp,
          marker,
          audioLevel,
          orientation,
          payload: Buffer.from('content'),
        });
        expect(readTextExtension(packet, 14)).toBe(mid === '' ? null : mid);
      },
    ),
  );
});

test('extensions that were not negotiated are not written', () => {
  const header = createHeaderWriter({ ...SUBSCRIBED, extensions: {} }).write(1, 2, false, 10, 3);
  expect(header).toHaveLength(12);
  expect(header[0]).toBe(0x80);
});

test('ids and mids that do not fit are refused', () => {
  expect(() => createHeaderWriter({ ...SUBSCRIBED, extensions: { mid: 15 } })).toThrow();
  expect(() => createHeaderWriter({ ...SUBSCRIBED, mid: 'a mid of seventeen' })).toThrow();
});

test('the tests’ own packets are readable', () => {
  expect(
    readRtp(rtp({ sequence: 5, timestamp: 6, marker: true, extensions: hex('10 8a') }), { audioLevel: 1 }),
  ).toMatchObject({ sequence: 5, timestamp: 6, marker: true, audioLevel: 0x8a });
});
