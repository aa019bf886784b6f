/** The operator's numbers, when one of them cannot be read. */
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
