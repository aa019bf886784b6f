/**
 * The scripts and styles of other versions of the web, in the folder that all nodes share (`pages.shared.ts` has the
 * bucket). While nodes are upgraded one
 * after the other, a page may come from one and ask another for its files; and pages that are open ask for parts of
 * theirs later. Names of files change with their contents, so versions lie beside each other.
 */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';

/** Longer than a page stays open. Every day each node renews the files of the version that it runs. */
export const KEPT_DAYS = 30;
export const DAY_MS = 24 * 3_600_000;
/** The folder may be far away. */
const AT_ONCE = 32;

/**
 * Puts the files of a built web among the kept ones, and removes those that no node has renewed for long. Takes the
 * folder of the web, and the one of those that are kept; both have `assets`.
 */
export async function keepAssets(web: string, kept: string): Promise<void> {
  const [from, to] = [path.join(web, 'assets'), path.join(kept, 'assets')];
  await fs.mkdir(to, { recursive: true });
  const [mine, known] = [new Set(await fs.readdir(from)), new Set(await fs.readdir(to))];
  const now = new Date();
  async function copy(name: string): Promise<void> {
    // Another node may do the same, and nobody must read half a file.
    const part = path.join(to, `.${randomUUID()}.part`);
    await fs.copyFile(path.join(from, name), part);
    await fs.utimes(part, now, now);
    await fs.rename(part, path.join(to, name));
  }
  async function renewOrRemove(name: string): Promise<void> {
    const file = path.join(to, name);
    const info = await fs.stat(file).catch(() => null);
    const days = info === null ? 0 : (now.getTime() - info.mtimeMs) / DAY_MS;
    if (mine.has(name) && days > 1) await fs.utimes(file, now, now);
    if (!mine.has(name) && days > KEPT_DAYS) await fs.rm(file, { force: true });
  }
  await someAtOnce(
    [...mine].filter((name) => !known.has(name)),
    copy,
  );
  await someAtOnce([...known], renewOrRemove);
}

/** Does the work for each, a few at the same time. */
export async function someAtOnce(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  for (let at = 0; at < names.length; at += AT_ONCE) await Promise.all(names.slice(at, at + AT_ONCE).map(work));
}
