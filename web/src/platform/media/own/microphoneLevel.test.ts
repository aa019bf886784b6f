import { describe, expect, test } from 'vitest';
import { createSpeechGate, loudness } from './microphoneLevel.ts';

describe('loudness', () => {
  test('is 0 for silence, 1 at full level, and follows the ear’s scale in between', () => {
    expect(loudness(new Float32Array(512))).toBe(0);
    expect(loudness(new Float32Array(512).fill(1))).toBe(1);
    expect(loudness(new Float32Array(512).fill(0.0316))).toBeCloseTo(0.5, 2);
    expect(loudness(new Float32Array())).toBe(0);
  });
  test('speech lasts through its gaps, and ends', () => {
    const speaks = createSpeechGate();
    expect(speaks(0.2, 0)).toBe(false);
    expect(speaks(0.7, 100)).toBe(true);
    expect(speaks(0, 700)).toBe(true);
    expect(speaks(0, 801)).toBe(false);
  });
});
