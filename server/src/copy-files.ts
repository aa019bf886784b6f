/**
 * Copies uploaded files between the folder `DATA_DIR` and the bucket of the settings: `node server/src/copy-files.ts
 * to-s3`, or `to-folder`. What the target has stays, and the source keeps everything, so it can be run again and again,
 * also while servers run (docs/operate.md, "Files in an S3-compatible store").
 */
import type { Blobs } from './platform/blobs/blobs.ts';
import { createFolderBlobs } from './platform/blobs/folder.ts';
import { type Config, ConfigFault, readConfig } from './platform/config.ts';
import { FILES, isUploaded } from './platform/files/files.ts';
import { createLog } from './platform/monitoring/log.ts';
import { createPlatform } from './platform/platform.ts';
import { explainStartFault } from './start-faults.ts';

/** After so many files there is a line. */
const SAY_EVERY = 1000;

/** Copies uploaded files that the target lacks. Returns how many were copied, and how many it had. */
async function copy(from: Blobs, to: Blobs): Promise<{ copied: number; there: number }> {
  const known = new Set<string>();
  for await (const some of to.list(FILES)) for (const { name } of some) known.add(name);
  let [copied, there] = [0, 0];
  for await (const some of from.list(FILES))
    for (const { name } of some) {
      if (!isUploaded(name)) continue;
      if (known.has(name)) {
        there += 1;
        continue;
      }
      const bytes = await from.read(name);
      // Removed since it was listed.
      if (bytes === null) continue;
      await to.write(name, bytes);
      copied += 1;
      if (copied % SAY_EVERY === 0) process.stdout.write(`${copied} copied\n`);
    }
  return { copied, there };
}

/** Returns what it did, as a sentence. */
async function main(direction: 'to-s3' | 'to-folder', config: Config): Promise<string> {
  if (config.s3 === null) throw new ConfigFault(['S3_URL: is missing; the settings have to name the bucket']);
  const platform = await createPlatform(config, { log: createLog(config), longRunning: false });
  try {
    const folder = createFolderBlobs(config.dataDir);
    const { copied, there } = await (direction === 'to-s3'
      ? copy(folder, platform.blobs)
      : copy(platform.blobs, folder));
    return `Files copied: ${copied}. Already there: ${there}.`;
  } finally {
    await platform.close();
  }
}

const direction = process.argv[2];
if (direction !== 'to-s3' && direction !== 'to-folder') {
  process.stderr.write('Say where to: node server/src/copy-files.ts to-s3, or to-folder.\n');
  process.exit(1);
}
let config: Config | null = null;
try {
  config = readConfig();
  process.stdout.write(`${await main(direction, config)}\n`);
} catch (error) {
  const sentence = error instanceof ConfigFault ? error.message : config && explainStartFault(error, config);
  if (sentence === null) throw error;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
// Connections that are kept open must not keep it waiting.
process.exit(0);
