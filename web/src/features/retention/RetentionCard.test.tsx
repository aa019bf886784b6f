/** A longer period is saved at once; a shorter one erases names, so it asks first. */
import { MantineProvider } from '@mantine/core';
import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getRetention } from '@fieldroom/contract/retention';
import { ApiProblem } from '../../platform/api/index.ts';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { RetentionCard } from './index.ts';

const world = vi.hoisted(() => ({ months: 12, set: [] as number[], fault: null as Error | null }));
vi.mock('react-i18next', () => ({
  useTranslation: () => ({ t: (key: string, values?: { count: number }) => (values ? `${key} ${values.count}` : key) }),
}));
vi.mock('../../platform/i18n/app.ts', () => ({ sayProblem: (key: string) => key }));
vi.mock('../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: {
    async call(endpoint: unknown, input: { body?: { attendanceMonths: number } }) {
      if (world.fault) throw world.fault;
      if (endpoint === getRetention) return { attendanceMonths: world.months };
      world.set.push(input.body!.attendanceMonths);
      return input.body;
    },
  },
}));

const select = () => screen.getByLabelText<HTMLSelectElement>('retention.label');
const shown = () => select().selectedOptions[0]?.textContent;
const choose = (months: number) =>
  act(async () => void fireEvent.change(select(), { target: { value: String(months) } }));
const show = () =>
  act(
    async () =>
      void render(
        <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
          <QueryClientProvider client={createQueryClient()}>
            <RetentionCard className={undefined} />
          </QueryClientProvider>
        </MantineProvider>,
      ),
  );

// `act` waits for this: answers are reported in its own microtasks, not in a timer.
notifyManager.setScheduler(queueMicrotask);
beforeEach(() => Object.assign(world, { months: 12, set: [], fault: null }));
afterEach(cleanup);

test('shows the current period, even if it is not one of the usual ones', async () => {
  world.months = 7;
  await show();
  expect(shown()).toBe('retention.months 7');
  expect([...select().options].map(({ value }) => Number(value))).toEqual([1, 3, 6, 7, 12, 24, 36, 60, 120]);
});

test('a longer period is saved at once', async () => {
  await show();
  await choose(24);
  expect(world.set).toEqual([24]);
  expect([shown(), screen.getByRole('status').textContent]).toEqual(['retention.months 24', 'retention.saved']);
});

test('a shorter one asks, and changes nothing on “no”', async () => {
  await show();
  await choose(3);
  expect(world.set).toEqual([]);
  const keep = await screen.findByText('retention.keep');
  await act(async () => keep.click());
  expect([world.set, shown()]).toEqual([[], 'retention.months 12']);
  await choose(3);
  const erase = await screen.findByText('retention.erase');
  await act(async () => erase.click());
  expect([world.set, shown()]).toEqual([[3], 'retention.months 3']);
});

test('a failure is explained, and the former period stays', async () => {
  await show();
  world.fault = new ApiProblem('unavailable');
  await choose(24);
  expect(screen.getByText(/problem\./)).toBeTruthy();
  expect(shown()).toBe('retention.months 12');
});

test('a period that could not be loaded can be loaded again', async () => {
  world.fault = new ApiProblem('unavailable');
  await show();
  expect(screen.getByRole('alert').textContent).toContain('problem.');
  expect(screen.queryByLabelText('retention.label')).toBeNull();
  world.fault = null;
  await act(async () => screen.getByRole('button', { name: 'tryAgain' }).click());
  expect(shown()).toBe('retention.months 12');
});
