/** The email about the fourth hour: complete and neutral in every language. */
import { expect, test } from 'vitest';
import { LANGUAGES } from '@fieldroom/contract/text';
import { WORDS } from './usage.emails.words.ts';

test.each(LANGUAGES)('the email about the fourth hour is complete and neutral in %s', (language) => {
  const words = WORDS[language];
  for (const text of [words.subject, words.button, ...words.before, ...words.after]) {
    expect(text.trim()).toBe(text);
    expect(text.length).toBeGreaterThan(3);
    expect(text.normalize('NFC')).toBe(text);
  }
  expect([...words.before, ...words.after]).toHaveLength(4);
  if (language !== 'en') expect(words.subject).not.toBe(WORDS.en.subject);
  expect(words.subject).not.toMatch(/th?erap|session|sitzung|ülés|ședin|room|raum|terem|sală/i);
});
