/**
 * Builds the server into `server/dist`: the program and its threads, with the packages that they need. Node then looks
 * for and reads 50 files instead of 1,100, which takes most of a start (docs/decisions/0029). Files that the server
 * reads beside its code stay where they are: `import.meta.url` remains the address of the source.
 */
import path from 'node:path';
import { fail, root } from '../bootstrap.mjs';
import { filesBelow, hashOf, stamp } from './sources.mjs';

/** The folder of the build, from the root. */
export const SERVER_DIST = 'server/dist';
const SOURCES = 'server/src';
const PROGRAM = 'main.ts';
/** The built program, from the root. */
export const SERVER_PROGRAM = `${SERVER_DIST}/main.js`;
/** Files that run as threads. The server starts them by `new URL('./….worker.ts', import.meta.url)`. */
const THREAD = /\.worker\.ts$/;
const THREAD_ADDRESS = /new URL\('\.\/([\w.]+\.worker)\.ts', import\.meta\.url\)/g;
const PACKAGE = /(?:^|\/)node_modules\//;
/** Packages with code for one system, or with files beside their code. */
const UNBUNDLED = ['@node-rs/argon2', 'fontkit', 'ioredis', 'jsdom', 'pdfkit', 'pino', 'sharp'];
/** Optional packages of other packages, which we do not install. */
const ABSENT = ['bufferutil', 'pg-native', 'utf-8-validate'];
/** The expressions by which packages look for files beside their code. */
const LOOKS_BESIDE = /\b__(?:dirname|filename)\b|\bimport\.meta\b/;

/** Files that are not part of the server. */
const LEFT_OUT = /^(?:node_modules|.*\.(?:test|fixture)\.ts)$/;
const sourceFiles = async () => (await filesBelow(SOURCES, LEFT_OUT)).filter((file) => file.endsWith('.ts'));

/** All files that the build uses, as paths from the root, without packages. */
export const serverFiles = async () => [
  ...(await sourceFiles()),
  ...(await filesBelow('contract/src', LEFT_OUT)),
  'tools/builds/server.mjs',
];

/** Hash of these files, and of the locked packages. */
export const serverSources = async () => hashOf(await serverFiles());

/** Builds the server. Ends this process if that fails. */
export async function buildServer() {
  const wanted = await serverSources();
  const started = performance.now();
  console.log('Building the server …');
  // Only here: it is a large program, and most starts build nothing.
  const { rolldown } = await import('rolldown');
  const programs = [`${SOURCES}/${PROGRAM}`, ...(await sourceFiles()).filter((file) => THREAD.test(file))];
  /** @type {Set<string>} */
  const faults = new Set();
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(programs.map((file) => [path.basename(file, '.ts'), path.join(root, file)])),
      platform: 'node',
      external: [...UNBUNDLED, ...ABSENT].map((name) => new RegExp(`^${name}(?:/|$)`)),
      plugins: [sourceAddresses((sentence) => faults.add(sentence))],
      // For example an import that cannot be resolved.
      onLog: (level, { message }) => level === 'warn' && faults.add(message),
    });
    await bundle.write({
      dir: path.join(root, SERVER_DIST),
      // Removes the old stamp too.
      cleanDir: true,
      chunkFileNames: '[name].js',
      // With source maps, Node names the lines of the sources in errors.
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    await bundle.close();
  } catch (error) {
    faults.add(/** @type {Error} */ (error).message);
  }
  if (faults.size > 0) fail(['The server could not be built:', ...faults].join('\n'));
  await stamp(SERVER_DIST, wanted);
  console.log(`Server built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

/**
 * Keeps `import.meta.url` the address of the source, but replaces the addresses of threads by those of the built ones.
 * @param {(sentence: string) => void} complain called for a package that must not be moved
 * @returns {import('rolldown').Plugin}
 */
export function sourceAddresses(complain) {
  return {
    name: 'fieldroom-source-addresses',
    transform(code, id) {
      const file = path.relative(root, id).replaceAll(path.sep, '/');
      if (PACKAGE.test(file)) {
        if (LOOKS_BESIDE.test(code))
          complain(`${file} looks for files beside its code: name its package in UNBUNDLED.`);
        // Lines of packages would make the source maps three times as large.
        return { code, map: { mappings: '' } };
      }
      if (!file.startsWith(`${SOURCES}/`) || !code.includes('import.meta.url')) return null;
      const address = `new URL(${JSON.stringify(path.posix.relative(SERVER_DIST, file))}, import.meta.url).href`;
      const built = code
        .split(THREAD_ADDRESS)
        .map((part, index) =>
          index % 2 === 1 ? `new URL('./${part}.js', import.meta.url)` : part.replaceAll('import.meta.url', address),
        )
        .join('');
      return { code: built, map: null };
    },
  };
}
