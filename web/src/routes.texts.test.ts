/**
 * Every page names the texts of all its parts. A part that fetched its own once it appears would make React hide the
 * whole page, heading and all, until they are loaded.
 */
import { expect, test } from 'vitest';
import { PART_TEXTS } from './partTexts.ts';
import { EVERY_PAGE_TEXTS } from './platform/i18n/everyPageTexts.ts';

const SOURCES = import.meta.glob<string>(['./**/*.{ts,tsx}', '!./**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** The app loads these at its start. */
const ALWAYS: readonly string[] = EVERY_PAGE_TEXTS;

const resolve = (from: string, to: string) => `.${new URL(to, `https://source.example/${from}`).pathname}`;

/** The namespaces that a file or its imports use; parts that are loaded later wait for their own. */
function wanted(file: string, seen = new Set<string>()): Set<string> {
  const source = SOURCES[file];
  if (source === undefined || seen.has(file)) return new Set();
  seen.add(file);
  const own = [...source.matchAll(/useTranslation\(([^)]*)\)/g)].flatMap(([, list]) =>
    [...(list ?? '').matchAll(/'([^']+)'/g)].map(([, namespace]) => namespace ?? ''),
  );
  const imports = [...source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from\s+'(\.[^']+)'/gm)];
  return new Set([...own, ...imports.flatMap(([, path]) => [...wanted(resolve(file, path ?? ''), seen)])]);
}

const routes = SOURCES['./routes.tsx'] ?? '';
/** The files that the router or `drawPage` loads to draw a page. */
const STARTS = ['./routes.tsx', './start/startRoom.tsx'];
const ROOMS = ['therapist/TherapistRoomPage', 'therapist/RoomInApp', 'client/ClientRoomPage'];
const list = (text: string) => [...text.matchAll(/'([^']+)'/g)].map(([, namespace]) => namespace ?? '');
const shell: readonly string[] = PART_TEXTS.frame;
const room: readonly string[] = PART_TEXTS.room;
/** A list of texts, or the one of a part. */
const pages = [
  ...routes.matchAll(/page\(\s*\(\) => import\('([^']+)'\),\s*'(\w+)',\s*(?:\[([^\]]*)\]|PART_TEXTS\.(\w+))/g),
].map(([, file, name, texts, part]) => ({
  file: file ?? '',
  name: name ?? '',
  texts: part === undefined ? list(texts ?? '') : [...PART_TEXTS[part as keyof typeof PART_TEXTS]],
}));

test('every page is checked', () => {
  const imported = new Set(
    STARTS.flatMap((start) =>
      [...(SOURCES[start] ?? '').matchAll(/import\('([^']+)'\)/g)].map(([, file]) => resolve(start, file ?? '')),
    ),
  );
  expect(new Set([...pages.map(({ file }) => file), ...ROOMS.map((name) => `./features/room/${name}.tsx`)])).toEqual(
    imported,
  );
});

test.each(pages)('$name names its texts', ({ file, texts }) => {
  const inShell = !/\/(?:accounts|NotFoundPage|UnauthorizedPage)/.test(file);
  const fetched = [...ALWAYS, ...texts, ...(inShell ? shell : [])];
  expect([...wanted(file)].filter((namespace) => !fetched.includes(namespace))).toEqual([]);
  expect(
    texts.filter((namespace) => !wanted(file).has(namespace)),
    'fetched for nobody',
  ).toEqual([]);
});

test.each(ROOMS)('%s names its texts', (name) => {
  const missing = [...wanted(`./features/room/${name}.tsx`)].filter(
    (namespace) => ![...ALWAYS, ...room].includes(namespace),
  );
  expect(missing).toEqual([]);
});
