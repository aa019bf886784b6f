/** The running server gives memory back. */
import { afterEach, expect, test, vi } from 'vitest';
import { testApp } from '../support/test-app.ts';

afterEach(() => vi.unstubAllGlobals());

test('a server that runs for long collects once nobody is connected, and once only', async () => {
  const collect = vi.fn();
  vi.stubGlobal('gc', collect);
  const { app, close } = await testApp({ longRunning: true });
  try {
    await app.jobs.runNow('memory.collect');
    expect(collect).not.toHaveBeenCalled();
    for (let look = 0; look < 3; look += 1) await app.jobs.runNow('memory.collect');
    expect(collect).toHaveBeenCalledTimes(1);
  } finally {
    await close();
  }
});
