/**
 * First load of the join page and of the play area: bytes over the wire by kind, from a browser that has nothing yet, and
 * Lighthouse (mobile) on the join page. See README.md. Settings: BENCH_ROUNDS (5 Lighthouse runs, 0 is not possible), CHROME_PATH.
 */
import lighthouse from 'lighthouse';
import { startChrome } from './lib/chrome.ts';
import { startFieldroom, type Fieldroom } from './lib/fieldroom.ts';
import { type Aim, aimRows, keep, kilobytes, median, type Row, setting, table } from './lib/numbers.ts';
import { buildWeb, signInPage } from './lib/page.ts';
import { program, sleep, until } from './lib/processes.ts';

const RUNS = setting('BENCH_ROUNDS', 5);
const KINDS = ['script', 'style', 'font', 'document', 'data', 'other'] as const;
type Kind = (typeof KINDS)[number];
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

interface Loaded {
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

/** Loads an address in a fresh profile. Out: what came over the wire until it was quiet for 1.5 s, headers included. */
async function firstLoad(server: Fieldroom, path: string, ready: string, signedIn: boolean): Promise<Loaded> {
  const chrome = await startChrome(['--window-size=1440,900']);
  try {
    const page = await chrome.newPage();
    if (signedIn) await signInPage(server, page);
    const kinds = new Map<string, { path: string; kind: Kind; encoding: string }>();
    const files: Loaded['files'] = [];
    const bodies = new Map<string, number>();
    let last = performance.now();
    page.on('Network.dataReceived', ({ requestId, encodedDataLength }) => bodies.set(requestId, (bodies.get(requestId) ?? 0) + encodedDataLength));
    page.on('Network.responseReceived', ({ requestId, response }) => {
      const headers = Object.fromEntries(Object.entries(response.headers as Record<string, string>).map(([name, value]) => [name.toLowerCase(), value]));
      kinds.set(requestId, { path: new URL(response.url).pathname, kind: kindOf(response.mimeType), encoding: headers['content-encoding'] ?? 'none' });
    });
    page.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const known = kinds.get(requestId);
      last = performance.now();
      if (known && encodedDataLength > 0) files.push({ ...known, bytes: encodedDataLength, body: bodies.get(requestId) ?? 0 });
    });
    await page.send('Network.enable');
    await page.goto(`${server.url}${path}`);
    await until(`${ready} at ${path}`, () => page.evaluate<boolean>(`document.querySelector(${JSON.stringify(ready)}) !== null`), 30_000, 100);
    await until('quiet', () => performance.now() - last > 1500, 20_000, 100);
    page.close();
    const bytes = Object.fromEntries(KINDS.map((kind) => [kind, files.filter((file) => file.kind === kind).reduce((sum, file) => sum + file.bytes, 0)])) as Record<Kind, number>;
    return { bytes, files: files.sort((a, b) => b.bytes - a.bytes) };
  } finally {
    await chrome.stop();
  }
}

await program(async () => {
  await buildWeb();
  const server = await startFieldroom();
  const join = await firstLoad(server, '/user/join/anna', 'input', false);
  const play = await firstLoad(server, '/app/play-area', '[data-testid=field]', true);

  const scores: Record<string, number[]> = Object.fromEntries(CATEGORIES.map((category) => [category, []]));
  const timings: Record<string, number[]> = { 'first-contentful-paint': [], 'largest-contentful-paint': [], 'total-blocking-time': [], 'cumulative-layout-shift': [], 'speed-index': [] };
  const faults = new Set<string>();
  for (let run = 0; run < RUNS; run++) {
    const chrome = await startChrome();
    try {
      const result = await lighthouse(`${server.url}/user/join/anna`, { port: chrome.port, onlyCategories: [...CATEGORIES], logLevel: 'silent' });
      if (!result) throw new Error('Lighthouse gave no result');
      for (const category of CATEGORIES) scores[category]!.push((result.lhr.categories[category]?.score ?? 0) * 100);
      for (const audit of Object.keys(timings)) timings[audit]!.push(result.lhr.audits[audit]?.numericValue ?? NaN);
      for (const category of CATEGORIES) {
        for (const { id, weight } of result.lhr.categories[category]!.auditRefs) {
          const audit = result.lhr.audits[id]!;
          if (weight > 0 && audit.score !== null && audit.score < 0.9) faults.add(`${category}: ${id} (${audit.score})`);
        }
      }
      console.log(`Lighthouse run ${run + 1}: ${CATEGORIES.map((category) => `${category} ${Math.round(scores[category]!.at(-1)!)}`).join(', ')}`);
    } finally {
      await chrome.stop();
    }
    await sleep(300);
  }
  await server.stop();

  const sizes = [['join', join], ['play area', play]] as const;
  const rows = sizes.map(([name, { bytes, files }]): Row => ({ 'First load': name, ...Object.fromEntries(KINDS.map((kind) => [`${kind} kB`, kilobytes(bytes[kind])])), 'all kB': kilobytes(Object.values(bytes).reduce((a, b) => a + b)), 'script files': files.filter((file) => file.kind === 'script').length, 'of script headers kB': kilobytes(files.filter((file) => file.kind === 'script').reduce((sum, file) => sum + file.bytes - file.body, 0)), requests: files.length }));
  const largest = sizes.flatMap(([name, { files }]) => files.slice(0, 14).map((file): Row => ({ 'Largest files': `${name} ${file.path}`, kB: kilobytes(file.bytes), encoding: file.encoding })));
  const score = (category: string) => Math.round(median(scores[category]!));
  const aims: Aim[] = [
    { what: 'join, script', aim: '≤ 110 kB', measured: `${kilobytes(join.bytes.script)} kB`, reached: join.bytes.script <= 110_000 },
    { what: 'play area, script', aim: '≤ 190 kB', measured: `${kilobytes(play.bytes.script)} kB`, reached: play.bytes.script <= 190_000 },
    ...CATEGORIES.map((category) => ({ what: `Lighthouse ${category}, join`, aim: '≥ 95', measured: String(score(category)), reached: score(category) >= 95 })),
  ];
  const timingRows = Object.entries(timings).map(([audit, values]): Row => ({ 'Lighthouse, mobile profile': audit, median: audit === 'cumulative-layout-shift' ? median(values).toFixed(3) : `${Math.round(median(values))} ms` }));
  await keep('web', 'First load of join page and play area', [
    `Bytes over the wire with headers (kB = 1,000 bytes), fresh profile, real server, built web. Lighthouse: ${RUNS} runs, mobile profile with its simulated slow line, medians. The page is not to be indexed, so the category SEO is left out.`,
    table(rows), table(aimRows(aims)), table(timingRows), table(largest), ...(faults.size > 0 ? [`Audits below 0.9 in any run: ${[...faults].join('; ')}.`] : []),
  ], { sizes: Object.fromEntries(sizes), scores, timings, aims, faults: [...faults] });
});
