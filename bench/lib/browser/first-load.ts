/** First loads in a fresh profile, measured in bytes over the network, and Lighthouse with its standard mobile
 * profile. */
import lighthouse from 'lighthouse';
import { startChrome } from './chrome.ts';
import type { Fieldroom } from '../service/fieldroom.ts';
import { signInPage } from './page.ts';
import { sleep, until } from '../service/processes.ts';

export const KINDS = ['script', 'style', 'font', 'document', 'data', 'other'] as const;
type Kind = (typeof KINDS)[number];

export interface Loaded {
  bytes: Record<Kind, number>;
  /** `bytes` with the answer's headers, `body` without. */
  files: { path: string; kind: Kind; bytes: number; body: number; encoding: string }[];
}

const kindOf = (mime: string): Kind => {
  if (mime.includes('javascript')) return 'script';
  if (mime.includes('css')) return 'style';
  if (mime.includes('font')) return 'font';
  if (mime.includes('html')) return 'document';
  return mime.includes('json') ? 'data' : 'other';
};

/** Loads an address in a fresh profile. Returns what was transferred, with headers, until nothing arrived for 1.5 s. */
export async function firstLoad(server: Fieldroom, path: string, ready: string, signedIn: boolean): Promise<Loaded> {
  const chrome = await startChrome(['--window-size=1440,900']);
  try {
    const page = await chrome.newPage();
    if (signedIn) await signInPage(server, page);
    const kinds = new Map<string, { path: string; kind: Kind; encoding: string }>();
    const files: Loaded['files'] = [];
    const bodies = new Map<string, number>();
    let last = performance.now();
    page.on('Network.dataReceived', ({ requestId, encodedDataLength }) =>
      bodies.set(requestId, (bodies.get(requestId) ?? 0) + encodedDataLength),
    );
    page.on('Network.responseReceived', ({ requestId, response }) => {
      const headers = Object.fromEntries(
        Object.entries(response.headers as Record<string, string>).map(([name, value]) => [name.toLowerCase(), value]),
      );
      kinds.set(requestId, {
        path: new URL(response.url).pathname,
        kind: kindOf(response.mimeType),
        encoding: headers['content-encoding'] ?? 'none',
      });
    });
    page.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const known = kinds.get(requestId);
      last = performance.now();
      if (known && encodedDataLength > 0)
        files.push({ ...known, bytes: encodedDataLength, body: bodies.get(requestId) ?? 0 });
    });
    await page.send('Network.enable');
    await page.goto(`${server.url}${path}`);
    await until(
      `${ready} at ${path}`,
      () => page.evaluate<boolean>(`document.querySelector(${JSON.stringify(ready)}) !== null`),
      30_000,
      100,
    );
    await until('a quiet network', () => performance.now() - last > 1500, 20_000, 100);
    page.close();
    const bytes = Object.fromEntries(
      KINDS.map((kind) => [
        kind,
        files.filter((file) => file.kind === kind).reduce((sum, file) => sum + file.bytes, 0),
      ]),
    ) as Record<Kind, number>;
    return { bytes, files: files.sort((a, b) => b.bytes - a.bytes) };
  } finally {
    await chrome.stop();
  }
}

export interface Judged {
  /** By category: the score of each run, 0 to 100. */
  readonly scores: Readonly<Record<string, number[]>>;
  readonly timings: Readonly<Record<string, number[]>>;
  /** Audits below 0.9 in any run. */
  readonly weakAudits: ReadonlySet<string>;
}

/** Runs Lighthouse on an address, each time with a fresh browser. */
export async function judge(url: string, categories: readonly string[], runs: number): Promise<Judged> {
  const scores: Record<string, number[]> = Object.fromEntries(categories.map((category) => [category, []]));
  const timings: Record<string, number[]> = {
    'first-contentful-paint': [],
    'largest-contentful-paint': [],
    'total-blocking-time': [],
    'cumulative-layout-shift': [],
    'speed-index': [],
  };
  const weakAudits = new Set<string>();
  for (let run = 0; run < runs; run++) {
    const chrome = await startChrome();
    try {
      const result = await lighthouse(url, { port: chrome.port, onlyCategories: [...categories], logLevel: 'silent' });
      if (!result) throw new Error('Lighthouse gave no result');
      for (const category of categories) scores[category]!.push((result.lhr.categories[category]?.score ?? 0) * 100);
      for (const audit of Object.keys(timings)) timings[audit]!.push(result.lhr.audits[audit]?.numericValue ?? NaN);
      for (const category of categories) {
        for (const { id, weight } of result.lhr.categories[category]!.auditRefs) {
          const audit = result.lhr.audits[id]!;
          if (weight > 0 && audit.score !== null && audit.score < 0.9)
            weakAudits.add(`${category}: ${id} (${audit.score})`);
        }
      }
      const lastScores = categories.map((category) => `${category} ${Math.round(scores[category]!.at(-1)!)}`);
      console.log(`Lighthouse run ${run + 1}: ${lastScores.join(', ')}`);
    } finally {
      await chrome.stop();
    }
    await sleep(300);
  }
  return { scores, timings, weakAudits };
}
