// @vitest-environment happy-dom
/** The product's clock, for all parts of a page that need it when the page starts. */
import { afterEach, expect, test, vi } from 'vitest';
import { ApiProblem } from '../api/request.ts';
import { askClock } from './askClock.ts';
import { sharedClock } from './sharedClock.ts';

const NOW = '2026-12-01T09:00:00Z';
const answer = () =>
  Response.json({ clock: { anchorReal: NOW, anchorProduct: NOW, speed: 1, serverNow: NOW }, demo: null });
/** A server whose answers wait until they are released. Returns the addresses that were asked for. */
function server(respond: () => Response = answer) {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return new Promise<Response>((resolve) => waiting.push(() => resolve(respond())));
  });
  return { asked, release: () => waiting.splice(0).forEach((go) => go()) };
}
afterEach(() => vi.unstubAllGlobals());

test('a caller that asks while a request is on its way gets its answer', async () => {
  const { asked, release } = server();
  const both = Promise.all([askClock(), askClock(), sharedClock()]);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  release();
  const [one, other] = await both;
  expect(other).toBe(one);
  expect(asked).toEqual(['/api/public/config']);
});

test('neither an answer nor a fault is kept: a later caller asks the server again', async () => {
  const refusing = server(() => Response.json({ code: 'unavailable', status: 503 }, { status: 503 }));
  const refused = askClock().catch((fault: unknown) => fault);
  await vi.waitFor(() => expect(refusing.asked).toHaveLength(1));
  refusing.release();
  expect(await refused).toBeInstanceOf(ApiProblem);
  const { asked, release } = server();
  for (const times of [1, 2]) {
    const clock = askClock();
    await vi.waitFor(() => expect(asked).toHaveLength(times));
    release();
    expect((await clock).now()).toBeGreaterThanOrEqual(Date.parse(NOW));
  }
});
