/** Small helpers around folders. */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { EmbeddedPostgresError } from './terms.ts';

export const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

export const exists = (file: string) =>
  fs.lstat(file).then(
    () => true,
    () => false,
  );

export async function makeFolder(folder: string): Promise<void> {
  try {
    await fs.mkdir(folder, { recursive: true });
  } catch (error) {
    throw new EmbeddedPostgresError(`The folder ${folder} cannot be made (${(error as Error).message}).`);
  }
}
