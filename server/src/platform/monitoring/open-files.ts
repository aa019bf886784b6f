/**
 * Logs when open files run out. The system refuses a connection that finds no free one without telling anybody, so an
 * operator can learn of it only from the log.
 */
import { readdir, readFile } from 'node:fs/promises';
import type { Log } from './log.ts';

const LOOK_EVERY_MS = 5000;
/** Share of the limit at which it is logged, and below which it may be logged again. */
const HIGH = 0.9;
const LOW = 0.75;

/** How many files this process has open, and how many it may have; null if the system does not tell. */
export interface OpenFiles {
  readonly open: number;
  readonly limit: number;
}

/** Counts the open files of this process. */
export async function countOpenFiles(): Promise<OpenFiles | null> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'EMFILE' ? 'full' : null,
  );
  if (limits === null) return null;
  if (limits === 'full') return { open: Infinity, limit: 0 };
  const limit = Number(/^Max open files +(\d{1,10}) /m.exec(limits)?.[1] ?? Infinity);
  const open = await readdir('/proc/self/fd').then(
    ({ length }) => length,
    (error: NodeJS.ErrnoException) => (error.code === 'EMFILE' ? Infinity : null),
  );
  return open === null ? null : { open, limit };
}

/**
 * Looks every five seconds and logs when nine of ten are in use, once until there are fewer again. Returns a function
 * that ends it.
 */
export function watchOpenFiles(
  log: Pick<Log, 'warn'>,
  count: () => Promise<OpenFiles | null> = countOpenFiles,
  everyMs = LOOK_EVERY_MS,
): () => void {
  let isSaid = false;
  const timer = setInterval(async () => {
    const counted = await count();
    if (counted === null) return;
    const { open, limit } = counted;
    if (open < limit * LOW) isSaid = false;
    if (isSaid || open < limit * HIGH) return;
    isSaid = true;
    log.warn(
      { open: Number.isFinite(open) ? open : 'all', limit },
      'open files run out: beyond the limit connections are refused; raise it (ulimit -n)',
    );
  }, everyMs).unref();
  return () => clearInterval(timer);
}
