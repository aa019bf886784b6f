import { describe, expect, test } from 'vitest';
import { readFlags } from './debugFlags.ts';

describe('flags in the query string', () => {
  test('known names with known values', () => {
    expect(readFlags('?simulcast=true&svc=L3T3_KEY&acodec=OPUS&vcodec=vp9&dtx=1&msid=true')).toEqual({
      simulcast: true,
      svc: 'L3T3_KEY',
      audioCodec: 'opus',
      videoCodec: 'vp9',
      dtx: true,
      msid: true,
    });
    expect(readFlags('?simulcast2=true').simulcast).toBe(true);
  });
  test('anything else is ignored', () => {
    expect(readFlags('?simulcast=yes&svc=L9T9&acodec=%0d%0aa=evil&vcodec=vp8x&dtx=&msid=2&admin_key=x')).toEqual({
      simulcast: false,
      svc: null,
      audioCodec: null,
      videoCodec: null,
      dtx: false,
      msid: false,
    });
  });
});
