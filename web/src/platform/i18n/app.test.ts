// @vitest-environment happy-dom
import i18next from 'i18next';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadWords, startWords, switchLanguage } from './app.ts';

/** The files that the connection delivers; all others are lost. */
const carried = vi.hoisted(() => new Map<string, Record<string, unknown>>());
vi.mock('./wordsOfPages.ts', () => ({
  wordsOfPages: Object.fromEntries(
    ['en/help', 'en/events', 'de/events'].map((file) => [
      `../../locales/${file}.json`,
      async () => {
        const words = carried.get(file);
        if (!words) throw new TypeError('Failed to fetch dynamically imported module');
        return words;
      },
    ]),
  ),
}));

beforeAll(() => startWords());

test('11.36 words that did not arrive are fetched again when they are needed again', async () => {
  await expect(loadWords(['help'])).rejects.toThrow('dynamically imported module');
  carried.set('en/help', { title: 'Help' });
  await loadWords(['help']);
  expect(i18next.t('help:title' as never)).toBe('Help');
});

test('if only English arrived, it is shown instead, and the language arrives the next time', async () => {
  await switchLanguage('de');
  carried.set('en/events', { title: 'Events' });
  await loadWords(['events']);
  expect(i18next.t('events:title' as never)).toBe('Events');
  carried.set('de/events', { title: 'Termine' });
  await loadWords(['events']);
  expect(i18next.t('events:title' as never)).toBe('Termine');
});
