/** The operator's numbers: when one of them cannot be read, and those of calls beside a histogram of prom-client. */
import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('a number that cannot be read costs no other', async () => {
  const metrics = createMetrics({ processNumbers: false });
  let isThere = false;
  metrics.gauge('mail_waiting', 'From the database', async () => {
    if (!isThere) throw new Error('no database');
    return 3;
  });
  metrics.gauge('database_waiting', 'From memory', () => 12);
  expect(await metrics.text()).toMatch(/^mail_waiting Nan$/im);
  expect(await metrics.text()).toMatch(/^database_waiting 12$/m);
  isThere = true;
  expect(await metrics.text()).toMatch(/^mail_waiting 3$/m);
});

test('calls are counted as a histogram of prom-client counts them', async () => {
  const metrics = createMetrics({ processNumbers: false });
  const registry = new Registry();
  const theirs = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP calls',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const observe = (method: string, route: string, status: number, seconds: number) => {
    metrics.observeRequest(method, route, status, seconds);
    theirs.observe({ method, route, status: String(status) }, seconds);
  };
  for (const seconds of [0, 0.001, 0.005, 0.0051, 0.3, 2.5, 9.99, 10, 11, 600]) {
    observe('POST', '/api/event/:eventId', 409, seconds);
    observe('GET', '/a "quoted"\\part', 200, seconds * 2);
  }
  observe('POST', '/api/event/:eventId', 200, 0.02);
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');
  expect(lines(await metrics.text())).toEqual(lines(await registry.metrics()));
});
