/** Payload descriptors of VP8 and key frames of H.264, in generated and hostile packets. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isH264KeyFrame, readVp8, writeVp8 } from './payloads.ts';
import { vp8 } from '../forwarding/forwarding.fixture.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

test('a VP8 descriptor is read in all its lengths', () => {
  expect(readVp8(hex('10 00'))).toMatchObject({ begins: true, keyFrame: true, pictureId: -1, tl0: -1, temporal: 0 });
  expect(readVp8(hex('10 01'))).toMatchObject({ begins: true, keyFrame: false });
  expect(readVp8(hex('00 00'))).toMatchObject({ begins: false, keyFrame: false });
  // Not the first partition.
  expect(readVp8(hex('11 00'))).toMatchObject({ begins: false, keyFrame: false });
  expect(readVp8(hex('90 80 7f 00'))).toMatchObject({ pictureId: 127, longPictureId: false, keyFrame: true });
  expect(readVp8(hex('90 80 ff ff 01'))).toMatchObject({ pictureId: 0x7fff, longPictureId: true, keyFrame: false });
  expect(readVp8(hex('90 e0 80 05 09 a0 01'))).toMatchObject({ pictureId: 5, tl0: 9, temporal: 2, layerSync: true });
  // KEYIDX without a temporal layer.
  expect(readVp8(hex('90 10 c0 00'))).toMatchObject({ temporal: 0, layerSync: false, keyFrame: true });
});

test('key frames are recognised if only the first ten bytes are unencrypted', () => {
  const sealed = Buffer.concat([
    vp8({ keyFrame: true, picture: 3 }),
    Buffer.from('\u0000'.repeat(9)),
    Buffer.from('sealed'),
  ]);
  expect(readVp8(sealed)).toMatchObject({ keyFrame: true, pictureId: 3 });
});

test('truncated descriptors are refused', () => {
  const whole = hex('90 e0 80 05 09 a0');
  for (let length = 0; length < whole.length; length++) expect(readVp8(whole.subarray(0, length))).toBeNull();
  expect(readVp8(whole)).toMatchObject({ keyFrame: false });
});

test('written fields are read back, and nothing else changes', () => {
  fc.assert(
    fc.property(fc.nat(0x7fff), fc.nat(255), fc.nat(0xff_ffff), fc.nat(2), (picture, tl0, newPicture, temporal) => {
      const payload = vp8({ picture, tl0, temporal, text: 'content' });
      const before = Buffer.from(payload);
      writeVp8(payload, readVp8(payload)!, newPicture, newPicture);
      expect(readVp8(payload)).toMatchObject({ pictureId: newPicture & 0x7fff, tl0: newPicture & 0xff, temporal });
      writeVp8(payload, readVp8(payload)!, picture, tl0);
      expect(payload).toEqual(before);
    }),
  );
  const short = hex('90 80 05 01');
  writeVp8(short, readVp8(short)!, 200, 0);
  expect(short).toEqual(hex('90 80 48 01'));
});

test('key frames of H.264 are recognised alone, aggregated and in fragments', () => {
  expect(isH264KeyFrame(hex('65 88'))).toBe(true);
  expect(isH264KeyFrame(hex('67 42'))).toBe(true);
  expect(isH264KeyFrame(hex('41 9a'))).toBe(false);
  expect(isH264KeyFrame(hex('7c 85'))).toBe(true);
  // The middle of a fragmented one, and the beginning of another picture.
  expect(isH264KeyFrame(hex('7c 05'))).toBe(false);
  expect(isH264KeyFrame(hex('7c 81'))).toBe(false);
  expect(isH264KeyFrame(hex('78 0002 0910 0002 6742'))).toBe(true);
  expect(isH264KeyFrame(hex('78 0002 0910 0002 4142'))).toBe(false);
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 40 }),
      (bytes) => typeof isH264KeyFrame(Buffer.from([24, ...bytes])) === 'boolean',
    ),
  );
});
