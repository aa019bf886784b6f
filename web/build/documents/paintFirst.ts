/**
 * Orders the requests of the app's document, so that its first paint waits for nothing that it does not show
 * (docs/decisions/0026-the-first-paint-waits-for-what-it-shows.md).
 */
import type { Plugin, Rollup } from 'vite';
import { closureOf, styleSheets } from '../chunks/bundleFiles.ts';

/** The styles of what is shown before any script has run (ui/theme/outline.css). */
const SHOWN_FIRST = ['virtual:palettes.css', '/ui/theme/tokens.css', '/ui/theme/outline.css'];
const SHEET = /\s*<link rel="stylesheet"[^>]*>/g;
const SCRIPTS = '<script type="module"';
const END = '</body>';
/** Browsers give preloaded module scripts and fonts a high priority. */
const GIVES_WAY = /<script type="module"|<link rel="(?:modulepreload"|preload" as="font")/g;
const LOW = ' fetchpriority="low"';

/** The style sheets of the chunks that are shown first. Throws if one is not found: it was moved. */
const firstSheets = (chunks: readonly Rollup.OutputChunk[]): ReadonlySet<string> =>
  new Set(
    SHOWN_FIRST.flatMap((end) => {
      const sheets = chunks
        .filter(({ modules }) => Object.keys(modules).some((id) => id.replace(/\?.*$/, '').endsWith(end)))
        .flatMap(styleSheets);
      if (sheets.length === 0) throw new Error(`no style sheet of the app's document has ${end}`);
      return sheets;
    }),
  );

/**
 * Takes the app's document, and the style sheets that its first paint needs. These come first. All others are at the
 * end of the body: what comes before them is painted without them, and scripts wait for them. Scripts and fonts get a
 * lower priority than what is painted.
 */
export function paintFirst(html: string, shownFirst: ReadonlySet<string>): string {
  const sheets = (html.match(SHEET) ?? []).map((tag) => tag.trim());
  const isFirst = (tag: string) => shownFirst.has(/href="\/([^"]*)"/.exec(tag)?.[1] ?? '');
  const first = sheets.filter(isFirst);
  const later = sheets.filter((tag) => !isFirst(tag)).map((tag) => tag.replace('rel="stylesheet"', (rel) => rel + LOW));
  if (first.length === 0 || !html.includes(SCRIPTS) || !html.includes(END))
    throw new Error('the document of the app is not as expected');
  return html
    .replace(SHEET, '')
    .replace(GIVES_WAY, (beginning) => beginning + LOW)
    .replace(SCRIPTS, () => [...first, SCRIPTS].join('\n    '))
    .replace(END, () => `${later.join('')}${END}`);
}

/** For a document that is partly drawn in full: restores the priorities, except those of scripts. */
export const atOnce = (html: string): string =>
  html.replace(/<link rel="(?:stylesheet|preload)"[^>]*>/g, (tag) => tag.replace(LOW, ''));

/** After `fieldroom-fonts`, because it also orders the links of that plugin. */
export const orderForPaint: Plugin = {
  name: 'fieldroom-paint-first',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle, chunk }) =>
      bundle && chunk?.name === 'app' ? paintFirst(html, firstSheets(closureOf(bundle, chunk.fileName))) : html,
  },
};
