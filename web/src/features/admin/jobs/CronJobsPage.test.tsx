/** The scheduled jobs as an operator meets them, with an imagined server at the network's edge. */
import type { CronJob } from '@fieldroom/contract/admin';
import { cleanup, configure, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { type Answer, draw, network, refuse, therapist } from '../../events/eventPages.testing.tsx';
import { CronJobsPage } from './CronJobsPage.tsx';
import { readSchedule, scheduleWords } from './schedule.ts';

const LONG = { timeout: 120_000 };
const FIND = 'POST /api/cronjob/findByType';
const SAVE = 'POST /api/cronjob/save';
const RUN = 'POST /api/admin/cronjob/run';
const bills: CronJob = {
  type: 'MONTHLY_BILLS',
  schedule: '15 0 1 * *',
  timeZone: 'Europe/Budapest',
  enabled: true,
  running: false,
  lastRunOn: '2026-12-01T08:00:00Z',
  lastResult: 'done',
  lastCounts: { bills: 38, oddities: 2 },
  lastFault: null,
  // Thirty days by the calendar of every zone, as tests run in any.
  nextRunOn: '2026-12-31T09:00:00Z',
};
const logs: CronJob = {
  ...bills,
  type: 'PURGE_LOGS',
  enabled: false,
  lastRunOn: null,
  lastResult: null,
  lastCounts: {},
  nextRunOn: null,
};

beforeAll(async () => {
  configure({ defaultHidden: true });
  await startWords(['admin']);
});
beforeEach(() => keepSignIn(storage, { token: 't', user: therapist }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open(answers: Record<string, Answer> = {}) {
  const server = network({ [FIND]: () => Response.json([bills, logs]), ...answers });
  draw(<CronJobsPage />);
  await screen.findByRole('heading', { name: 'Monthly bills' });
  return { ...server, acts: () => server.sent.filter(({ name }) => name !== FIND) };
}
const card = (name = 'Monthly bills') => within(screen.getByRole('region', { name }));
const press = (name: string | RegExp) => userEvent.click(card().getByRole('button', { name }));
const field = () => card().getByLabelText<HTMLInputElement>('Schedule as a cron expression');

describe('a job', LONG, () => {
  test('shows when it runs, the last result, and the next run', async () => {
    await open();
    const text = screen.getByRole('region', { name: 'Monthly bills' }).textContent;
    expect(text).toContain('Every month on day 1 at 00:15');
    expect(text).toContain('Time zone: Europe/Budapest');
    expect(text).toContain('1 hour ago');
    expect(text).toContain('bills: 38 · oddities: 2');
    expect(text).toContain('in 30 days');
    const off = screen.getByRole('region', { name: 'Delete old records' }).textContent;
    expect(off).toContain('Has not run yet');
    expect(off).toContain('Not while it is off');
  });

  test('says what has to be fixed', async () => {
    await open({
      [FIND]: () => Response.json([{ ...bills, lastResult: 'failed', lastCounts: {}, lastFault: 'disk full' }]),
    });
    expect(card().getByText('disk full')).toBeTruthy();
  });

  test('runs once on demand, and is polled until it has ended', async () => {
    let jobs = [bills];
    const { acts } = await open({
      [FIND]: () => Response.json(jobs),
      [RUN]: () => {
        jobs = [{ ...bills, running: true }];
        return Response.json(jobs[0]);
      },
    });
    const run = card().getByRole('button', { name: /^Run now/ });
    run.click();
    await waitFor(() => expect(card().getByRole('status').textContent).toBe('Running'));
    run.click();
    expect(acts()).toEqual([{ name: RUN, body: { type: 'MONTHLY_BILLS' } }]);
    jobs = [{ ...bills, lastCounts: { bills: 39 } }];
    await waitFor(() => expect(card().getByRole('status').textContent).toBe('The run has ended.'));
    expect(card().getByText(/bills: 39/)).toBeTruthy();
  });

  test('says that it is already running, and that a run failed', async () => {
    const { all } = await open({ [RUN]: refuse(409, 'conflict') });
    await press(/^Run now/);
    await card().findByText('This job is already running.');
    all[RUN] = () => Response.json({ ...bills, lastResult: 'failed', lastFault: 'x' });
    await press(/^Run now/);
    await card().findByText('The run has failed.');
  });

  test('can be switched off and on', async () => {
    const { acts } = await open({ [SAVE]: () => Response.json({ ...bills, enabled: false, nextRunOn: null }) });
    await userEvent.click(card().getByRole('switch'));
    await card().findByText('Saved.');
    expect(acts()).toEqual([{ name: SAVE, body: { type: 'MONTHLY_BILLS', enabled: false } }]);
    expect(card().getByText('Not while it is off')).toBeTruthy();
  });
});

describe('the schedule', LONG, () => {
  test('is changed by keyboard, and the focus moves in and returns', async () => {
    const { acts } = await open({ [SAVE]: () => Response.json({ ...bills, schedule: '0 3 * * 1' }) });
    await press('Change');
    expect(document.activeElement).toBe(field());
    await userEvent.clear(field());
    await userEvent.type(field(), ' 0 3 * * 1 {Enter}');
    await card().findByText(/Every Monday at 03:00/);
    expect(acts()).toEqual([{ name: SAVE, body: { type: 'MONTHLY_BILLS', schedule: '0 3 * * 1' } }]);
    expect(card().getByText('Saved.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Change'));
  });

  test('Escape leaves it unchanged', async () => {
    const { acts } = await open();
    await press('Change');
    await userEvent.type(field(), '9{Escape}');
    expect(card().getByText('15 0 1 * *')).toBeTruthy();
    expect(acts()).toEqual([]);
  });

  test('an invalid expression is reported at the field, and the typed text stays', async () => {
    const { acts } = await open({
      [SAVE]: refuse(400, 'invalid_input', { fields: [{ path: 'schedule', code: 'invalid_format' }] }),
    });
    await press('Change');
    await userEvent.clear(field());
    await userEvent.keyboard('{Enter}');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(acts()).toEqual([]);
    await userEvent.type(field(), 'soon{Enter}');
    await card().findByText(/We can’t read this schedule/);
    expect(field().value).toBe('soon');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    await userEvent.type(field(), '1');
    expect(field().getAttribute('aria-invalid')).not.toBe('true');
  });
});

describe('a schedule in words', () => {
  test.each([
    ['* * * * *', 'Every minute'],
    ['*/5 * * * *', 'Every 5 minutes'],
    ['7 * * * *', 'Every hour at minute 07'],
    ['0 */6 * * *', 'Every 6 hours at minute 00'],
    ['30 3 * * *', 'Every day at 03:30'],
    ['0 9 * * 7', 'Every Sunday at 09:00'],
    ['15 0 31 * *', 'Every month on day 31 at 00:15'],
  ])('%s: %s', (expression, words) => {
    expect(scheduleWords(i18next.getFixedT('en', 'admin') as never, expression, 'en')).toBe(words);
  });
  test.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 1 * 1',
    '0 0 * 2 *',
    '1-5 * * * *',
  ])('“%s” is shown only as its expression', (expression) => expect(readSchedule(expression)).toBeNull());
});
