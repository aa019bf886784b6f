/**
 * Builds the web into `web/dist` with compressed copies (brotli, gzip) of every text file, from which the server only
 * has to choose.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { fail, root } from '../bootstrap.mjs';
import { inParallel, run } from '../run.mjs';
import { filesBelow, hashOf, stamp } from './sources.mjs';

/** The folder of the build, from the root. */
export const WEB_DIST = 'web/dist';
const TEXT = /\.(?:js|mjs|css|html|svg|json|txt|xml|map|webmanifest|wasm|ttf)$/;
/** Smaller files fit into one packet even uncompressed. */
const COMPRESS_FROM_BYTES = 1024;

/** Hash of all files that the build uses, without tests. */
export const webSources = async () =>
  hashOf([
    ...(await filesBelow('web', /^(?:node_modules|dist|coverage|.*\.test\.tsx?)$/)),
    ...(await filesBelow('contract', /^(?:node_modules|.*\.test\.ts)$/)),
    'tools/builds/web.mjs',
  ]);

/** Builds the web. Ends this process if that fails. */
export async function buildWeb() {
  const wanted = await webSources();
  const started = performance.now();
  console.log('Building the web …');
  await rm(path.join(root, WEB_DIST, '.stamp'), { force: true });
  const vite = await run('vite', ['build', '--logLevel', 'warn'], {
    cwd: path.join(root, 'web'),
    show: true,
    env: { NODE_ENV: 'production' },
  });
  if (vite.code !== 0) fail('The web could not be built (see above).');
  const saved = await compressAll();
  await stamp(WEB_DIST, wanted);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Web built in ${seconds} s (${kilobytes(saved.plain)} of text, ${kilobytes(saved.brotli)} as brotli).`);
}

/** Writes `.br` and `.gz` copies of each text file, if they are smaller. Returns the sums of bytes. */
async function compressAll() {
  const files = (await filesBelow(WEB_DIST, /^\.stamp$/)).filter((file) => TEXT.test(file));
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
