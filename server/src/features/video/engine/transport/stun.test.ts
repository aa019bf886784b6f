/** Rules 20 to 23 of the engine's README, on bytes. */
import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { check } from './stun.fixture.ts';
import { addressBytes, bindingSuccess, integrityHolds, isStun, readBindingRequest, roleConflict } from './stun.ts';

describe('a connectivity check', () => {
  test('20: is read, and valid only with the right password', () => {
    const data = check();
    const request = readBindingRequest(data)!;
    expect(request).toMatchObject({ username: 'ours:theirs', useCandidate: true, controlled: false });
    expect(integrityHolds(data, request, 'secret')).toBe(true);
    expect(integrityHolds(data, request, 'secreT')).toBe(false);
    data[25]! ^= 1;
    expect(integrityHolds(data, request, 'secret')).toBe(false);
  });

  test('20: ignores attributes after the integrity', () => {
    const nominating = Buffer.from([0x00, 0x25, 0x00, 0x00]);
    expect(readBindingRequest(check({ use: false, after: nominating }))).toMatchObject({ useCandidate: false });
  });

  test('21: is refused if damaged, foreign or truncated', () => {
    const good = check();
    expect(readBindingRequest(good.subarray(0, good.length - 1))).toBeNull();
    expect(readBindingRequest(Buffer.concat([good, Buffer.alloc(4)]))).toBeNull();
    expect(readBindingRequest(Buffer.from('hello'))).toBeNull();
    const long = Buffer.from(good);
    long.writeUInt16BE(0xffff, 22);
    expect(readBindingRequest(long)).toBeNull();
    const success = Buffer.from(good);
    success.writeUInt16BE(0x0101, 0);
    expect(readBindingRequest(success)).toBeNull();
    const unsigned = Buffer.from(good.subarray(0, good.length - 24));
    unsigned.writeUInt16BE(unsigned.length - 20, 2);
    expect(readBindingRequest(unsigned)).toBeNull();
    for (let length = 0; length < good.length; length++)
      expect(readBindingRequest(good.subarray(0, length))).toBeNull();
  });

  test.each([
    ['192.0.2.1', 4],
    ['2001:db8::7', 16],
    ['::ffff:192.0.2.1', 16],
  ])('22: has an answer with %s, signed and with its checksum', (address, bytes) => {
    const data = check();
    const answer = bindingSuccess(readBindingRequest(data)!, address, 50_000, 'secret');
    expect(isStun(answer)).toBe(true);
    expect(answer.readUInt16BE(0)).toBe(0x0101);
    expect(answer.subarray(8, 20)).toEqual(data.subarray(8, 20));
    expect(answer.readUInt16BE(2)).toBe(answer.length - 20);
    expect(answer.readUInt16BE(20)).toBe(0x0020);
    expect(answer.readUInt16BE(26) ^ 0x2112).toBe(50_000);
    const mask = Buffer.concat([Buffer.from([0x21, 0x12, 0xa4, 0x42]), data.subarray(8, 20)]);
    expect([...answer.subarray(28, 28 + bytes)].map((byte, i) => byte ^ mask[i]!)).toEqual(addressBytes(address));
    const signedTo = answer.length - 8 - 24;
    const covered = Buffer.from(answer.subarray(0, signedTo));
    covered.writeUInt16BE(signedTo + 24 - 20, 2);
    expect(answer.subarray(signedTo + 4, signedTo + 24)).toEqual(createHmac('sha1', 'secret').update(covered).digest());
    expect(answer.readUInt32BE(answer.length - 4)).toBe(
      (crc32(answer.subarray(0, answer.length - 8)) ^ 0x5354554e) >>> 0,
    );
  });

  test('23: reports the conflict to a peer that believes itself controlled', () => {
    const data = check({ controlled: true });
    const request = readBindingRequest(data)!;
    expect(request.controlled).toBe(true);
    const answer = roleConflict(request, 'secret');
    expect(answer.readUInt16BE(0)).toBe(0x0111);
    expect([...answer.subarray(24, 28)]).toEqual([0, 0, 4, 87]);
  });

  test('text addresses become bytes', () => {
    expect(addressBytes('2001:db8::7')).toEqual([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
    expect(addressBytes('::1')).toEqual([...Array<number>(15).fill(0), 1]);
    expect(addressBytes('fe80::1%eth0').length).toBe(16);
  });
});
