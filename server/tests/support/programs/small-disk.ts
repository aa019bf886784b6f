/** A disk of a few hundred kilobytes, for tests of a full one. Only root may mount one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Leaves not a byte free. */
  fill(): Promise<void>;
  /** Frees what `fill` took. */
  free(): Promise<void>;
  close(): void;
}

/** Mounts it. Takes its size in kilobytes. @throws if this process may not. */
export function smallDisk(kilobytes: number): SmallDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldroom-test-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  const filler = path.join(folder, 'filler');
  return {
    folder,
    async fill() {
      for (let size = kilobytes * 1024; size >= 1; size = Math.floor(size / 2))
        await writeFile(filler, new Uint8Array(size), { flag: 'a' }).catch(() => {});
    },
    free: () => rm(filler, { force: true }),
    close() {
      execFileSync('umount', ['-l', folder]);
      rmdirSync(folder);
    },
  };
}

/** Whether this process may mount a disk. */
export function canMount(): boolean {
  try {
    smallDisk(64).close();
    return true;
  } catch {
    return false;
  }
}
