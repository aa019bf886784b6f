/** The words that the app's document has for the outline of its pages (web/build/documents/outlineWords.ts). */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { outlineWords, withOutlineWords } from '../../web/build/documents/outlineWords.ts';

const LOCALES = path.resolve(import.meta.dirname, '../../web/src/locales');
/** @param {string} language @param {string} name */
const wordsOf = (language, name) => JSON.parse(readFileSync(path.join(LOCALES, language, `${name}.json`), 'utf8'));

test('a page has its name and its purpose, and the help page its beginning', () => {
  const pages = ['/app/profile', '/app/welcome', '/app/subscription/professional-package', '/app/nameless'];
  const words = outlineWords(pages, wordsOf('de', 'shell'), wordsOf('de', 'help'));
  expect(Object.keys(words)).toEqual(pages.slice(0, 3));
  const { menu, lead: leads } = wordsOf('de', 'shell');
  expect(words['/app/profile']).toEqual([menu.profile, leads.profile]);
  expect(words['/app/subscription/professional-package']).toHaveLength(1);
  const { lead, groups } = wordsOf('de', 'help');
  const { title, questions } = groups[0];
  expect(words['/app/welcome']).toEqual([menu.welcome, lead, title, questions[0].q, questions[0].a]);
});

test('words with quotes and ampersands stay one attribute', () => {
  const html = '<script src="/outline.js"></script>';
  const written = withOutlineWords(html, { en: { '/app/a': [`Don't "ask" & tell`] } });
  const [, attribute = ''] = /data-words='([^']*)'><\/script>$/.exec(written) ?? [];
  const read = attribute.replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  expect(JSON.parse(read)).toEqual({ en: { '/app/a': [`Don't "ask" & tell`] } });
});

test('the build fails if a document lacks the script', () => {
  expect(() => withOutlineWords('<p></p>', {})).toThrow('/outline.js');
});
