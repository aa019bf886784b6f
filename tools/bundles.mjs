/**
 * Checks that the script a page loads before it works is within its budget, in bytes after brotli and in files: a
 * browser asks for six at a time. For a page over its budget, lists what has grown since the recorded sizes. `node
 * tools/bundles.mjs --keep` records the current sizes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { bootstrap, root } from './bootstrap.mjs';
import { buildIfChanged } from './build.mjs';

/**
 * @typedef {{ file: string, begins: string | null, imports: string[], modules: Record<string, number> }} Chunk
 * @typedef {Record<string, number>} Parts bytes before minification by package or folder
 */

const dist = path.join(root, 'web/dist');
const keptFile = path.join(root, 'tools/bundles.json');

/** By page: the maximum in bytes and in files, and the modules that it loads before any act. */
const BUDGETS = [
  {
    page: 'join',
    maxBytes: 100_000,
    maxFiles: 12,
    loads: ['web/join.html', 'web/src/features/join/rendering/hydrateJoinPage.tsx'],
  },
  {
    page: 'public event',
    maxBytes: 120_000,
    maxFiles: 16,
    loads: ['web/event.html', 'web/src/features/bookings/rendering/hydrate.tsx'],
  },
  {
    page: 'play area',
    maxBytes: 170_000,
    maxFiles: 14,
    loads: ['web/room.html', 'web/src/features/room/therapist/TherapistRoomPage.tsx'],
  },
  // Without words, which have their own files by language.
  {
    page: 'sign-in',
    maxBytes: 180_000,
    maxFiles: 19,
    loads: ['web/index.html', 'web/src/features/accounts/signIn/SignInPage.tsx'],
  },
  {
    page: 'frame of signed-in pages',
    maxBytes: 180_000,
    maxFiles: 14,
    loads: ['web/index.html', 'web/src/features/shell/Shell.tsx'],
  },
  {
    page: 'dashboard',
    maxBytes: 190_500,
    maxFiles: 18,
    loads: ['web/index.html', 'web/src/features/shell/Shell.tsx', 'web/src/features/dashboard/DashboardPage.tsx'],
  },
  {
    page: 'my events',
    maxBytes: 202_000,
    maxFiles: 25,
    loads: ['web/index.html', 'web/src/features/shell/Shell.tsx', 'web/src/features/events/list/MyEventsPage.tsx'],
  },
];

/**
 * Returns the chunks that modules need, each once.
 * @param {readonly Chunk[]} chunks of the whole build
 * @param {readonly string[]} loads entry modules of chunks
 * @returns {Chunk[]}
 */
export function chunksOf(chunks, loads) {
  /** @type {Set<Chunk>} */
  const needed = new Set();
  /** @param {Chunk | undefined} chunk @param {string} name */
  const need = (chunk, name) => {
    if (!chunk) throw new Error(`The build has no chunk for ${name}.`);
    if (needed.has(chunk)) return;
    needed.add(chunk);
    for (const file of chunk.imports)
      need(
        chunks.find((other) => other.file === file),
        file,
      );
  };
  for (const module of loads)
    need(
      chunks.find(({ begins }) => begins === module),
      module,
    );
  return [...needed];
}

/**
 * Returns the bytes of packages and of our folders in chunks.
 * @param {readonly Chunk[]} chunks
 * @returns {Parts}
 */
export function partsOf(chunks) {
  /** @type {Parts} */
  const parts = {};
  for (const { modules } of chunks)
    for (const [module, bytes] of Object.entries(modules)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? path.dirname(module);
      if (bytes > 0) parts[name] = (parts[name] ?? 0) + bytes;
    }
  return Object.fromEntries(Object.entries(parts).toSorted(([a], [b]) => a.localeCompare(b)));
}

/**
 * Describes what has grown, largest first.
 * @param {Parts} before
 * @param {Parts} now
 * @returns {string[]} one line each
 */
export function growth(before, now) {
  return Object.entries(now)
    .map(([name, bytes]) => ({ name, bytes, more: bytes - (before[name] ?? 0) }))
    .filter(({ more }) => more > 0)
    .toSorted((a, b) => b.more - a.more)
    .map(({ name, bytes, more }) => `  +${more} to ${bytes} bytes before minification: ${name}`);
}

async function check() {
  await buildIfChanged();
  /** @type {Chunk[]} */
  const chunks = JSON.parse(await readFile(path.join(dist, '.chunks.json'), 'utf8'));
  const sizes = await Promise.all(
    BUDGETS.map(async ({ page, maxBytes, maxFiles, loads }) => {
      const needed = chunksOf(chunks, loads);
      const bytes = await Promise.all(
        needed.map(async ({ file }) => (await promisify(brotliCompress)(await readFile(path.join(dist, file)))).length),
      );
      const total = bytes.reduce((a, b) => a + b, 0);
      return { page, maxBytes, maxFiles, bytes: total, files: needed.length, parts: partsOf(needed) };
    }),
  );
  for (const { page, maxBytes, maxFiles, bytes, files } of sizes) {
    const most = `maximum ${kilobytes(maxBytes)} and ${maxFiles}`;
    console.log(`${page}: ${kilobytes(bytes)} of script after brotli in ${files} files, ${most}`);
  }
  if (process.argv.includes('--keep')) {
    const kept = Object.fromEntries(sizes.map(({ page, bytes, parts }) => [page, { bytes, parts }]));
    await writeFile(keptFile, `${JSON.stringify(kept, null, 2)}\n`);
    return;
  }
  /** @type {Record<string, { bytes: number, parts: Parts }>} */
  const kept = JSON.parse(await readFile(keptFile, 'utf8'));
  for (const { page, maxFiles, files } of sizes.filter((size) => size.files > size.maxFiles)) {
    console.log(`\n${page} has ${files - maxFiles} files more than it may (docs/decisions/0019).`);
    process.exitCode = 1;
  }
  for (const { page, maxBytes, bytes, parts } of sizes.filter((size) => size.bytes > size.maxBytes)) {
    const before = kept[page];
    console.log(`\n${page} is ${bytes - maxBytes} bytes over its budget; it had ${kilobytes(before?.bytes ?? 0)}.`);
    for (const line of growth(before?.parts ?? {}, parts).slice(0, 12)) console.log(line);
    process.exitCode = 1;
  }
}

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

if (import.meta.filename === process.argv[1]) {
  await bootstrap(import.meta.url);
  await check();
}
