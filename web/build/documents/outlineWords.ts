/**
 * Writes into the app's document the words of its outline: the name of each page in the frame, its purpose if the page
 * states it, and how the help begins. `public/outline.js` picks them by language and address, so that the page shows
 * where one is before its scripts have loaded (docs/product.md#11.66), and the largest words of many pages appear with
 * the first paint.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DASHBOARD_PAGE, HELP_PAGE } from '@fieldroom/contract/pages';
import { LANGUAGES } from '@fieldroom/contract/text';
import type { Plugin } from 'vite';
import { pagesOf, ROUTES } from './preloadAhead.ts';

const LOCALES = path.resolve(import.meta.dirname, '../../src/locales');
const SCRIPT = 'src="/outline.js"';

interface ShellWords {
  menu: Record<string, string>;
  lead: Record<string, string>;
}
interface HelpWords {
  lead: string;
  groups: { title: string; questions: { q: string; a: string }[] }[];
}

/** By path: the page's name, and the words below it in the order in which `outline.js` shows them. */
type OutlineWords = Record<string, string[]>;

/** Takes the addresses of pages, and the words of one language. A page without a name in it is left out. */
export function outlineWords(pages: readonly string[], shell: ShellWords, help: HelpWords): OutlineWords {
  const [group] = help.groups;
  const [first] = group?.questions ?? [];
  if (!group || !first) throw new Error('the help has no first question');
  return Object.fromEntries(
    pages.flatMap((page): [string, string[]][] => {
      // The same way in which `crumbsOf` in the frame's menu finds it.
      const key = page.split('/').at(-1)!;
      const name = shell.menu[key];
      if (name === undefined) return [];
      if (page === HELP_PAGE) return [[page, [name, help.lead, group.title, first.q, first.a]]];
      const lead = shell.lead[key];
      return [[page, lead === undefined ? [name] : [name, lead]]];
    }),
  );
}

/** Takes the app's document and the words by language. Returns it with the words beside the address of `outline.js`. */
export function withOutlineWords(html: string, words: Record<string, OutlineWords>): string {
  if (!html.includes(SCRIPT)) throw new Error(`the document of the app has no ${SCRIPT}`);
  const json = JSON.stringify(words).replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  return html.replace(SCRIPT, () => `${SCRIPT} data-words='${json}'`);
}

/** A document that draws something else has no outline words. */
export const withoutOutlineWords = (html: string): string =>
  html.replace(/\s*<script src="\/outline\.js"[^>]*><\/script>/, '');

function readWords<Words>(language: string, name: string): Words {
  return JSON.parse(readFileSync(path.join(LOCALES, language, `${name}.json`), 'utf8')) as Words;
}

export const outlineWordsInDocument: Plugin = {
  name: 'fieldroom-outline-words',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { chunk }) {
      if (chunk?.name !== 'app') return html;
      // The dashboard shows a greeting instead of its name.
      const pages = pagesOf(readFileSync(ROUTES, 'utf8'))
        .filter(({ within, at }) => within === 'frame' && at !== DASHBOARD_PAGE)
        .map(({ at }) => at);
      return withOutlineWords(
        html,
        Object.fromEntries(
          LANGUAGES.map((code) => [code, outlineWords(pages, readWords(code, 'shell'), readWords(code, 'help'))]),
        ),
      );
    },
  },
};
