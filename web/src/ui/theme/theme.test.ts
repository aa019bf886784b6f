// @vitest-environment happy-dom
import { PALETTES } from '@fieldroom/contract/colours/palettes';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { withSharedValues } from '../../start/sharedWithTheme.ts';
import written from '../../../public/theme.js?raw';
import { parseTheme } from './palettes.ts';
import { PALETTE_VALUES, paletteCss, TIMER, type Token } from './palettes.values.ts';

const script = withSharedValues(written);
const SOURCES = path.resolve(import.meta.dirname, '../..');

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
const GROUNDS: Token[] = ['bg', 'surface', 'sunken'];
const pairs = (names: Token[], grounds: Token[]) =>
  names.flatMap((name) => grounds.map((ground) => [name, ground] as const));
const TEXT = [
  ...pairs(['text', 'muted', 'accentInk'], [...GROUNDS, 'field']),
  ...pairs(['success', 'warning', 'danger'], GROUNDS),
  ...pairs(['onAccent'], ['accent', 'accentHover']),
  ...pairs(['onDanger'], ['danger']),
  ...pairs(['text', 'muted', 'accentInk'], ['accentSoft']),
  ...pairs(['text', 'success'], ['successSoft']),
  ...pairs(['text', 'warning'], ['warningSoft']),
  ...pairs(['text', 'danger'], ['dangerSoft']),
];
const PARTS = [...pairs(['accent', 'lineStrong'], GROUNDS), ...pairs(['focus'], [...GROUNDS, 'field'])];

describe.each(PALETTES.flatMap((palette) => (['light', 'dark'] as const).map((scheme) => [scheme, palette] as const)))(
  '%s.%s',
  (scheme, palette) => {
    const values = PALETTE_VALUES[palette][scheme];
    test.each(TEXT)('%s on %s can be read (4.5)', (text, ground) => {
      expect(contrast(values[text], values[ground])).toBeGreaterThanOrEqual(4.5);
    });
    test.each(PARTS)('%s on %s can be recognised (3)', (part, ground) => {
      expect(contrast(values[part], values[ground])).toBeGreaterThanOrEqual(3);
    });
    test('attributes alone select the theme', () => {
      expect(Object.keys(values)).toHaveLength(21);
      expect(parseTheme(`${scheme}.${palette}`)).toEqual({ scheme, palette });
    });
  },
);

/** Returns the token behind a variable of tokens.css, in the rule with this beginning. */
const tokenOf = (rule: string, variable: string) => {
  const css = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8');
  const block = css.split(`\n${rule} {`)[1]?.split('\n}')[0] ?? '';
  return new RegExp(`${variable}: var\\(--fr-(\\w+)\\)`).exec(block)?.[1] as Token;
};

test.each([
  ['light', ':root'],
  ['dark', ":root[data-mantine-color-scheme='dark']"],
] as const)('a skeleton is visible on a card, %s', (scheme, rule) => {
  const bone = tokenOf(rule, '--fr-bone');
  for (const palette of PALETTES) {
    const values = PALETTE_VALUES[palette][scheme];
    expect(contrast(values[bone], values.surface), palette).toBeGreaterThanOrEqual(1.15);
  }
});

test('the timer glyphs can be recognised on their discs', () => {
  expect(contrast(TIMER.running, TIMER.runningGlyph)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(TIMER.stopped, TIMER.stoppedGlyph)).toBeGreaterThanOrEqual(4.5);
});

test('the rules contain every value under its name', () => {
  const css = paletteCss();
  expect(css).toContain("data-palette='redruby'][data-mantine-color-scheme='dark']");
  expect(css).toContain(`--fr-accent-hover: ${PALETTE_VALUES.redruby.dark.accentHover};`);
  expect(css.match(/--fr-line-strong:/g)).toHaveLength(20);
});

test('11.2: an unknown theme means the default palette, light or dark like the system', () => {
  for (const text of [null, '', 'light', 'light.mauve', 'dim.blueyale', 'light.blueyale.x', '{"a":1}']) {
    expect(parseTheme(text)).toEqual({ scheme: 'light', palette: 'blueyale' });
    expect(parseTheme(text, 'dark')).toEqual({ scheme: 'dark', palette: 'blueyale' });
  }
  expect(parseTheme('light.redruby', 'dark')).toEqual({ scheme: 'light', palette: 'redruby' });
});

test.each([
  ['theme', 'light.mauve', null],
  ['theme', 'dark.redruby', 'dark.redruby'],
  ['radius', 'oval', null],
  ['radius', 'flat', 'flat'],
])('before the first paint a stored %s %s becomes %s', (key, stored, kept) => {
  localStorage.setItem(key, stored);
  runInNewContext(script, { localStorage, document, navigator });
  expect(localStorage.getItem(key)).toBe(kept);
  localStorage.clear();
});

test.each([
  [null, true, 'dark', 'blueyale'],
  [null, false, 'light', 'blueyale'],
  ['light.redruby', true, 'light', 'redruby'],
  ['dark.redruby', false, 'dark', 'redruby'],
  ['dim.redruby', true, 'dark', 'blueyale'],
])('11.2: before the first paint %s with a dark system %s is %s.%s', (stored, systemDark, scheme, palette) => {
  if (stored !== null) localStorage.setItem('theme', stored);
  const matchMedia = (query: string) => ({ matches: query === '(prefers-color-scheme: dark)' && systemDark });
  runInNewContext(script, { localStorage, document, navigator, matchMedia });
  const root = document.documentElement;
  expect([root.getAttribute('data-mantine-color-scheme'), root.getAttribute('data-palette')]).toEqual([
    scheme,
    palette,
  ]);
  localStorage.clear();
});

test.each([
  ['/app/dashboard', 't', 'frame'],
  ['/app/dashboard', null, 'account'],
  ['/app/play-area', 't', null],
  ['/app/play-area-view', 't', null],
  ['/user/login', null, 'account'],
  ['/error', 't', null],
])('before the scripts have run, %s with the token %s shows the outline %s', (pathname, token, outline) => {
  document.documentElement.removeAttribute('data-outline');
  if (token !== null) localStorage.setItem('token', token);
  runInNewContext(script, { localStorage, document, navigator, location: { pathname } });
  expect(document.documentElement.getAttribute('data-outline')).toBe(outline);
  localStorage.clear();
});

test('the files of a page and of its part are requested before the scripts have run', () => {
  const written = document.createElement('script');
  written.setAttribute('data-frame', 'frame1.js frame.css');
  written.setAttribute('data-frame-en', 'english.js');
  written.setAttribute('data-frame-de', 'german.js');
  written.setAttribute('data-page-app-history', 'history.js');
  written.setAttribute('data-page-app-history-de', 'historyGerman.js');
  written.setAttribute('data-page-app-pages-miscellaneous-search', 'search.js');
  written.setAttribute('data-account', 'account.js');
  written.setAttribute('data-page-user-login', 'login.js');
  written.setAttribute('data-page-user-imprint', 'imprint.js');
  written.setAttribute('data-room', 'room.js');
  const page = { createElement: document.createElement.bind(document), head: document.head, currentScript: written };
  const ask = (pathname: string) => {
    document.head.replaceChildren();
    const here = { ...page, documentElement: document.documentElement };
    runInNewContext(script, { localStorage, document: here, navigator, location: { pathname } });
    return [...document.head.querySelectorAll('link')].map((link) =>
      [link.rel, link.getAttribute('href'), link.getAttribute('fetchpriority')].filter(Boolean).join(' '),
    );
  };
  // The outline is painted first, if there is one.
  const late = (name: string) => `modulepreload /assets/${name}.js low`;
  const frame = [late('frame1'), 'preload /assets/frame.css low'];
  localStorage.setItem('token', 't');
  localStorage.setItem('language', 'en');
  expect(ask('/app/profile')).toEqual([...frame, late('english')]);
  expect(ask('/app/pages/miscellaneous/search')).toEqual([...frame, late('search'), late('english')]);
  expect(ask('/app/history')).toEqual([...frame, late('history'), late('english')]);
  localStorage.setItem('language', 'de');
  const german = [late('german'), late('historyGerman')];
  expect(ask('/app/history/')).toEqual([...frame, late('history'), late('english'), ...german]);
  expect(ask('/user/imprint')).toEqual([late('account'), late('imprint')]);
  expect(ask('/app/play-area')).toEqual(['modulepreload /assets/room.js']);
  expect(ask('/error')).toEqual([]);
  // Without a sign-in the person is led to the sign-in page.
  localStorage.removeItem('token');
  expect(ask('/app/history')).toEqual([late('account'), late('login')]);
  localStorage.clear();
});

test('corners have the radii of the tokens, and the flat setting removes them', () => {
  const sheets = globSync('**/*.css', { cwd: SOURCES });
  expect(sheets.length).toBeGreaterThan(50);
  const own = sheets.flatMap((file) =>
    [...readFileSync(path.join(SOURCES, file), 'utf8').matchAll(/border(?:-\w+-\w+)?-radius: ([^;]+);/g)]
      .filter(([, value]) => /\d(?:px|r?em)/.test(value ?? '') && !/^0px?$/.test(value ?? ''))
      .map(([rule]) => `${file}: ${rule}`),
  );
  expect(own).toEqual([]);
});

test('styles are modules beside their component; only tokens and defaults of elements are global', () => {
  const sheets = Object.keys(import.meta.glob(['../../**/*.css', '!../../**/*.module.css']));
  expect(sheets.sort()).toEqual(['./mantine.css', './outline.css', './tokens.css', './voice.css']);
});

test.each(['index', 'room', 'join', 'event'])('11.2 nothing of %s.html is drawn before its look is known', (name) => {
  const html = readFileSync(path.join(SOURCES, `../${name}.html`), 'utf8');
  const [first = ''] = html.match(/<script\b[^>]*>/) ?? [];
  // Classic, without async and defer: the browser waits for it.
  expect(first).toBe('<script src="/theme.js">');
  expect(html.indexOf(first)).toBeLessThan(html.indexOf('</head>'));
  expect(html).not.toMatch(/rel="stylesheet"/);
});
