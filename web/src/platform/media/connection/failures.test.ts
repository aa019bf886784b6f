import { describe, expect, test } from 'vitest';
import { backoffMs, meaningOf } from './failures.ts';

const at = (more: Partial<{ tries: number; refusals: number; first: boolean }> = {}) => ({
  tries: 1,
  refusals: 0,
  first: true,
  ...more,
});

describe('what a failure means', () => {
  test('a full room ends the attempts at once, on joining and on reconnecting', () =>
    expect(meaningOf({ code: 432 }, at({ first: false }))).toEqual({ end: 'room_full', waitMs: 0 }));
  test.each(['forbidden', 'not_signed_in', 'session_expired', 'sent_out'])('no ticket means no member: %s', (code) =>
    expect(meaningOf({ code }, at({ refusals: 1, first: false })).end).toBe('not_member'),
  );
  test.each(['no_live_session', 'live_session_over'])(
    'the end of the live session is final for both sides, at once: %s',
    (code) => {
      for (const first of [true, false])
        expect(meaningOf({ code }, at({ first }))).toEqual({ end: 'live_session_over', waitMs: 0 });
    },
  );
  test('a ticket that was refused is tried again once', () => {
    expect(meaningOf({ code: 403 }, at({ refusals: 1 })).end).toBeNull();
    expect(meaningOf({ code: 403 }, at({ refusals: 2 })).end).toBe('not_member');
  });
  test('the first join ends after three tries, reconnecting never ends', () => {
    expect(meaningOf({ code: 0 }, at({ tries: 2 })).end).toBeNull();
    expect(meaningOf({ code: 0 }, at({ tries: 3 })).end).toBe('video_unavailable');
    expect(meaningOf({ code: -1 }, at({ tries: 3 })).end).toBe('no_way_through');
    expect(meaningOf({ code: 'offline' }, at({ tries: 300, first: false })).end).toBeNull();
    expect(meaningOf(new Error('?'), at({ tries: 9, first: false })).end).toBeNull();
  });
  test('a person who was away may be refused until the room has them back, and keeps trying', () => {
    const code = 'not_admitted';
    expect(meaningOf({ code }, at({ tries: 300, refusals: 300, first: false })).end).toBeNull();
    expect(meaningOf({ code }, at({ tries: 2 })).end).toBeNull();
    expect(meaningOf({ code }, at({ tries: 3 })).end).toBe('not_member');
  });
  test('the wait is as long as the server says', () =>
    expect(meaningOf({ code: 'too_many_requests', retryAfterSeconds: 4 }, at())).toEqual({ end: null, waitMs: 4_000 }));
});

test('the first try comes at once; later waits grow to six seconds, with jitter', () => {
  expect(backoffMs(0, 1)).toBe(0);
  expect([1, 2, 3, 4].map((tries) => backoffMs(tries, 1))).toEqual([400, 800, 1_600, 3_200]);
  expect(backoffMs(50, 1)).toBe(6_000);
  expect(backoffMs(2, 0)).toBe(400);
});
