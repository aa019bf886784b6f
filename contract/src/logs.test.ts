/** Entries of browser logs: thresholds, what is cut out of texts, and the lines of a file. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ENTRY_LEVELS, type LogLevel, lineOf, linesOf, passes, saveLog, visible, withoutPersonal } from './logs.ts';

const entry = { date: '2026-11-24T08:00:00.000Z', level: 'Error', message: 'A call failed' } as const;

test('12.10 a threshold passes its own level and those above it; All passes everything, Off nothing', () => {
  const passing = (threshold: LogLevel) => ENTRY_LEVELS.filter((level) => passes(level, threshold));
  expect(passing('All')).toEqual(['Debug', 'Info', 'Warn', 'Error', 'Fatal']);
  expect(passing('Debug')).toEqual(passing('All'));
  expect(passing('Warn')).toEqual(['Warn', 'Error', 'Fatal']);
  expect(passing('Fatal')).toEqual(['Fatal']);
  expect(passing('Off')).toEqual([]);
});

describe('12.11 personal data is cut out', () => {
  test.each([
    ['mail to ildikó.szabó@mailbox.example failed', 'mail to [email] failed'],
    ['<anna+b@müller.at>', '<[email]>'],
    ['at /user/verify?token=abc&x=1 again', 'at /user/verify[query] again'],
    ['/user/join/x#key=QUJD', '/user/join/x[query]'],
    ['Bearer q3vLk0yT9bq3vLk0yT9bq3vLk0yT9bq3vLk0yT9b-_x', 'Bearer [token]'],
    ['0f8fad5b-d9cb-469f-a165-70867728950e', '[token]'],
    ['+36 (30) 123-45-67', '[number]'],
    ['card 4111 1111 1111 1111', 'card [number]'],
  ])('%s', (text, cut) => {
    expect(withoutPersonal(text)).toBe(cut);
  });

  test.each([
    'the problem therapist_signed_in_here with status 409',
    'TypeError',
    'TherapistRoomPage-BqX2k1_a.js:12:34567',
    '/app/event/:eventId',
    'really? yes',
  ])('and nothing else is cut: %s', (text) => {
    expect(withoutPersonal(text)).toBe(text);
  });
});

describe('12.16 a line', () => {
  const unit = fc.string({ unit: 'binary', maxLength: 200 });
  test('is one line of printable ASCII for any text, and reads back without the personal data', () => {
    fc.assert(
      fc.property(unit, fc.array(unit, { maxLength: 5 }), (message, info) => {
        const line = lineOf({ ...entry, message, info });
        expect(line).toMatch(/^[\x20-\x7E]+\n$/);
        expect(linesOf(line)).toEqual([
          { ...entry, message: withoutPersonal(message), info: info.map(withoutPersonal) },
        ]);
      }),
    );
  });

  test('contains no line break, terminal code or bidirectional override', () => {
    const line = lineOf({ ...entry, message: 'a\r\n{"level":"Fatal"}\u001B[2J\u009B31m\u202Eb\u2028c\uD800' });
    expect(line.split('\n')).toHaveLength(2);
    expect(line).toContain('a\\r\\n{\\"level\\":\\"Fatal\\"}\\u001b[2J\\u009b31m\\u202eb\\u2028c\\ud800');
  });

  test('is shown with the number of every invisible character', () => {
    expect(visible('a\u001B[2J\u202Eb\u200Bc\u2028\uD800ő')).toBe('a\\u{1b}[2J\\u{202e}b\\u{200b}c\\u{2028}\\u{d800}ő');
  });

  test('reading a file skips its broken lines', () => {
    const line = lineOf(entry);
    expect(linesOf(`${line}{"half":\n[]\n${line}`)).toHaveLength(2);
  });
});

test('12.14, 12.15 the schema is closed, and the details of the user are ignored', () => {
  const takes = (body: unknown) => z.safeParse(saveLog.body!, body).success;
  const entries = (count: number) => Array.from({ length: count }, () => entry);
  expect(
    takes({ loggerEntries: entries(100), applicationId: 'app', userDetails: { id: 1, email: 'a@b.example' } }),
  ).toBe(true);
  for (const loggerEntries of [
    [],
    entries(101),
    [{ ...entry, level: 'All' }],
    [{ ...entry, level: 'Off' }],
    [{ ...entry, level: 'error' }],
    [{ ...entry, date: 'yesterday' }],
    [{ ...entry, message: '' }],
    [{ ...entry, message: 'x'.repeat(501) }],
    [{ ...entry, info: ['x'.repeat(301)] }],
    [{ ...entry, info: Array.from({ length: 31 }, () => '') }],
    [{ ...entry, surprise: 1 }],
  ])
    expect(takes({ loggerEntries })).toBe(false);
  expect(takes({ loggerEntries: entries(1), userDetails: { id: 1, surprise: 1 } })).toBe(false);
});
