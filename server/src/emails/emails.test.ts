/** The layout and the words that all emails share. */
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '@fieldroom/contract/text';
import { composeEmail, fill } from './emails.ts';
import { FRAMES } from './emails.words.ts';

describe.each(LANGUAGES)('what all emails share, in %s', (language) => {
  test('is whole', () => {
    for (const text of Object.values(FRAMES[language])) {
      expect(text.trim()).toBe(text);
      expect(text.length).toBeGreaterThan(3);
      expect(text.normalize('NFC')).toBe(text);
    }
    expect(
      Object.values(FRAMES[language])
        .join()
        .match(/\{\w+\}/g),
    ).toEqual(['{person}']);
  });

  test('says nothing of what the product is for', () =>
    expect(JSON.stringify(FRAMES[language])).not.toMatch(
      /th?erap|psych|pszich|psih|klient|client|kliens|constell|aufstell|állít|constel/i,
    ));
});

test('a value that is filled in is not filled again', () =>
  expect(fill('{host}, {until}', { host: '{until}', until: '14:35' })).toBe('{until}, 14:35'));

test('an email greets by name only if it has one, and has a button only with an address', () => {
  const words = { subject: 'Hello there', before: ['From {host}.'], button: 'Open', after: ['Good bye.'] };
  const draft = { kind: 'test.one', language: 'en', words, values: { host: 'Anna' } } as const;
  const plain = composeEmail(draft);
  expect(plain).toMatchObject({ kind: 'test.one', language: 'en', subject: 'Hello there' });
  expect(plain.text).toBe('Hello there\n\nHello,\n\nFrom Anna.\n\nGood bye.\n\nWith kind regards\nFieldroom\n');
  expect(composeEmail({ ...draft, name: '' }).text).toBe(plain.text);
  const whole = composeEmail({ ...draft, name: 'Judit {host}', url: 'https://field.example/a', more: ['More.'] });
  expect(whole.text).toContain('Dear Judit {host},');
  expect(whole.text).toContain('Open:\nhttps://field.example/a\n\nGood bye.\n\nMore.');
  expect(() => composeEmail({ ...draft, url: 'mailto:a@b.example' })).toThrow('web addresses');
});
