/**
 * Lighthouse (mobile) on the signed-in pages and on the public ones. Also measures layout shifts on a desktop while
 * each loads, and the time from a click in the menu to the painted page when its data is cached. See README.md.
 * Settings: BENCH_ROUNDS (3 runs of Lighthouse for each page), BENCH_CHANGES (10 rounds through the menu), BENCH_ONLY
 * (part of a page's name; `changes` measures only the changes of page), BENCH_HTTP2=1 (Lighthouse meets the server
 * behind a proxy with TLS and HTTP/2, as it is deployed), CHROME_PATH.
 */
import { loadavg } from 'node:os';
import { upcomingEvents } from '@fieldroom/contract/events';
import { type Chrome, startChrome, type Target } from '../lib/browser/chrome.ts';
import { type Fieldroom, startFieldroom } from '../lib/service/fieldroom.ts';
import { ACCEPT_CERTIFICATE, startFront } from '../lib/browser/http2-front.ts';
import { gather, judgeFolder, countCpuTime } from '../lib/browser/lighthouse-tasks.ts';
import { type Aim, aimRows, keep, median, percentile, type Row, round, setting, show, table } from '../lib/numbers.ts';
import { signInPage } from '../lib/browser/page.ts';
import { buildIfChanged, freePort, program, sleep, until } from '../lib/service/processes.ts';

const RUNS = setting('BENCH_ROUNDS', 3);
const CHANGES = setting('BENCH_CHANGES', 10);
const ONLY = process.env['BENCH_ONLY'] ?? '';
const HTTP2 = process.env['BENCH_HTTP2'] === '1';
/** For the browsers that use the same front as Lighthouse. */
const SWITCHES = HTTP2 ? [ACCEPT_CERTIFICATE] : [];
const CHANGE_MAX_MS = 100;
/** A shift that nobody notices. Google calls up to 0.1 good. */
const SHIFT_MAX = 0.02;
const WINDOW = { width: 1440, height: 900 };

interface MeasuredPage {
  name: string;
  path: string;
  signedIn: boolean;
  /** The lowest score that every category should have. */
  aim: number;
  categories: readonly string[];
}
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const signedIn = (name: string, path: string): MeasuredPage => ({
  name,
  path,
  signedIn: true,
  aim: 90,
  categories: CATEGORIES,
});
/** Search engines list some public pages; on the others Lighthouse's SEO check would report the intended noindex. */
const open = (name: string, path: string, listed = false): MeasuredPage => ({
  name,
  path,
  signedIn: false,
  aim: 95,
  categories: listed ? [...CATEGORIES, 'seo'] : CATEGORIES,
});
const pagesOf = (eventId: number): MeasuredPage[] => [
  signedIn('dashboard', '/app/dashboard'),
  signedIn('my events', '/app/manage-events-client'),
  signedIn('new event', '/app/program'),
  signedIn('profile', '/app/profile'),
  signedIn('design', '/app/template'),
  signedIn('help', '/app/welcome'),
  signedIn('history', '/app/history'),
  open('public event', `/event/anna/${eventId}`, true),
  open('therapist page', '/event/anna', true),
  open('join', '/user/join/anna'),
  open('sign-in', '/user/login'),
  open('register', '/user/register'),
];

interface Scores {
  wall: Record<string, number>;
  cpu: number;
  shift: number;
  load: number;
  timings: Record<string, number>;
  weak: string[];
}
const TIMINGS = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'speed-index'];

/** Stores the sign-in in the browser's profile, by a page that may load nothing: the cache stays empty. */
const storeSignIn = (server: Fieldroom) => async (chrome: Chrome) => {
  const page = await chrome.newPage();
  await signInPage(server, page);
  await page.send('Network.enable');
  await page.send('Network.setBlockedURLs', { urls: ['*/assets/*', '*/api/*', '*.js', '*.svg'] });
  await page.goto(`${server.url}/user/login`);
  page.close();
};

async function lighthouseRun(server: Fieldroom, page: MeasuredPage): Promise<Scores> {
  const load = loadavg()[0] ?? NaN;
  const prepare = page.signedIn ? storeSignIn(server) : undefined;
  const folder = await gather(`${server.url}${page.path}`, page.categories, prepare, SWITCHES);
  const seen = await judgeFolder(folder, page.categories);
  if (new URL(seen.finalDisplayedUrl).pathname !== page.path)
    throw new Error(`${page.path} became ${seen.finalDisplayedUrl}: this would measure another page`);
  await countCpuTime(folder);
  const byCpuTime = await judgeFolder(folder, page.categories);
  const numeric = (audit: string) => seen.audits[audit]?.numericValue ?? NaN;
  const weak = page.categories.flatMap((category) =>
    seen.categories[category]!.auditRefs.flatMap(({ id, weight }) => {
      const { score } = seen.audits[id]!;
      return weight > 0 && score !== null && score < 0.9 ? [`${category}: ${id} (${round(score)})`] : [];
    }),
  );
  return {
    wall: Object.fromEntries(
      page.categories.map((category) => [category, Math.round((seen.categories[category]?.score ?? 0) * 100)]),
    ),
    cpu: Math.round((byCpuTime.categories['performance']?.score ?? 0) * 100),
    shift: numeric('cumulative-layout-shift'),
    load,
    timings: Object.fromEntries(TIMINGS.map((audit) => [audit, numeric(audit)])),
    weak,
  };
}

/** The content of the page: its heading, and its number of elements at rest. */
interface Rest {
  heading: string;
  elements: number;
}
const REST = `(() => {
  const main = document.querySelector('main') ?? document.body;
  const busy = main.querySelector('[aria-busy=true]') !== null || document.querySelector('h1') === null;
  return busy ? null : { heading: document.querySelector('h1').textContent, elements: main.querySelectorAll('*').length };
})()`;

/** Waits until the page is complete and has not changed for a while. */
async function atRest(page: Target, what: string): Promise<Rest> {
  let last = '';
  let since = performance.now();
  let rest: Rest | null = null;
  await until(
    `${what} at rest`,
    async () => {
      rest = await page.evaluate<Rest | null>(REST);
      const now = JSON.stringify(rest);
      if (now !== last || rest === null) {
        last = now;
        since = performance.now();
      }
      return performance.now() - since > 800;
    },
    60_000,
    50,
  );
  return rest!;
}

async function newWindow(chrome: Chrome): Promise<Target> {
  const page = await chrome.newPage();
  await page.send('Emulation.setDeviceMetricsOverride', { ...WINDOW, deviceScaleFactor: 1, mobile: false });
  return page;
}

/** The sum of layout shifts on a desktop while a page loads, from an empty cache. */
async function deskShift(server: Fieldroom, measured: MeasuredPage): Promise<number> {
  const chrome = await startChrome(SWITCHES);
  try {
    const page = await newWindow(chrome);
    if (measured.signedIn) await signInPage(server, page);
    await page.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `window.shifted = 0;
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
        }).observe({ type: 'layout-shift', buffered: true });`,
    });
    await page.goto(`${server.url}${measured.path}`);
    await atRest(page, measured.path);
    return await page.evaluate<number>('window.shifted');
  } finally {
    await chrome.stop();
  }
}

/** Entries of the side menu by the id of their element. Neighbours differ, so that each step is a change. */
const ROUND = ['events', 'programmes', 'sessions', 'template', 'profile', 'faq', 'features', 'package', 'dashboard'];

/** In the page: remembers the last click, and reports when a page was painted. */
const WATCH = `(() => {
  let clicked = 0;
  addEventListener('click', ({ timeStamp }) => { clicked = timeStamp; }, { capture: true });
  window.painted = (heading, elements) => new Promise((resolve, reject) => {
    const deadline = performance.now() + 20000;
    const look = () => {
      const main = document.querySelector('main');
      const there = clicked > 0
        && document.querySelector('h1')?.textContent === heading
        && main !== null && main.querySelector('[aria-busy=true]') === null
        && main.querySelectorAll('*').length >= elements;
      if (!there) {
        if (performance.now() > deadline) reject(new Error('no ' + heading + ' with ' + elements + ' elements: '
          + document.querySelector('h1')?.textContent + ' ' + main?.querySelectorAll('*').length));
        else requestAnimationFrame(look);
        return;
      }
      // The next task runs after this frame has been painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { resolve(performance.now() - clicked); clicked = 0; };
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  });
})()`;

/** Unfolds the part of the menu that contains an entry. It folds again when another page opens. */
async function reveal(page: Target, id: string): Promise<void> {
  const visible = `document.getElementById(${JSON.stringify(id)}).checkVisibility()`;
  if (await page.evaluate<boolean>(visible)) return;
  await press(page, 'help');
  await until(`the entry ${id}`, () => page.evaluate<boolean>(visible));
}

async function press(page: Target, id: string): Promise<void> {
  const at = await page.evaluate<{ x: number; y: number }>(`(() => {
    const element = document.getElementById(${JSON.stringify(id)});
    element.scrollIntoView({ block: 'nearest' });
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  })()`);
  const mouse = (type: string, more = {}) => page.send('Input.dispatchMouseEvent', { type, ...at, ...more });
  await mouse('mouseMoved');
  await mouse('mousePressed', { button: 'left', clickCount: 1 });
  await mouse('mouseReleased', { button: 'left', clickCount: 1 });
}

/** Of each change, in ms: from the click to the painted page, and the CPU time of the page's main thread in that
 * time. */
interface Times {
  wall: number[];
  cpu: number[];
}

/** CPU time of the page's main thread so far, in ms. */
async function mainThreadMs(page: Target): Promise<number> {
  const { metrics } = await page.send<{ metrics: { name: string; value: number }[] }>('Performance.getMetrics');
  const time = metrics.find(({ name }) => name === 'ThreadTime');
  if (!time) throw new Error('this Chromium does not tell the CPU time of the main thread');
  return time.value * 1000;
}

/** Goes through the menu repeatedly. Returns the times of each change by the entry that was pressed. */
async function pageChanges(server: Fieldroom): Promise<Map<string, Times>> {
  const chrome = await startChrome();
  try {
    const page = await newWindow(chrome);
    await signInPage(server, page);
    await page.goto(`${server.url}/app/dashboard`);
    await atRest(page, 'dashboard');
    await page.evaluate(WATCH);
    await page.send('Performance.enable');
    // The first round fetches code, texts and data.
    const rests = new Map<string, Rest>();
    let before = '';
    for (const id of ROUND) {
      await reveal(page, id);
      await press(page, id);
      await until(`the page of ${id}`, () =>
        page.evaluate<boolean>(`document.querySelector('h1')?.textContent !== ${JSON.stringify(before)}`),
      );
      const rest = await atRest(page, id);
      before = rest.heading;
      rests.set(id, rest);
    }
    const times = new Map<string, Times>(ROUND.map((id) => [id, { wall: [], cpu: [] }]));
    for (let again = 0; again < CHANGES; again++)
      for (const id of ROUND) {
        const { heading, elements } = rests.get(id)!;
        await reveal(page, id);
        const { wall, cpu } = times.get(id)!;
        const started = await mainThreadMs(page);
        const painted = page.evaluate<number>(`window.painted(${JSON.stringify(heading)}, ${elements})`);
        await press(page, id);
        wall.push(await painted);
        cpu.push((await mainThreadMs(page)) - started);
        // Requests still running in the background belong to this page.
        await sleep(250);
      }
    page.close();
    return times;
  } finally {
    await chrome.stop();
  }
}

await program(async () => {
  await buildIfChanged('web');
  const frontPort = HTTP2 ? await freePort() : null;
  const frontUrl = `https://127.0.0.1:${frontPort}`;
  const server = await startFieldroom(HTTP2 ? { PUBLIC_URL: frontUrl, TRUST_PROXY: '1' } : {});
  const stopFront = frontPort === null ? null : await startFront(frontPort, server.port);
  /** The front that Lighthouse uses. */
  const met: Fieldroom = HTTP2 ? { ...server, url: frontUrl } : server;
  const { content } = await server.call(upcomingEvents, {
    params: { therapistName: 'anna' },
    query: { page: '0', size: '20' },
    body: {},
  });
  const shown = content.find(({ files }) => files.length > 0) ?? content[0];
  if (!shown) throw new Error('the demo practice offers no event');

  const loadOfChanges = loadavg()[0] ?? NaN;
  const changes = ONLY === '' || ONLY === 'changes' ? await pageChanges(server) : new Map<string, Times>();
  const measured: { page: MeasuredPage; runs: Scores[]; deskShift: number }[] = [];
  for (const page of pagesOf(shown.id).filter(({ name }) => ONLY === '' || name.includes(ONLY))) {
    const runs: Scores[] = [];
    for (let run = 0; run < RUNS; run++) {
      runs.push(await lighthouseRun(met, page));
      const { wall, cpu, shift, load } = runs.at(-1)!;
      console.log(
        `${page.name}: ${JSON.stringify(wall)}, by CPU time ${cpu}, shift ${show(shift, 3)}, load ${show(load, 1)}`,
      );
    }
    measured.push({ page, runs, deskShift: await deskShift(met, page) });
  }
  await stopFront?.();
  await server.stop();

  const of = (runs: readonly Scores[], what: (scores: Scores) => number) => runs.map(what);
  const best = (values: readonly number[]) => Math.max(...values);
  const scoreRows = measured.map(({ page, runs, deskShift: desk }): Row => ({
    'Lighthouse, mobile': page.name,
    'performance, best': best(of(runs, ({ wall }) => wall['performance']!)),
    median: median(of(runs, ({ wall }) => wall['performance']!)),
    'by CPU time, median': median(of(runs, ({ cpu }) => cpu)),
    accessibility: median(of(runs, ({ wall }) => wall['accessibility']!)),
    'best practices': median(of(runs, ({ wall }) => wall['best-practices']!)),
    SEO: page.categories.includes('seo') ? median(of(runs, ({ wall }) => wall['seo']!)) : '–',
    'FCP ms': Math.round(median(of(runs, ({ timings }) => timings['first-contentful-paint']!))),
    'LCP ms': Math.round(median(of(runs, ({ timings }) => timings['largest-contentful-paint']!))),
    'TBT ms': Math.round(median(of(runs, ({ timings }) => timings['total-blocking-time']!))),
    'shift, phone': show(median(of(runs, ({ shift }) => shift)), 3),
    'shift, desk': show(desk, 3),
    load: show(median(of(runs, ({ load }) => load)), 1),
  }));
  const changeRows = [...changes].map(([id, { wall, cpu }]): Row => ({
    'Change to': id,
    'median ms': show(median(wall), 1),
    'p95 ms': show(percentile(wall, 0.95), 1),
    'CPU median ms': show(median(cpu), 1),
    'CPU p95 ms': show(percentile(cpu, 0.95), 1),
  }));
  const all = [...changes.values()].flatMap(({ wall }) => wall);
  const allCpu = [...changes.values()].flatMap(({ cpu }) => cpu);
  const aims: Aim[] = [
    ...measured.flatMap(({ page, runs, deskShift: desk }): Aim[] => {
      const lowest = Math.min(...page.categories.map((category) => best(runs.map(({ wall }) => wall[category] ?? 0))));
      const shift = Math.max(median(runs.map(({ shift: phone }) => phone)), desk);
      return [
        {
          what: `${page.name}: lowest score`,
          aim: `≥ ${page.aim}`,
          measured: String(lowest),
          reached: lowest >= page.aim,
        },
        {
          what: `${page.name}: shift`,
          aim: `≤ ${SHIFT_MAX}`,
          measured: show(shift, 3),
          reached: shift <= SHIFT_MAX,
        },
      ];
    }),
    ...(all.length > 0
      ? [
          {
            what: 'change of page, CPU time of the main thread, p95',
            aim: `≤ ${CHANGE_MAX_MS} ms`,
            measured: `${show(percentile(allCpu, 0.95), 1)} ms`,
            reached: percentile(allCpu, 0.95) <= CHANGE_MAX_MS,
          },
          {
            what: 'change of page, p95',
            aim: `≤ ${CHANGE_MAX_MS} ms`,
            measured: `${show(percentile(all, 0.95), 1)} ms`,
            reached: percentile(all, 0.95) <= CHANGE_MAX_MS,
          },
        ]
      : []),
  ];
  const weak = measured.flatMap(({ page, runs }) =>
    [...new Set(runs.flatMap((run) => run.weak))].map((audit) => `${page.name}: ${audit}`),
  );
  await keep(
    `pages${HTTP2 ? '-http2' : ''}${ONLY === '' ? '' : '-part'}`,
    'Pages: Lighthouse, layout shift, change of page',
    [
      [
        `Real server, built web, demo practice. Lighthouse: ${RUNS} runs with its mobile profile (simulated slow network`,
        `and phone), each in a fresh profile with an empty cache; the aims are for the best run. \`load\` is the load of`,
        `the machine at the time. Lighthouse met the server`,
        HTTP2 ? 'behind a proxy, over HTTP/2.' : 'itself, over HTTP/1.1.',
      ].join(' '),
      ...(scoreRows.length > 0 ? [table(scoreRows)] : []),
      ...(changeRows.length > 0
        ? [
            [
              `From the click to the end of the frame that paints the whole page, ${CHANGES} rounds through the side menu`,
              `after a first one that fetched everything; load ${show(loadOfChanges, 1)}. All together: median`,
              `${show(median(all), 1)} ms, p95 ${show(percentile(all, 0.95), 1)} ms; CPU time of the page's main thread:`,
              `median ${show(median(allCpu), 1)} ms, p95 ${show(percentile(allCpu, 0.95), 1)} ms.`,
            ].join(' '),
            table(changeRows),
          ]
        : []),
      table(aimRows(aims)),
      ...(weak.length > 0 ? [`Audits below 0.9 in any run:\n\n${weak.map((line) => `- ${line}`).join('\n')}`] : []),
    ],
    { measured, changes: Object.fromEntries(changes), aims },
  );
});
