// @vitest-environment node
import { describe, expect, test } from 'vitest';
import {
  createFrameDecryptor,
  createFrameEncryptor,
  type Frame,
  frameKey,
  type Kind,
  clearBytes,
} from './frameCipher.ts';

const KEY = new Uint8Array(16).fill(7);
const GENERATION = 300;
const hex = (part: Uint8Array) => Array.from(part, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytes = (length: number, first: number): Frame =>
  Uint8Array.from({ length }, (_, index) => (index === 0 ? first : index & 0xff));
const VP8_KEY = bytes(200, 0x10);
const VP8_INTER = bytes(90, 0x11);
const OPUS = bytes(60, 0x78);

async function pair(
  kind: Kind,
  { from = 8, expected = 8 as number | null, known = GENERATION & 0xff, openKey = KEY } = {},
) {
  const sealKey = await frameKey(KEY);
  const other = await frameKey(openKey);
  return {
    seal: createFrameEncryptor(kind, from, () => ({ generation: GENERATION, key: sealKey })),
    open: createFrameDecryptor(
      kind,
      () => expected,
      (short) => (short === known ? other : null),
    ),
  };
}
const sealed = async (seal: (frame: Frame) => Promise<Frame | null>, frame: Frame) => (await seal(frame))!;

describe('an encrypted frame', () => {
  test.each<[string, Kind, Frame, number]>([
    ['key frame', 'video', VP8_KEY, 10],
    ['other video', 'video', VP8_INTER, 3],
    ['audio', 'audio', OPUS, 1],
  ])('%s: has a readable header, encrypts the rest and is restored by decryption', async (_, kind, frame, head) => {
    const { seal, open } = await pair(kind);
    const out = await sealed(seal, frame);
    expect(clearBytes(kind, frame)).toBe(head);
    expect(out.subarray(0, head)).toEqual(frame.subarray(0, head));
    expect(out.length).toBe(frame.length + 16 + 12 + 1);
    expect(hex(out).includes(hex(frame.subarray(head, head + 20)))).toBe(false);
    expect(out.at(-1)).toBe(GENERATION & 0xff);
    expect(await open(out)).toEqual(frame);
  });
  test('may be as short as its header; anything shorter is rejected', async () => {
    const { seal, open } = await pair('video');
    const tiny = bytes(3, 0x11);
    expect(await open(await sealed(seal, tiny))).toEqual(tiny);
    expect(await seal(bytes(2, 0x11))).toBeNull();
  });
  test('no IV repeats, within a stream or between two', async () => {
    const { seal } = await pair('audio');
    const { seal: second } = await pair('audio');
    const ivs = await Promise.all([
      ...Array.from({ length: 50 }, () => seal(OPUS)),
      ...Array.from({ length: 50 }, () => second(OPUS)),
    ]);
    expect(new Set(ivs.map((frame) => hex(frame!.subarray(-13, -1)))).size).toBe(100);
  });
  test('without a key nothing is sent', async () =>
    expect(await createFrameEncryptor('audio', 8, () => null)(OPUS)).toBeNull());
});

describe('what is not decrypted', () => {
  test('a frame with another key, or with a missing key', async () => {
    const { seal, open } = await pair('video', { openKey: new Uint8Array(16).fill(8) });
    expect(await open(await sealed(seal, VP8_KEY))).toBeNull();
    const { open: lacking } = await pair('video', { known: 4 });
    expect(await lacking(await sealed(seal, VP8_KEY))).toBeNull();
  });
  test('somebody else’s frame, or one with no person expected', async () => {
    const { seal, open } = await pair('audio', { expected: 9 });
    expect(await open(await sealed(seal, OPUS))).toBeNull();
    const { open: nobody } = await pair('audio', { expected: null });
    expect(await nobody(await sealed(seal, OPUS))).toBeNull();
  });
  test('a frame of the other kind', async () => {
    const { seal } = await pair('audio');
    const { open } = await pair('video');
    expect(await open(await sealed(seal, OPUS))).toBeNull();
  });
  test.each([0, 5, 30, 199, 210, 220])('a frame changed at byte %i', async (at) => {
    const { seal, open } = await pair('video');
    const out = await sealed(seal, VP8_KEY);
    out[at]! ^= 0x40;
    expect(await open(out)).toBeNull();
  });
  test('unencrypted and truncated frames', async () => {
    const { open } = await pair('video', { known: VP8_KEY.at(-1)! });
    expect(await open(VP8_KEY)).toBeNull();
    expect(await open(bytes(12, 0x10))).toBeNull();
    expect(await open(new Uint8Array())).toBeNull();
  });
});
