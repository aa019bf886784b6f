/** Properties of texts and ids that come from people and programs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { email, id, idInPath, line, normalizeEmail, optionalLine, paragraphs, revision, token } from './text.ts';

const UNSAFE = [
  '\u0000',
  '\u0007',
  '\n',
  '\r',
  '\t',
  '\u007F',
  '\u0085',
  '\u00AD',
  '\u061C',
  '\u200B',
  '\u200E',
  '\u200F',
  '\u2028',
  '\u2029',
  '\u202A',
  '\u202E',
  '\u2060',
  '\u2066',
  '\u2069',
  '\uFEFF',
  '\uFFFA',
  '\u{E0041}',
  '\uD800',
  '\uDC00',
];

test('accepted lines are trimmed, composed, singly spaced, within the limit, and unchanged by a second pass', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
      const parsed = line(60).safeParse(text);
      if (!parsed.success) return;
      const kept = parsed.data;
      expect(kept).toBe(kept.trim());
      expect(kept).toBe(kept.normalize('NFC'));
      expect(kept).not.toMatch(/\s\s/u);
      expect(kept.length).toBeGreaterThanOrEqual(1);
      expect(kept.length).toBeLessThanOrEqual(60);
      expect(line(60).parse(kept)).toBe(kept);
    }),
  );
});

test('controls, bidirectional marks, zero-width characters and lone surrogates are refused anywhere', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...UNSAFE),
      fc.constantFrom('', 'a', 'Ági ', '👩‍👧 '),
      fc.constantFrom('', 'b', ' Ő'),
      (unsafe, before, after) => {
        for (const schema of [line(60), optionalLine(60)]) {
          const parsed = schema.safeParse(before + unsafe + after);
          expect(parsed.success).toBe(false);
          expect(parsed.error?.issues[0]?.message).toBe('unsafe_characters');
        }
      },
    ),
  );
});

test('more marks on one letter than any language uses are refused: composing takes quadratic time', () => {
  const marked = (marks: number) => `a${'\u0316'.repeat(marks)}`;
  for (const schema of [line(60), optionalLine(60), paragraphs(60)]) {
    expect(schema.parse(marked(30))).toBe(marked(30));
    expect(schema.safeParse(marked(31)).error?.issues[0]?.message).toBe('unsafe_characters');
  }
});

test('paragraphs lose trailing blanks of lines, and all but one empty line in a row', () => {
  expect(paragraphs(60).parse('One \t\r\n  two  \n \n\n\n three ')).toBe('One\n  two\n\n three');
});

test('joiners that scripts and emoji need, and letters of the four languages, are accepted', () => {
  for (const text of ['árvíztűrő tükörfúrógép', 'Ștefan țară', 'Größe', '👩‍👩‍👧', 'می‌خواهم'])
    expect(line(60).parse(text)).toBe(text);
});

test('a line must not be empty, an optional line may be', () => {
  expect(line(5).safeParse('   ').error?.issues[0]?.message).toBe('required');
  expect(optionalLine(5).parse('   ')).toBe('');
  expect(line(5).safeParse('123456').error?.issues[0]?.message).toBe('too_long');
  expect(line(5).parse('e\u0301e\u0301e\u0301e\u0301e\u0301')).toBe('ééééé');
});

test('ids are positive safe integers, in paths as plain digits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 15 }), (number) => {
      expect(id.parse(number)).toBe(number);
      expect(idInPath.parse(String(number))).toBe(number);
    }),
  );
  for (const bad of [0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, '1', null])
    expect(id.safeParse(bad).success).toBe(false);
  for (const bad of ['0', '01', '-1', '1e3', '0x1', '1.0', ' 1', '', '12345678901234567', '../1', '1/2'])
    expect(idInPath.safeParse(bad).success).toBe(false);
  expect(revision.parse(0)).toBe(0);
  expect(revision.safeParse(-1).success).toBe(false);
});

test('an address contains no line breaks, so that it cannot add headers to an email', () => {
  for (const bad of [
    'a@b.example\r\nBcc: c@d.example',
    'a\n@b.example',
    'a@b',
    'Anna <a@b.example>',
    `${'a'.repeat(250)}@b.example`,
    'a@b.example,c@d.example',
  ])
    expect(email.safeParse(bad).success, bad).toBe(false);
  expect(email.parse(' a.b+c@d.example ')).toBe('a.b+c@d.example');
});

test.each([
  ['info@müller.at', 'info@xn--mller-kva.at'],
  ['Info@MÜLLER.at', 'info@xn--mller-kva.at'],
  ['info@mu\u0308ller.at', 'info@xn--mller-kva.at'],
  ['a.b@пример.рф', 'a.b@xn--e1afmkfd.xn--p1ai'],
  ['a@xn--e1afmkfd.xn--p1ai', 'a@xn--e1afmkfd.xn--p1ai'],
])('an address with a non-ASCII domain is accepted as typed: %s is %s', (typed, ascii) => {
  expect(email.parse(typed)).toBe(typed.normalize('NFC'));
  expect(normalizeEmail(typed)).toBe(ascii);
});

test.each([
  'müller@practice.example',
  'a@mü ller.at',
  'a@müller',
  'a@müller.at/x',
  'a@müller.at:25',
  'a@b@müller.at',
  'a@müller..at',
])('%s is not an address', (typed) => {
  expect(email.safeParse(typed).success).toBe(false);
});

test('every address that zod accepts is valid', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      if (z.email().safeParse(address).success) expect(email.safeParse(address).success).toBe(true);
    }),
  );
});

test('two spellings of an address are the same person', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      expect(normalizeEmail(` ${address.toUpperCase()} `)).toBe(normalizeEmail(address));
      expect(normalizeEmail(normalizeEmail(address))).toBe(normalizeEmail(address));
    }),
  );
});

test('a token is 43 characters of base64url', () => {
  expect(token.safeParse('A'.repeat(43)).success).toBe(true);
  for (const bad of ['A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'A'.repeat(42)}\n`])
    expect(token.safeParse(bad).success).toBe(false);
});
