/** The guard against an event loop that is behind. Time is simulated: nothing here waits or measures. */
import { endpoint, type Access } from '@fieldroom/contract/http';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { logSpy, testConfig } from '../../../tests/support/test-app.ts';
import { createMetrics } from '../monitoring/metrics.ts';
import { createHttp, type Http } from './http.ts';
import { type LagMeasure, watchLag } from './lag.ts';

/** A loop whose timer fires when the test says so. */
function aLoop() {
  let clock = 1_000_000;
  const looks = new Map<object, { ms: number; look: () => void }>();
  const measure: LagMeasure = {
    now: () => clock,
    every(ms, look) {
      const key = {};
      looks.set(key, { ms, look });
      return () => looks.delete(key);
    },
  };
  return {
    measure,
    watched: () => looks.size,
    /** The timer fires, this many milliseconds late. */
    fires(late = 0) {
      for (const { ms, look } of looks.values()) {
        clock += ms + late;
        look();
      }
    },
  };
}

describe('watching the lag', () => {
  test('says late only while the last look came later than it may', () => {
    const loop = aLoop();
    const { isLate } = watchLag(2000, loop.measure);
    expect(isLate()).toBe(false);
    loop.fires(2000);
    expect(isLate()).toBe(false);
    loop.fires(2001);
    expect(isLate()).toBe(true);
    // Late once, then in time again: the delay does not count for the next look.
    loop.fires();
    expect(isLate()).toBe(false);
  });

  test('counts each look from the one before, so that small delays do not add up', () => {
    const loop = aLoop();
    const { isLate } = watchLag(2000, loop.measure);
    for (let nth = 0; nth < 50; nth++) {
      loop.fires(300);
      expect(isLate()).toBe(false);
    }
  });

  test('a look that comes early is not late', () => {
    const loop = aLoop();
    const { isLate } = watchLag(1, loop.measure);
    loop.fires(-400);
    expect(isLate()).toBe(false);
  });

  test('nothing is watched where nothing is ever late, nor after the end', () => {
    const loop = aLoop();
    const never = watchLag(0, loop.measure);
    expect(loop.watched()).toBe(0);
    expect(never.isLate()).toBe(false);
    const { stop } = watchLag(10, loop.measure);
    expect(loop.watched()).toBe(1);
    stop();
    expect(loop.watched()).toBe(0);
  });
});

describe('calls while the loop is behind', () => {
  type Values = Record<Access, unknown> & { anyone: null };
  const ping = endpoint({ method: 'GET', path: '/api/ping', access: 'anyone', summary: 'Answers', reply: z.number() });
  let http: Http<null, Values> | undefined;
  afterEach(() => http?.close());

  test('are turned away before anybody works on them, with the time to wait, and taken again afterwards', async () => {
    const loop = aLoop();
    let worked = 0;
    http = await createHttp<null, Values>({
      config: testConfig({}),
      log: logSpy().log,
      metrics: createMetrics({ processNumbers: false }),
      gates: { anyone: () => null },
      identify: async () => null,
      maxLagMs: 2000,
      lagMeasure: loop.measure,
    });
    http.handle(ping, () => (worked += 1));
    http.fastify.get('/assets/page.js', () => 'export {};');
    const url = await http.listen();
    const ask = async () => {
      const answer = await fetch(`${url}/api/ping`);
      return [answer.status, answer.headers.get('retry-after'), ((await answer.json()) as { code?: string }).code];
    };
    expect(await ask()).toEqual([200, null, undefined]);
    loop.fires(5000);
    expect(await ask()).toEqual([503, '5', 'shutting_down']);
    expect(worked).toBe(1);
    // A page without one of its files could not even try again.
    expect((await fetch(`${url}/assets/page.js`)).status).toBe(200);
    loop.fires();
    expect(await ask()).toEqual([200, null, undefined]);
    await http.close();
    expect(loop.watched()).toBe(0);
  });
});
