/**
 * Builds the web into `web/dist` with compressed copies (brotli, gzip) of every text file, which the server only has to
 * choose from. Run directly, it always builds; `buildIfChanged` builds only if a source has changed.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bootstrap, fail, root } from './bootstrap.mjs';
import { inParallel, run } from './run.mjs';

const web = path.join(root, 'web');
const dist = path.join(web, 'dist');
const stampFile = path.join(dist, '.stamp');
const TEXT = /\.(?:js|mjs|css|html|svg|json|txt|xml|map|webmanifest|wasm|ttf)$/;
/** Smaller files fit into one packet even uncompressed. */
const COMPRESS_FROM_BYTES = 1024;

/**
 * Builds the web unless the last build used the same sources. A build has a process of its own, because it leaves a
 * hundred megabytes to whatever runs on in the same one.
 */
export async function buildIfChanged() {
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === (await sourcesHash())) return;
  const { code } = await run(process.execPath, [import.meta.filename], { show: true });
  if (code !== 0) process.exit(code);
}

async function build() {
  const wanted = await sourcesHash();
  const started = performance.now();
  console.log('Building the web …');
  await rm(stampFile, { force: true });
  const vite = await run('vite', ['build', '--logLevel', 'warn'], {
    cwd: web,
    show: true,
    env: { NODE_ENV: 'production' },
  });
  if (vite.code !== 0) fail('The web could not be built (see above).');
  const saved = await compressAll();
  await writeFile(stampFile, wanted);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Web built in ${seconds} s (${kilobytes(saved.plain)} of text, ${kilobytes(saved.brotli)} as brotli).`);
}

/** Hash of all files that the build uses, without tests. */
async function sourcesHash() {
  const files = [
    ...(await filesBelow('web', /^(?:node_modules|dist|coverage|.*\.test\.tsx?)$/)),
    ...(await filesBelow('contract', /^(?:node_modules|.*\.test\.ts)$/)),
    'package-lock.json',
    'tools/build.mjs',
  ];
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const content = await readFile(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Lists every file below a folder of the repository, as paths from the root.
 * @param {string} folder
 * @param {RegExp} leaveOut names of files and folders to skip
 * @returns {Promise<string[]>}
 */
async function filesBelow(folder, leaveOut) {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const found = entries
    .filter(({ name }) => !leaveOut.test(name))
    .map(async (entry) => {
      const at = `${folder}/${entry.name}`;
      return entry.isDirectory() ? await filesBelow(at, leaveOut) : entry.isFile() ? [at] : [];
    });
  return (await Promise.all(found)).flat();
}

/** Writes `.br` and `.gz` copies of each text file, if they are smaller. Returns the sums of bytes. */
async function compressAll() {
  const files = (await filesBelow('web/dist', /^\.stamp$/)).filter((file) => TEXT.test(file));
  const sum = { plain: 0, brotli: 0 };
  await inParallel(
    4,
    files.map((file) => async () => {
      const full = path.join(root, file);
      const plain = await readFile(full);
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(plain, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 11,
            [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
          },
        }),
        promisify(gzip)(plain, { level: 9 }),
      ]);
      sum.plain += plain.length;
      sum.brotli += plain.length < COMPRESS_FROM_BYTES ? plain.length : br.length;
      if (plain.length < COMPRESS_FROM_BYTES) return;
      if (br.length < plain.length) await writeFile(`${full}.br`, br);
      if (gz.length < plain.length) await writeFile(`${full}.gz`, gz);
    }),
  );
  return sum;
}

/** @param {number} bytes */
const kilobytes = (bytes) => `${Math.round(bytes / 1024)} kB`;

if (import.meta.filename === process.argv[1]) {
  await bootstrap(import.meta.url);
  await build();
}
