/**
 * Names in the documents of app and room the files of their parts and pages, so that a browser requests them with the
 * first ones and not after those have run: on a weak connection that saves a round trip and idle time. theme.js knows
 * the part and page of an address, and requests them.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin, Rollup } from 'vite';
import { PART_TEXTS } from '../../src/partTexts.ts';
import { EVERY_PAGE_TEXTS } from '../../src/platform/i18n/everyPageTexts.ts';
import { LANGUAGES } from '../../src/platform/i18n/languages.ts';
import { closureOf, styleSheets } from '../chunks/bundleFiles.ts';

export const ROUTES = path.resolve(import.meta.dirname, '../../src/routes.tsx');
/** The module that lists the words of all pages except the room's. */
const WORDS_OF_PAGES = '/platform/i18n/wordsOfPages.ts';
type Part = keyof typeof PART_TEXTS;
/** By document, and by the name that theme.js uses: the modules at which the part begins. */
const PARTS: Record<string, Partial<Record<Part, string[]>>> = {
  app: {
    // The menus' colours are requested before the frame is drawn.
    frame: ['/features/shell/Shell.tsx', '/features/design/menus/useMenuLook.ts', WORDS_OF_PAGES],
    account: ['/features/accounts/frame/AccountLayout.tsx', WORDS_OF_PAGES],
  },
  room: {
    room: ['/features/room/therapist/TherapistRoomPage.tsx'],
    // Includes what starts it in the document of the waiting room.
    client: ['/features/room/client/ClientRoomPage.tsx', '/src/start/startRoom.tsx'],
  },
};

/** A part or page with a list of files in the document. */
export interface Listed {
  /** Its name in theme.js: a part, or a page as `page` and its path, with `-` for `/`. */
  name: string;
  /** The ends of the names of the modules at which it begins. */
  begins: readonly string[];
  /** Its texts; for a page only those that its part does not have. */
  texts: readonly string[];
  /** The part whose files are requested too. */
  within: Part | null;
}

const partsOf = (document: string): Listed[] =>
  (Object.entries(PARTS[document] ?? {}) as [Part, string[]][]).map(([part, begins]) => ({
    name: part,
    begins,
    texts: [...EVERY_PAGE_TEXTS, ...PART_TEXTS[part]],
    within: null,
  }));

/** A page of the app, with its path. */
interface ListedPage extends Listed {
  at: string;
}

/** By the parent of a page's route: the page's part. */
const PARENTS: Record<string, { folder: string; within: Part }> = {
  shell: { folder: '/app/', within: 'frame' },
  user: { folder: '/user/', within: 'account' },
};

const PARENT = /^ {2}getParentRoute: \(\) => (\w+),$/m;
/** A string literal, or the name of one. */
const PATH = /^ {2}path: (?:'([^']*)'|(\w+)),$/m;
const PAGE = /\.\.\.page\(\s*\(\) => import\('\.([^']+)'\),\s*'\w+',\s*(?:\[([^\]]*)\]|PART_TEXTS\.account\b)/;

/** Takes the text of `routes.tsx`. Returns the pages in the frame, and the pages of sign-in and registration. */
export const pagesOf = (routes: string): ListedPage[] =>
  routes.split('createRoute({').flatMap((route): ListedPage[] => {
    // Routes that only redirect.
    if (!route.includes('...page(')) return [];
    const [, parent] = PARENT.exec(route) ?? [];
    if (parent === undefined) throw new Error(`where this page is cannot be read: ${route}`);
    const place = PARENTS[parent];
    // Pages with other parents.
    if (!place) return [];
    const [, text, constant] = PATH.exec(route) ?? [];
    const at = text ?? new RegExp(`^(?:export )?const ${constant} = '([^']*)';$`, 'm').exec(routes)?.[1];
    if (at === undefined) throw new Error(`the path of this page cannot be read: ${route}`);
    const [, module, texts = ''] = PAGE.exec(route) ?? [];
    if (module === undefined) throw new Error(`what the page ${place.folder}${at} needs cannot be read`);
    return [
      {
        name: `page${place.folder}${at}`.replaceAll('/', '-'),
        begins: [module],
        texts: [...texts.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
        within: place.within,
        at: `${place.folder}${at}`,
      },
    ];
  });

/** Scripts and styles of chunks. */
const filesOf = (chunks: readonly Rollup.OutputChunk[]): string[] =>
  chunks.flatMap((chunk) => [chunk.fileName, ...styleSheets(chunk)]);

/** The files of modules with everything that runs with them. Throws if a module is not found: it was moved. */
function filesWith(bundle: Rollup.OutputBundle, modules: readonly string[]): string[] {
  const holding = modules.flatMap((module) => {
    // A module that shares its file with others may have a small entry file.
    const found = Object.values(bundle).filter(
      (file) =>
        file.type === 'chunk' && [file.facadeModuleId ?? '', ...file.moduleIds].some((id) => id.endsWith(module)),
    );
    if (found.length === 0) throw new Error(`no file contains ${module}`);
    return found.map(({ fileName }) => fileName);
  });
  return [...new Set(holding.flatMap((file) => filesOf(closureOf(bundle, file))))];
}

/**
 * Attributes with the files of each part and page, and of its texts by language, without those of the document's own
 * entry. A page's lists leave out what its part's have.
 */
export function listsOf(bundle: Rollup.OutputBundle, entry: string, listed: readonly Listed[]): string {
  const there = filesOf(closureOf(bundle, entry));
  const lists = new Map<string, string[]>();
  const add = (name: string, modules: readonly string[], asked: readonly string[]) => {
    const known = new Set([...there, ...asked.flatMap((other) => lists.get(other) ?? [])]);
    lists.set(
      name,
      filesWith(bundle, modules).filter((file) => !known.has(file)),
    );
  };
  for (const { name, begins, texts, within } of listed) {
    add(name, begins, within === null ? [] : [within]);
    for (const { code } of LANGUAGES)
      add(
        `${name}-${code}`,
        texts.map((text) => `/locales/${code}/${text}.json`),
        within === null ? [] : [within, `${within}-${code}`],
      );
  }
  return [...lists]
    .filter(([, files]) => files.length > 0)
    .map(([name, files]) => `data-${name}="${files.map((file) => file.replace(/^assets\//, '')).join(' ')}"`)
    .join(' ');
}

export const preloadAhead: Plugin = {
  name: 'fieldroom-preload-ahead',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle, chunk }) {
      const parts = chunk ? partsOf(chunk.name) : [];
      if (!bundle || !chunk || parts.length === 0) return html;
      const pages = chunk.name === 'app' ? pagesOf(readFileSync(ROUTES, 'utf8')) : [];
      const script = 'src="/theme.js"';
      if (!html.includes(script)) throw new Error(`the document of ${chunk.name} has no ${script}`);
      return html.replace(script, () => `${script} ${listsOf(bundle, chunk.fileName, [...parts, ...pages])}`);
    },
  },
};
