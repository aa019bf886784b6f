/** What Prometheus and Grafana get from `deploy/monitoring` holds for the metrics that there are. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { aBooking } from '../../src/builders/bookings.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { createMetrics } from '../../src/platform/monitoring/metrics.ts';
import { hasRedis, type TestRedis, testRedis } from '../support/programs/redis.ts';
import { testApp, type TestApp } from '../support/test-app.ts';

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
/** Names in PromQL that are no metrics. */
const WORDS =
  /\b(?:sum|count|rate|increase|delta|changes|max|min|by|and|or|on|le|instance|status|job|node|vector|histogram_quantile|avg_over_time)\b/g;
/** The metrics that an expression names. */
const metricsIn = (expression: string): string[] => [
  ...new Set(
    expression
      .replaceAll(/"[^"]*"|\[\w+\]/g, '')
      .replaceAll(WORDS, '')
      .match(/\b[a-z][a-z_]+\b/g),
  ),
];

const METRICS = 'server/src/platform/monitoring/metrics.ts';
const TOKEN = 'a-token-of-the-operator';
/** Those that only several nodes have. Without a Redis on this machine they are not compared. */
const ofNodes = (name: string) => name === 'nodes' || name.startsWith('bus_');
let t: TestApp;
let redis: TestRedis | null = null;
/** Values of the metrics by name, without labels. */
const numbersIn = (text: string) =>
  new Map([...text.matchAll(/^(\w+)(?:\{[^}]*\})? (\S+)$/gm)].map(([, name, value]) => [name!, Number(value)]));
const numbers = async () =>
  numbersIn(
    await t.fetch('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } }).then((answer) => answer.text()),
  );
let values: Map<string, number>;
beforeAll(async () => {
  redis = hasRedis ? await testRedis() : null;
  t = await testApp({ env: { METRICS_TOKEN: TOKEN, ...(redis && { REDIS_URL: redis.url }) } });
  await t.fetch('/healthz');
  // Test servers leave out the numbers of the process.
  values = new Map([...numbersIn(await createMetrics().text()), ...(await numbers())]);
});
afterAll(async () => {
  await t.close();
  await redis?.stop();
});

test('alarms and board ask for metrics that there are', async () => {
  const alarms = await read('deploy/monitoring/alarms.yml');
  const board = JSON.parse(await read('deploy/monitoring/board.json')) as {
    panels: { id: number; title: string; targets: { expr: string }[] }[];
  };
  const expressions = [
    ...[...alarms.matchAll(/expr: (?:>-\n)?([\s\S]*?)\n {8}(?:for|labels):/g)].map(([, expression]) => expression!),
    ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(40);
  // `up` is Prometheus' own.
  const missing = expressions
    .flatMap(metricsIn)
    .filter((name) => name !== 'up' && !values.has(name) && !(redis === null && ofNodes(name)));
  expect(missing).toEqual([]);
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
});

test('alarms and board subtract from the lag of the event loop the time between two looks', async () => {
  const seconds = Number(/eventLoopMonitoringPrecision: (\d+)/.exec(await read(METRICS))![1]) / 1000;
  for (const file of ['deploy/monitoring/alarms.yml', 'deploy/monitoring/board.json'])
    expect((await read(file)).match(/nodejs_eventloop_lag_p99_seconds\{[^}]*\}(?: - [\d.]+)?/g), file).toEqual([
      expect.stringMatching(new RegExp(`\\} - ${seconds}$`)),
    ]);
});

test('each alarm and each metric of ours stands in the manual', async () => {
  const manual = await read('docs/operate.md');
  const alarms = [...(await read('deploy/monitoring/alarms.yml')).matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
  expect(alarms).toHaveLength(19);
  const explained = [...manual.matchAll(/^\| `(Fieldroom\w+)` \|/gm)].map(([, name]) => name);
  expect(explained).toEqual(alarms);
  const ours = [...values.keys()].filter((name) => !/^(?:process|nodejs)_|_(?:bucket|sum|count)$/.test(name));
  expect(ours.filter((name) => !manual.includes(`\`${name}\``))).toEqual([]);
  expect(manual).toContain('`http_request_duration_seconds`');
});

test('live sessions are counted while they run', async () => {
  expect(values.get('rooms_live')).toBe(0);
  await t.app.sessions.open((await aTherapist(t.db)).id);
  expect((await numbers()).get('rooms_live')).toBe(1);
});

test('places are counted while they are held', async () => {
  expect(values.get('bookings_held')).toBe(0);
  const event = await anEvent(t.db, { therapistId: (await aTherapist(t.db)).id });
  await aBooking(t.db, { eventId: event.id, state: 'HELD' });
  expect((await numbers()).get('bookings_held')).toBe(1);
});
