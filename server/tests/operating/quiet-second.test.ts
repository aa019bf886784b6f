/** What a server asks PostgreSQL for every second, also while nobody is there. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testApp, type TestApp } from '../support/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test('the sweeps of a second ask with one statement while nothing is due', async () => {
  const { app } = t;
  const sweeps = ['sessions.sweep', 'clients.sweep', 'usage.sweep'];
  // The first time, connections are made.
  await Promise.all(sweeps.map((name) => app.jobs.runNow(name)));
  const queries = [app.db, app.roomDb].map(({ $client }) => vi.spyOn($client, 'query'));
  await Promise.all(sweeps.map((name) => app.jobs.runNow(name)));
  expect(queries.flatMap(({ mock }) => mock.calls)).toHaveLength(1);
});
