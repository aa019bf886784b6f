/**
 * First load of a public event page, and Lighthouse (mobile) on it in all four categories, because search engines
 * should find it. See README.md. Settings: BENCH_ROUNDS (3 Lighthouse runs), CHROME_PATH.
 */
import { upcomingEvents } from '@fieldroom/contract/events';

import { startFieldroom } from '../lib/service/fieldroom.ts';
import { firstLoad, judge, KINDS } from '../lib/browser/first-load.ts';
import { judgeByCpuTime } from '../lib/browser/lighthouse-tasks.ts';
import { type Aim, aimRows, keep, kilobytes, median, type Row, setting, table } from '../lib/numbers.ts';
import { buildIfChanged, program } from '../lib/service/processes.ts';

const RUNS = setting('BENCH_ROUNDS', 3);
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const SCRIPT_MAX = 120_000;

await program(async () => {
  await buildIfChanged('web');
  const server = await startFieldroom();
  const { content } = await server.call(upcomingEvents, {
    params: { therapistName: 'anna' },
    query: { page: '0', size: '20' },
    body: {},
  });
  // An event with a picture if there is one, because it has most to load.
  const shown = content.find(({ files }) => files.length > 0) ?? content[0];
  if (!shown) throw new Error('the demo practice offers no event');
  const path = `/event/anna/${shown.id}`;
  // The server renders the page; the script that hydrates it loads afterwards, before the network is quiet.
  const { bytes, files } = await firstLoad(server, path, 'h1', false);
  const head = await fetch(`${server.url}${path}`).then((answer) => answer.text());
  if (!head.includes(shown.eventName))
    throw new Error('the server does not write the event into its page: this would measure another one');
  const { scores, timings, weakAudits } = await judge(`${server.url}${path}`, CATEGORIES, RUNS);
  const byCpuTime = await judgeByCpuTime(`${server.url}${path}`, RUNS);
  await server.stop();

  const inHtml = {
    title: /<title>[^<]+<\/title>/.test(head),
    description: /<meta name="description" content="[^"]+"/.test(head),
    picture: /<meta property="og:image" content="[^"]+"/.test(head),
    'structured data': /<script type="application\/ld\+json"/.test(head),
    'the page itself': /<h1[^>]*>[^<]+<\/h1>/.test(head),
  };
  const score = (category: string) => Math.round(median(scores[category]!));
  const aims: Aim[] = [
    {
      what: 'script',
      aim: '≤ 120 kB',
      measured: `${kilobytes(bytes.script)} kB`,
      reached: bytes.script <= SCRIPT_MAX,
    },
    ...CATEGORIES.map((category) => ({
      what: `Lighthouse ${category}`,
      aim: '≥ 95',
      measured: String(score(category)),
      reached: score(category) >= 95,
    })),
    {
      what: 'Lighthouse performance, with tasks by CPU time',
      aim: '≥ 95',
      measured: String(Math.round(median(byCpuTime.scores))),
      reached: Math.round(median(byCpuTime.scores)) >= 95,
    },
    ...Object.entries(inHtml).map(([what, there]) => ({
      what: `${what} in the HTML that the server sends`,
      aim: 'yes',
      measured: there ? 'yes' : 'no',
      reached: there,
    })),
  ];
  const row: Row = {
    'First load': 'event page',
    ...Object.fromEntries(KINDS.map((kind) => [`${kind} kB`, kilobytes(bytes[kind])])),
    'all kB': kilobytes(Object.values(bytes).reduce((a, b) => a + b)),
    requests: files.length,
  };
  await keep(
    'event-page',
    'Public event page',
    [
      [
        `Bytes over the wire with headers (kB = 1,000 bytes), fresh profile, real server, built web, an event of the`,
        `demo practice${shown.files.length > 0 ? ' with a picture' : ' without a picture'}. Lighthouse: ${RUNS} runs,`,
        `mobile profile with its simulated slow network, medians.`,
      ].join(' '),
      table([row]),
      table(aimRows(aims)),
      table(
        Object.entries(timings).map(([audit, values]): Row => ({
          'Lighthouse, mobile profile': audit,
          median: audit === 'cumulative-layout-shift' ? median(values).toFixed(3) : `${Math.round(median(values))} ms`,
        })),
      ),
      [
        `In wall time a task takes longer when other programs use the machine; in CPU time the total blocking time is`,
        `${Math.round(median(byCpuTime.blocking))} ms.`,
      ].join(' '),
      table(
        files
          .slice(0, 14)
          .map((file): Row => ({ 'Largest files': file.path, kB: kilobytes(file.bytes), encoding: file.encoding })),
      ),
      ...(weakAudits.size > 0 ? [`Audits below 0.9 in any run: ${[...weakAudits].join('; ')}.`] : []),
    ],
    { bytes, files, scores, timings, byCpuTime, aims, weakAudits: [...weakAudits] },
  );
});
