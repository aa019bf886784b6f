/**
 * Lighthouse's performance score with the CPU time of each task of the page. Lighthouse simulates a slow network and a
 * slow phone, but measures tasks in wall time, which includes the work of other programs on a busy machine.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import lighthouse from 'lighthouse';
import { startChrome } from './lib/chrome.ts';
import { tempFolder } from './lib/processes.ts';

/** A complete event of Chrome's trace, in microseconds: `dur` is wall time, `tdur` CPU time. */
interface TraceEvent {
  dur?: number;
  tdur?: number;
}

/** Takes an address and the number of runs. Returns the score (0 to 100) and the total blocking time in ms of each. */
export async function judgeByCpuTime(url: string, runs: number): Promise<{ scores: number[]; blocking: number[] }> {
  const scores: number[] = [];
  const blocking: number[] = [];
  for (let run = 0; run < runs; run++) {
    const folder = await tempFolder('lighthouse');
    const chrome = await startChrome();
    try {
      await lighthouse(url, {
        port: chrome.port,
        onlyCategories: ['performance'],
        logLevel: 'silent',
        gatherMode: folder,
      });
    } finally {
      await chrome.stop();
    }
    for (const name of (await readdir(folder)).filter((file) => /trace\.json$/i.test(file))) {
      const trace = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as { traceEvents: TraceEvent[] };
      for (const event of trace.traceEvents)
        if (event.dur !== undefined && event.tdur !== undefined)
          event.dur = Math.max(1, Math.min(event.dur, event.tdur));
      await writeFile(path.join(folder, name), JSON.stringify(trace));
    }
    const result = await lighthouse(url, { onlyCategories: ['performance'], logLevel: 'silent', auditMode: folder });
    if (!result) throw new Error('Lighthouse gave no result');
    scores.push((result.lhr.categories['performance']?.score ?? 0) * 100);
    blocking.push(result.lhr.audits['total-blocking-time']?.numericValue ?? NaN);
    console.log(`Lighthouse by CPU time, run ${run + 1}: ${Math.round(scores.at(-1)!)}`);
  }
  return { scores, blocking };
}
