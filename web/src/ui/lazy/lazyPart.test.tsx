/** Parts whose code could not be fetched. */
import { act, cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import en from '../../locales/en/common.json';
import { type LazyPart, lazyPart, useLazyPart, useWarmUp } from './lazyPart.ts';

const LINE = en.notFetched.text;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(i18next, 't').mockImplementation(((key: string) => (key === 'notFetched.text' ? LINE : key)) as never);
});
afterEach(async () => {
  cleanup();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const line = () => screen.queryByText(LINE);
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** A part whose code arrives while `server.up` is true. */
function failingPart() {
  const server = { up: false };
  const fetchIt = vi.fn(async () => {
    if (!server.up) throw new TypeError('Failed to fetch');
    return 'here';
  });
  return { server, fetchIt, part: lazyPart(fetchIt) };
}

interface DrawnProps {
  part: LazyPart<string>;
  wanted?: boolean;
  onFailed?: () => void;
}
function Drawn({ part, wanted = true, onFailed }: DrawnProps) {
  return <p>{useLazyPart(part, wanted, onFailed) ?? 'nothing'}</p>;
}
async function draw(props: DrawnProps) {
  const drawn = render(<Drawn {...props} />);
  await later(0);
  return drawn;
}

test('11.36 a wanted part arrives with the connection', async () => {
  const { server, fetchIt, part } = failingPart();
  await draw({ part });
  expect(screen.getByText('nothing')).toBeTruthy();
  server.up = true;
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(screen.getByText('here')).toBeTruthy();
  await later(600_000);
  window.dispatchEvent(new Event('online'));
  expect(fetchIt).toHaveBeenCalledTimes(2);
});

test('a part that arrives between drawing and effects is shown', async () => {
  let there: string | null = null;
  /** Runs in the order of effects: before the part's effect. */
  function Before() {
    useEffect(() => {
      there = 'here';
    });
    return null;
  }
  const part: LazyPart<string> = { get: () => there, load: () => Promise.reject(new Error('is there')) };
  render(
    <>
      <Before />
      <Drawn part={part} />
    </>,
  );
  expect(screen.getByText('here')).toBeTruthy();
});

test('11.36 a wanted part is fetched again after 5 s, then at growing intervals', async () => {
  const { server, fetchIt, part } = failingPart();
  await draw({ part });
  await later(4999);
  expect(fetchIt).toHaveBeenCalledTimes(1);
  await later(1);
  expect(fetchIt).toHaveBeenCalledTimes(2);
  await later(9999);
  expect(fetchIt).toHaveBeenCalledTimes(2);
  await later(1);
  expect(fetchIt).toHaveBeenCalledTimes(3);
  await later(600_000);
  const times = fetchIt.mock.calls.length;
  server.up = true;
  await later(60_000);
  expect(screen.getByText('here')).toBeTruthy();
  expect(fetchIt).toHaveBeenCalledTimes(times + 1);
});

test('11.36 a part that is no longer wanted is not fetched again', async () => {
  const { fetchIt, part } = failingPart();
  const { rerender } = await draw({ part });
  rerender(<Drawn part={part} wanted={false} />);
  window.dispatchEvent(new Event('online'));
  await later(600_000);
  expect(fetchIt).toHaveBeenCalledTimes(1);
});

test('11.36 a part that nobody pressed for fails silently', async () => {
  await draw({ part: failingPart().part });
  expect(line()).toBeNull();
});

test('11.36 after a press, the fault is shown until the part arrives', async () => {
  const { server, part } = failingPart();
  const onFailed = vi.fn();
  await draw({ part, onFailed });
  expect(screen.getByRole('alert').textContent).toBe(LINE);
  server.up = true;
  await later(5000);
  expect(screen.getByText('here')).toBeTruthy();
  expect(line()).toBeNull();
  expect(onFailed).toHaveBeenCalledTimes(1);
});

test('11.36 the fault disappears after some seconds and is shown once for each press', async () => {
  const { part } = failingPart();
  const onFailed = vi.fn();
  const { rerender } = await draw({ part, onFailed });
  await later(8000);
  expect(line()).toBeNull();
  rerender(<Drawn part={part} wanted={false} onFailed={onFailed} />);
  rerender(<Drawn part={part} onFailed={onFailed} />);
  await later(0);
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(onFailed).toHaveBeenCalledTimes(2);
});

test('a browser that does not report idle time (Safari) also fetches ahead, after the first input', async () => {
  vi.stubGlobal('requestIdleCallback', undefined);
  const fetchIt = vi.fn(async () => 'here');
  const parts = [lazyPart(fetchIt), lazyPart(fetchIt)];
  function Page() {
    useWarmUp(parts);
    return null;
  }
  render(<Page />);
  await later(60_000);
  expect(fetchIt).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pointermove'));
  await later(60_000);
  expect(fetchIt).toHaveBeenCalledTimes(2);
});
