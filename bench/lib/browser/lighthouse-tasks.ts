/**
 * Lighthouse (mobile) in wall time and in CPU time. Lighthouse simulates a slow network and a slow phone, but measures
 * tasks in wall time, which includes the work of other programs on a busy machine. So its audits also run with the CPU
 * time of each task of the page.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import lighthouse from 'lighthouse';
import { type Chrome, startChrome } from './chrome.ts';
import { tempFolder } from '../service/processes.ts';

/** A complete event of Chrome's trace, in microseconds: `dur` is wall time, `tdur` CPU time. */
interface TraceEvent {
  dur?: number;
  tdur?: number;
}

type Lhr = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** The flags must be the same for loading and judging, or Lighthouse refuses. */
const flags = (categories: readonly string[]) => ({
  onlyCategories: [...categories],
  logLevel: 'silent' as const,
  // Each load has its own browser, so there is nothing to reset except what `prepare` stored.
  disableStorageReset: true,
});

/**
 * Loads a page once in a fresh browser. `prepare` runs first, for example to sign in; `switches` are the browser's.
 * Returns the folder with Lighthouse's records.
 */
export async function gather(
  url: string,
  categories: readonly string[],
  prepare?: (chrome: Chrome) => Promise<void>,
  switches: string[] = [],
): Promise<string> {
  const folder = await tempFolder('lighthouse');
  const chrome = await startChrome(switches);
  try {
    await prepare?.(chrome);
    await lighthouse(url, { ...flags(categories), port: chrome.port, gatherMode: folder });
  } finally {
    await chrome.stop();
  }
  return folder;
}

/** Lighthouse's audits of the records of {@link gather}. */
export async function judgeFolder(folder: string, categories: readonly string[]): Promise<Lhr> {
  const result = await lighthouse(undefined, { ...flags(categories), auditMode: folder });
  if (!result) throw new Error('Lighthouse gave no result');
  return result.lhr;
}

/** Replaces the wall time of each task in the folder's trace with its CPU time. */
export async function countCpuTime(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((file) => /trace\.json$/i.test(file))) {
    const trace = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as { traceEvents: TraceEvent[] };
    for (const event of trace.traceEvents)
      if (event.dur !== undefined && event.tdur !== undefined) event.dur = Math.max(1, Math.min(event.dur, event.tdur));
    await writeFile(path.join(folder, name), JSON.stringify(trace));
  }
}

/** Takes an address and the number of runs. Returns the score (0 to 100) and the total blocking time in ms of each. */
export async function judgeByCpuTime(url: string, runs: number): Promise<{ scores: number[]; blocking: number[] }> {
  const scores: number[] = [];
  const blocking: number[] = [];
  const categories = ['performance'];
  for (let run = 0; run < runs; run++) {
    const folder = await gather(url, categories);
    await countCpuTime(folder);
    const lhr = await judgeFolder(folder, categories);
    scores.push((lhr.categories['performance']?.score ?? 0) * 100);
    blocking.push(lhr.audits['total-blocking-time']?.numericValue ?? NaN);
    console.log(`Lighthouse by CPU time, run ${run + 1}: ${Math.round(scores.at(-1)!)}`);
  }
  return { scores, blocking };
}
