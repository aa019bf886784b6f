/** The words of emails about bookings: complete and neutral in every language. */
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '@fieldroom/contract/text';
import { COMMON, EMAILS, WORDS } from './bookings.emails.words.ts';

const braces = (texts: readonly string[]) =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))].toSorted();

describe.each(LANGUAGES)('emails in %s', (language) => {
  test.each(EMAILS)('%s is complete', (email) => {
    const words = WORDS[language][email];
    const all = [words.subject, words.button, ...words.before, ...words.after];
    for (const text of all) {
      expect(text.trim()).toBe(text);
      expect(text.length).toBeGreaterThan(3);
      expect(text.normalize('NFC')).toBe(text);
    }
    expect(words.before.length).toBe(WORDS.en[email].before.length);
    expect(words.after.length).toBe(WORDS.en[email].after.length);
    if (language !== 'en') expect(words.subject).not.toBe(WORDS.en[email].subject);
    for (const name of braces(all)) expect(['host', 'until', 'zone']).toContain(name);
    if (email === 'held') expect(braces(all)).toEqual(['host', 'until', 'zone']);
  });

  test('subjects are one neutral line with nothing to fill in', () => {
    for (const email of EMAILS) expect(WORDS[language][email].subject).toMatch(/^[^{}<>\r\n]{5,60}$/u);
  });

  test('the common words are complete', () => {
    for (const [name, text] of Object.entries(COMMON[language])) {
      expect(text.trim(), name).toBe(text);
      expect(text.length, name).toBeGreaterThan(1);
      expect(text.normalize('NFC'), name).toBe(text);
    }
    expect(braces(Object.values(COMMON[language]))).toEqual(['all', 'each', 'until', 'zone']);
    // Facts are distinguished by their labels.
    const { event, days, time, place, places, price, host, person } = COMMON[language];
    expect(new Set([event, days, time, place, places, price, host, person]).size).toBe(8);
  });

  test('do not reveal what the product is for', () => {
    const texts = [
      ...Object.values(WORDS[language]).flatMap(({ subject, before, button, after }) => [
        subject,
        ...before,
        button,
        ...after,
      ]),
      ...Object.values(COMMON[language]),
    ];
    expect(texts.join('\n')).not.toMatch(
      /th?erap|psych|pszich|psih|klient|client|kliens|constell|aufstell|állítás|constel/i,
    );
  });
});
