/** The words of emails about the profile: complete and neutral in every language. */
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '@fieldroom/contract/text';
import { CLOSED, EMAILS, WORDS } from './profile.emails.words.ts';

describe.each(LANGUAGES)('emails in %s', (language) => {
  test.each(EMAILS)('%s is complete', (email) => {
    const words = WORDS[language][email];
    for (const text of [words.subject, words.button, ...words.before, ...words.after]) {
      expect(text.trim()).toBe(text);
      expect(text.length).toBeGreaterThan(3);
      expect(text.normalize('NFC')).toBe(text);
    }
    expect(words.before.length).toBe(WORDS.en[email].before.length);
    expect(words.after.length).toBe(WORDS.en[email].after.length);
    const braces = (text: object) => (JSON.stringify(text).match(/\{\w+\}/g) ?? []).toSorted();
    expect(braces(words)).toEqual(braces(WORDS.en[email]));
    // The subject shows whether an email was left in English.
    if (language !== 'en') expect(words.subject).not.toBe(WORDS.en[email].subject);
  });

  test('do not reveal what the product is for', () => {
    expect(JSON.stringify([WORDS[language], CLOSED[language]])).not.toMatch(
      /th?erap|psych|pszich|psih|klient|client|kliens|constell|aufstell|állít|constel/i,
    );
  });
});
