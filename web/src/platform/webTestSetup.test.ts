// @vitest-environment happy-dom
/** What `web/build/testSetup.ts` adds to happy-dom. */
import { expect, test } from 'vitest';

declare global {
  interface Window {
    happyDOM: { abort: () => Promise<void> };
  }
}

test('a timer that starts while the window ends does not keep it open', async () => {
  let fired = false;
  const ended = window.happyDOM.abort();
  window.setTimeout(() => {
    fired = true;
  }, 300_000);
  await ended;
  expect(fired).toBe(false);
});
