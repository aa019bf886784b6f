/**
 * Names in the documents of app and room the files of their parts, so that a browser asks for them with the first ones
 * and not after those have run: on a weak connection that saves a round trip and the time in which nothing is fetched.
 * theme.js knows which part a page belongs to, and asks.
 */
import type { Plugin, Rollup } from 'vite';
import { PART_TEXTS } from '../src/partTexts.ts';
import { EVERY_PAGE_TEXTS } from '../src/platform/i18n/everyPageTexts.ts';
import { LANGUAGES } from '../src/platform/i18n/languages.ts';

/** Where the words of all pages but the room's are named. */
const WORDS_OF_PAGES = '/platform/i18n/wordsOfPages.ts';
type Part = keyof typeof PART_TEXTS;
/** By document, and by the name that theme.js knows: the modules with which the part begins. */
const PARTS: Record<string, Partial<Record<Part, string[]>>> = {
  app: {
    // The menus' colours are asked for before the frame is drawn.
    frame: ['/features/shell/Shell.tsx', '/features/design/menus/useMenuLook.ts', WORDS_OF_PAGES],
    account: ['/features/accounts/AccountLayout.tsx', WORDS_OF_PAGES],
  },
  room: {
    room: ['/features/room/therapist/TherapistRoomPage.tsx'],
    // With what starts it in the document of the waiting room.
    client: ['/features/room/client/ClientRoomPage.tsx', '/src/startRoom.tsx'],
  },
};

/** All chunks that run with one. */
function closureOf(bundle: Rollup.OutputBundle, file: string): Rollup.OutputChunk[] {
  const files = new Set([file]);
  // A set that grows while it is walked is walked to its end.
  for (const each of files) {
    const chunk = bundle[each];
    if (chunk?.type === 'chunk') for (const imported of chunk.imports) files.add(imported);
  }
  return [...files].map((each) => bundle[each]).filter((chunk) => chunk?.type === 'chunk');
}

const styleSheets = (chunk: Rollup.OutputChunk) => [...(chunk.viteMetadata?.importedCss ?? [])];

/** The files of a part, without those of the document itself. Throws where a part is not found: it was moved. */
function filesOf(bundle: Rollup.OutputBundle, begins: readonly string[], entry: Rollup.OutputChunk): string[] {
  const holding = begins.flatMap((module) => {
    // A module that shares its file with others may be begun by a small file of its own.
    const found = Object.values(bundle).filter(
      (file) =>
        file.type === 'chunk' && [file.facadeModuleId ?? '', ...file.moduleIds].some((id) => id.endsWith(module)),
    );
    if (found.length === 0) throw new Error(`no file contains ${module}`);
    return found.map(({ fileName }) => fileName);
  });
  const known = new Set(closureOf(bundle, entry.fileName).flatMap((chunk) => [chunk.fileName, ...styleSheets(chunk)]));
  const wanted = holding
    .flatMap((file) => closureOf(bundle, file))
    .flatMap((chunk) => [chunk.fileName, ...styleSheets(chunk)]);
  return [...new Set(wanted)].filter((file) => !known.has(file)).map((file) => file.replace(/^assets\//, ''));
}

export const preloadAhead: Plugin = {
  name: 'fieldroom-preload-ahead',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle, chunk }) {
      const parts = chunk && PARTS[chunk.name];
      if (!bundle || !parts) return html;
      const lists = (Object.entries(parts) as [Part, string[]][]).flatMap(([part, begins]) => [
        `data-${part}="${filesOf(bundle, begins, chunk).join(' ')}"`,
        ...LANGUAGES.map(({ code }) => {
          const texts = [...EVERY_PAGE_TEXTS, ...PART_TEXTS[part]].map((text) => `/locales/${code}/${text}.json`);
          return `data-${part}-${code}="${filesOf(bundle, texts, chunk).join(' ')}"`;
        }),
      ]);
      const script = 'src="/theme.js"';
      if (!html.includes(script)) throw new Error(`the document of ${chunk.name} has no ${script}`);
      return html.replace(script, `${script} ${lists.join(' ')}`);
    },
  },
};
