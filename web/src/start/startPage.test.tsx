/** When a document with the UI kit draws its first page. */
import { afterEach, expect, test, vi } from 'vitest';
import { drawPage } from './startPage.tsx';

afterEach(() => {
  vi.useRealTimers();
});

test('a page waits for its preparations, but at most a second', async () => {
  const element = document.createElement('div');
  const asked = Promise.withResolvers<void>();
  const prepare = () => {
    // Only now, because loading the texts uses timers, too.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    asked.resolve();
    return new Promise(() => undefined);
  };
  const drawn = drawPage(element, <p>Here</p>, [], prepare);
  await asked.promise;
  await vi.advanceTimersByTimeAsync(999);
  expect(element.textContent).toBe('');
  await vi.advanceTimersByTimeAsync(1);
  await drawn;
  await vi.waitFor(() => expect(element.textContent).toBe('Here'));
});

test('a page whose preparations fail is drawn at once', async () => {
  const element = document.createElement('div');
  await drawPage(element, <p>Here</p>, [], () => Promise.reject(new Error('no line')));
  await vi.waitFor(() => expect(element.textContent).toBe('Here'));
});
