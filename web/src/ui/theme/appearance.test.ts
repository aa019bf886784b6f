/** Light or dark follows the system until somebody chooses (docs/product.md#11.2). */
import { beforeEach, expect, test, vi } from 'vitest';

/** A system whose scheme the test changes, and the appearance of a page that was opened on it. */
async function open({ dark, stored = null }: { dark: boolean; stored?: string | null }) {
  const listeners = new Set<() => void>();
  const media = { matches: dark, addEventListener: (_: string, listener: () => void) => listeners.add(listener) };
  vi.stubGlobal('matchMedia', () => media);
  if (stored !== null) localStorage.setItem('theme', stored);
  // What theme.js has done before the first paint.
  const root = document.documentElement;
  const [scheme, palette] = (stored ?? `${dark ? 'dark' : 'light'}.blueyale`).split('.');
  root.setAttribute('data-mantine-color-scheme', scheme!);
  root.setAttribute('data-palette', palette!);
  const appearance = await import('./appearance.ts');
  return {
    ...appearance,
    shown: () => root.getAttribute('data-mantine-color-scheme'),
    system(nowDark: boolean) {
      media.matches = nowDark;
      for (const listener of listeners) listener();
    },
    otherTab: (newValue: string | null) =>
      window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue })),
  };
}

beforeEach(() => {
  vi.resetModules();
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('11.2: a page follows the system while it is open, and stores nothing', async () => {
  const page = await open({ dark: true });
  expect(page.shown()).toBe('dark');
  page.system(false);
  expect(page.shown()).toBe('light');
  page.setAppearance({ radius: 'flat' });
  page.system(true);
  expect(page.shown()).toBe('dark');
  expect(localStorage.getItem('theme')).toBeNull();
});

test('11.2: after a choice the page no longer follows the system', async () => {
  const page = await open({ dark: true });
  page.setAppearance({ scheme: 'light' });
  page.system(false);
  page.system(true);
  expect([page.shown(), localStorage.getItem('theme')]).toEqual(['light', 'light.blueyale']);
});

test('11.2: an earlier choice, or one in another tab, holds; one that is undone there does not', async () => {
  const page = await open({ dark: false, stored: 'dark.redruby' });
  page.system(false);
  expect(page.shown()).toBe('dark');
  page.otherTab('light.greenmoss');
  page.system(true);
  expect(page.getAppearance()).toMatchObject({ scheme: 'light', palette: 'greenmoss' });
  page.otherTab(null);
  expect(page.getAppearance()).toMatchObject({ scheme: 'dark', palette: 'blueyale' });
});
