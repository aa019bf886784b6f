/** Small helpers around folders. */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { EmbeddedPostgresError } from './terms.ts';

/** The first 16 hexadecimal digits of a text's SHA-256, as a short name for it. */
export const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Whether something lies at this path, also a link that leads nowhere. */
export const exists = (file: string) =>
  fs.lstat(file).then(
    () => true,
    () => false,
  );

/** Makes a folder and those above it. Throws `EmbeddedPostgresError` with the reason. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await fs.mkdir(folder, { recursive: true });
  } catch (error) {
    throw new EmbeddedPostgresError(`The folder ${folder} cannot be made (${(error as Error).message}).`);
  }
}
