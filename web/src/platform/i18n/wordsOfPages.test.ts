import { expect, test } from 'vitest';
import { wordsOfPages } from './wordsOfPages.ts';

const FILES = import.meta.glob<Record<string, unknown>>('../../locales/*/*.json', { eager: true, import: 'default' });

test('each text is found under its own file, also if one file contains several', async () => {
  const found = await Promise.all(
    Object.entries(wordsOfPages).map(async ([file, load]) => [file, await load()] as const),
  );
  for (const [file, words] of found) expect(words, file).toEqual(FILES[file]);
  for (const language of ['en', 'de', 'hu', 'ro'])
    for (const name of ['notices', 'search', 'shell', 'help'])
      expect(Object.keys(wordsOfPages)).toContain(`../../locales/${language}/${name}.json`);
});
