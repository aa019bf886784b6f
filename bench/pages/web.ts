/**
 * First load of the join page and of the play area: bytes over the network by kind, from an empty browser profile, and
 * Lighthouse (mobile) on the join page. See README.md. Settings: BENCH_ROUNDS (5 Lighthouse runs), CHROME_PATH.
 */
import { startFieldroom } from '../lib/service/fieldroom.ts';
import { firstLoad, judge, KINDS } from '../lib/browser/first-load.ts';
import { type Aim, aimRows, keep, kilobytes, median, type Row, setting, table } from '../lib/numbers.ts';
import { buildIfChanged, program } from '../lib/service/processes.ts';

const RUNS = setting('BENCH_ROUNDS', 5);
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

await program(async () => {
  await buildIfChanged('web');
  const server = await startFieldroom();
  const join = await firstLoad(server, '/user/join/anna', 'input', false);
  const play = await firstLoad(server, '/app/play-area', '[data-testid=field]', true);

  const { scores, timings, weakAudits } = await judge(`${server.url}/user/join/anna`, CATEGORIES, RUNS);
  await server.stop();

  const sizes = [
    ['join', join],
    ['play area', play],
  ] as const;
  const rows = sizes.map(([name, { bytes, files }]): Row => ({
    'First load': name,
    ...Object.fromEntries(KINDS.map((kind) => [`${kind} kB`, kilobytes(bytes[kind])])),
    'all kB': kilobytes(Object.values(bytes).reduce((a, b) => a + b)),
    'script files': files.filter((file) => file.kind === 'script').length,
    'of script headers kB': kilobytes(
      files.filter((file) => file.kind === 'script').reduce((sum, file) => sum + file.bytes - file.body, 0),
    ),
    requests: files.length,
  }));
  const largest = sizes.flatMap(([name, { files }]) =>
    files.slice(0, 14).map((file): Row => ({
      'Largest files': `${name} ${file.path}`,
      kB: kilobytes(file.bytes),
      encoding: file.encoding,
    })),
  );
  const score = (category: string) => Math.round(median(scores[category]!));
  const aims: Aim[] = [
    {
      what: 'join, script',
      aim: '≤ 100 kB',
      measured: `${kilobytes(join.bytes.script)} kB`,
      reached: join.bytes.script <= 100_000,
    },
    {
      what: 'play area, script',
      aim: '≤ 170 kB',
      measured: `${kilobytes(play.bytes.script)} kB`,
      reached: play.bytes.script <= 170_000,
    },
    ...CATEGORIES.map((category) => ({
      what: `Lighthouse ${category}, join`,
      aim: '≥ 95',
      measured: String(score(category)),
      reached: score(category) >= 95,
    })),
  ];
  const timingRows = Object.entries(timings).map(([audit, values]): Row => ({
    'Lighthouse, mobile profile': audit,
    median: audit === 'cumulative-layout-shift' ? median(values).toFixed(3) : `${Math.round(median(values))} ms`,
  }));
  await keep(
    'web',
    'First load of join page and play area',
    [
      [
        `Bytes over the wire with headers (kB = 1,000 bytes), fresh profile, real server, built web.`,
        `Lighthouse: ${RUNS} runs, mobile profile with its simulated slow network, medians.`,
        `Search engines must not index the page, so the category SEO is left out.`,
      ].join(' '),
      table(rows),
      table(aimRows(aims)),
      table(timingRows),
      table(largest),
      ...(weakAudits.size > 0 ? [`Audits below 0.9 in any run: ${[...weakAudits].join('; ')}.`] : []),
    ],
    { sizes: Object.fromEntries(sizes), scores, timings, aims, weakAudits: [...weakAudits] },
  );
});
