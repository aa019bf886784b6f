/**
 * The scripts and styles of other versions of the web, in a bucket instead of a folder that all nodes share
 * (`pages.kept.ts` has the folder). Each node puts its own there, and fetches one of another version into a folder of
 * its own when somebody asks for it.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Blobs } from '../platform/blobs/blobs.ts';
import { DAY_MS, KEPT_DAYS, someAtOnce } from './pages.kept.ts';

/** Where they lie in the bucket. */
const SHARED = 'web';
/** A path of the web that may be one of them. */
const ASSET = /^\/assets\/([\w-][\w.-]*)(?:\?|$)/;
/** Forms that were compressed by the build lie beside the file; browsers do not ask for them by name. */
const FORMS = ['.br', '.gz'];
/** A request for a file that does not exist causes a look into the bucket, but not more often than this. */
const LOOK_EVERY_MS = 500;

/** How often `keep` looks whether a day is over: a bucket that was away gets the files soon. */
export const LOOK_EVERY_SECONDS = 60;

interface SharedAssets {
  /** Puts the own files into the bucket, renews them every day, and removes those that no node has renewed for long. */
  keep(): Promise<void>;
  /** Fetches a file of another version, if the path of a request is that of one. */
  bring(url: string): Promise<void>;
}

/** Takes the bucket, the folder of the own web, and one of this node for what was fetched; both have `assets`. */
export function createSharedAssets({ blobs, web, kept }: { blobs: Blobs; web: string; kept: string }): SharedAssets {
  const [own, fetched] = [path.join(web, 'assets'), path.join(kept, 'assets')];
  /** What is in the bucket, as far as we know. */
  let names = new Set<string>();
  let lookedAt = -Infinity;
  let keptAt = -Infinity;
  let nextLook: Promise<void> | null = null;
  const fetching = new Map<string, Promise<void>>();

  /** The files in the bucket with their ages in days. */
  async function look(): Promise<Map<string, number>> {
    lookedAt = performance.now();
    const days = new Map<string, number>();
    for await (const some of blobs.list(SHARED))
      for (const { name, ageMs } of some) days.set(name.slice(SHARED.length + 1), ageMs / DAY_MS);
    names = new Set(days.keys());
    return days;
  }

  /** The next look, which all share who ask before it begins: what is there by now, it finds. */
  function lookSoon(): Promise<void> {
    nextLook ??= (async () => {
      await pause(Math.max(0, lookedAt + LOOK_EVERY_MS - performance.now()));
      nextLook = null;
      await look();
    })();
    return nextLook;
  }

  async function fetchForm(name: string): Promise<void> {
    const bytes = await blobs.read(`${SHARED}/${name}`);
    if (bytes === null) return;
    await fs.mkdir(fetched, { recursive: true });
    // Nobody must read half a file.
    const part = path.join(fetched, `.${randomUUID()}.part`);
    await fs.writeFile(part, bytes);
    await fs.rename(part, path.join(fetched, name));
  }

  /** Fetches a file in all its forms, once for all who ask at the same time. */
  function fetchOnce(name: string): Promise<void> {
    const running = fetching.get(name);
    if (running !== undefined) return running;
    const work = (async () => {
      const forms = FORMS.map((form) => `${name}${form}`).filter((form) => names.has(form));
      await Promise.all(forms.map(fetchForm));
      // Last: when the file itself is there, all of it is.
      await fetchForm(name);
    })().finally(() => fetching.delete(name));
    fetching.set(name, work);
    return work;
  }

  return {
    async keep() {
      if (performance.now() - keptAt < DAY_MS) return;
      await fs.mkdir(fetched, { recursive: true });
      const mine = new Set(await fs.readdir(own));
      const known = await look();
      await someAtOnce(
        [...mine].filter((name) => (known.get(name) ?? Infinity) >= 1),
        async (name) => blobs.write(`${SHARED}/${name}`, await fs.readFile(path.join(own, name))),
      );
      await someAtOnce(
        [...known].filter(([name, days]) => !mine.has(name) && days > KEPT_DAYS).map(([name]) => name),
        (name) => blobs.remove(`${SHARED}/${name}`),
      );
      // What was fetched here may be fetched again.
      await someAtOnce(await fs.readdir(fetched), async (name) => {
        const info = await fs.stat(path.join(fetched, name)).catch(() => null);
        if (info !== null && Date.now() - info.mtimeMs > KEPT_DAYS * DAY_MS)
          await fs.rm(path.join(fetched, name), { force: true });
      });
      keptAt = performance.now();
    },

    async bring(url) {
      const name = ASSET.exec(url)?.[1];
      if (name === undefined || existsSync(path.join(own, name)) || existsSync(path.join(fetched, name))) return;
      if (!names.has(name)) await lookSoon();
      if (names.has(name)) await fetchOnce(name);
    },
  };
}
