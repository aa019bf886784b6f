import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { PICTURE_UPLOAD } from '@fieldroom/contract/pictures';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutRectangle, kindOf, movedCut, PICTURE_RATIO, pictureFault, WHOLE } from './chosenPicture.ts';

const JPEG = [0xff, 0xd8, 0xff, 0xe0];
const blobOf = (start: number[], size = 64) =>
  new Blob([new Uint8Array(size).map((_, index) => start[index] ?? 0)], { type: 'image/jpeg' });

describe('a file is recognised as a picture by its bytes', () => {
  test('kinds', () => {
    const riff = [...'RIFF1234WEBP'].map((letter) => letter.charCodeAt(0));
    expect(
      [
        JPEG,
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
        riff,
        [...'GIF89a'].map((letter) => letter.charCodeAt(0)),
        [],
        [...'RIFF1234WAVE'].map((letter) => letter.charCodeAt(0)),
      ].map((bytes) => kindOf(new Uint8Array(bytes))),
    ).toEqual(['image/jpeg', 'image/png', 'image/webp', null, null, null]);
  });
  test('5 MB and one byte is too large, and a file that only claims to be a JPEG is refused', async () => {
    expect(await pictureFault(blobOf(JPEG, PICTURE_UPLOAD.maxBytes))).toBeNull();
    expect(await pictureFault(blobOf(JPEG, PICTURE_UPLOAD.maxBytes + 1))).toBe('payload_too_large');
    expect(await pictureFault(blobOf([0x3c, 0x73, 0x76, 0x67]))).toBe('image_unreadable');
  });
});

test('the crop has the shape of the picture at the top of the page', () => {
  const tokens = readFileSync(path.join(import.meta.dirname, '../../../../ui/theme/tokens.css'), 'utf8');
  const [, width, height] = /--fr-picture-ratio: (\d+) \/ (\d+);/.exec(tokens) ?? [];
  expect(Number(width) / Number(height)).toBe(PICTURE_RATIO);
});

describe('the cut', () => {
  const side = fc.integer({ min: 1, max: 8000 });
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  test('stays within the picture and keeps the frame’s shape, wherever it is moved', () => {
    fc.assert(
      fc.property(
        side,
        side,
        part,
        part,
        fc.double({ min: 1, max: 4, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (width, height, x, y, zoom, byX, byY) => {
          const cut = cutRectangle(width, height, movedCut(width, height, { x, y, zoom }, byX, byY));
          expect(cut.x).toBeGreaterThanOrEqual(-1e-6);
          expect(cut.y).toBeGreaterThanOrEqual(-1e-6);
          expect(cut.x + cut.width).toBeLessThanOrEqual(width + 1e-6);
          expect(cut.y + cut.height).toBeLessThanOrEqual(height + 1e-6);
          expect(cut.width / cut.height).toBeCloseTo(PICTURE_RATIO, 6);
        },
      ),
    );
  });
  test('takes as much as fits, from the middle', () => {
    expect(cutRectangle(1700, 1700, WHOLE)).toEqual({ x: 0, y: 550, width: 1700, height: 600 });
    expect(cutRectangle(3400, 600, WHOLE)).toEqual({ x: 850, y: 0, width: 1700, height: 600 });
  });
  test('the picture follows the hand: moving right and down shows more of left and top', () => {
    expect(cutRectangle(1700, 1700, movedCut(1700, 1700, WHOLE, 0.5, 0.1)).y).toBeCloseTo(490, 6);
    expect(cutRectangle(3400, 600, movedCut(3400, 600, WHOLE, 0.25, 0)).x).toBeCloseTo(425, 6);
  });
});
