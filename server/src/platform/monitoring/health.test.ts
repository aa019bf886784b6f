/** What the proxy is told of a node that leaves; the rest of health is tested in `server/tests/app.test.ts`. */
import { expect, test, vi } from 'vitest';
import { logSpy, testConfig } from '../../../tests/support/test-app.ts';
import { createHttp } from '../http/http.ts';
import { mountHealth } from './health.ts';
import { createMetrics } from './metrics.ts';

test('a node that leaves asks for nobody more, whether its parts answer or not', async () => {
  const config = testConfig();
  const metrics = createMetrics({ processNumbers: false });
  const identify = async () => null;
  const http = await createHttp({ config, log: logSpy().log, metrics, gates: {}, identify, maxLagMs: 0 });
  let leaving = false;
  mountHealth({ http, metrics, config, checks: { all: async () => {} }, isLeaving: () => leaving });
  const url = await http.listen();
  const health = async () => {
    const answer = await fetch(`${url}/healthz`);
    return [answer.status, await answer.json()];
  };
  expect(await health()).toEqual([200, { status: 'ok' }]);
  leaving = true;
  expect(await health()).toEqual([503, { status: 'leaving' }]);
  await http.close();
});

test('however many ask whether the parts answer, each part is asked once at a time', async () => {
  const config = testConfig();
  const metrics = createMetrics({ processNumbers: false });
  const identify = async () => null;
  const http = await createHttp({ config, log: logSpy().log, metrics, gates: {}, identify, maxLagMs: 0 });
  let answer = () => {};
  const check = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
  mountHealth({ http, metrics, config, checks: { all: check } });
  await http.finish();
  const asked = [1, 2, 3].map(() => http.fastify.inject('/readyz'));
  await vi.waitFor(() => expect(check).toHaveBeenCalled());
  // All three are in: calls of `inject` begin in this turn of the loop.
  await new Promise(setImmediate);
  answer();
  expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(check).toHaveBeenCalledOnce();
  const again = http.fastify.inject('/readyz');
  await vi.waitFor(() => expect(check).toHaveBeenCalledTimes(2));
  answer();
  expect((await again).statusCode).toBe(200);
  await http.close();
});
