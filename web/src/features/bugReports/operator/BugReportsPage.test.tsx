/** The operator's list of bug reports, with an imagined server at the network's edge (docs/product.md#12.23). */
import type { BugReport } from '@fieldroom/contract/bugReports';
import { cleanup, configure, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { type Answer, draw, network, refuse, therapist } from '../../events/eventPages.testing.tsx';
import { BugReportsPage } from './BugReportsPage.tsx';

const FIND = 'POST /api/admin/bug-reports';
const STATE = 'POST /api/admin/bug-report/17/state';
const report: BugReport = {
  id: 17,
  createdOn: '2026-12-01T08:00:00Z',
  state: 'NEW',
  priority: 1,
  comment: 'The field <b>froze</b>.',
  reporter: 'therapist',
  email: 'anna@b.example',
  page: '/app/play-area',
  browser: 'Chrome 140',
  os: 'Windows',
  screenSize: '1920x1080',
  viewSize: '1440x900',
  version: 'a1b2c3',
  language: 'de',
  theme: 'dark.blueyale',
  hasPicture: true,
};
const listOf = (...content: BugReport[]) => ({ content, page: 0, size: 20, totalElements: content.length });

beforeAll(async () => {
  configure({ defaultHidden: true });
  await startWords(['bugReports']);
});
beforeEach(() => keepSignIn(storage, { token: 't', user: therapist }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(answers: Record<string, Answer> = {}) {
  const server = network({ [FIND]: () => Response.json(listOf(report)), ...answers });
  draw(<BugReportsPage />);
  return server;
}
const card = async () => within(await screen.findByRole('region', { name: /Report 17/ }));

test('12.23 a report shows as text what was reported, where, and with which browser', async () => {
  open();
  const shown = await card();
  expect(shown.getByText('The field <b>froze</b>.')).toBeTruthy();
  for (const fact of ['Highest', '/app/play-area', 'Chrome 140, Windows', 'a1b2c3', 'anna@b.example'])
    expect(shown.getByText(fact), fact).toBeTruthy();
  expect(shown.getByRole('button', { name: 'Show picture' })).toBeTruthy();
});

test('12.23 an empty list says so, and a failed list can be loaded again', async () => {
  open({ [FIND]: () => Response.json(listOf()) });
  expect(await screen.findByText('No reports yet')).toBeTruthy();
  cleanup();
  let fails = true;
  open({ [FIND]: (body) => (fails ? refuse(503, 'unavailable')(body) : Response.json(listOf(report))) });
  const again = await screen.findByRole('button', { name: 'Try again' });
  fails = false;
  await userEvent.click(again);
  expect(await card()).toBeTruthy();
});

test('12.23 a picture that failed to load can be loaded again', async () => {
  const picture = 'GET /api/admin/bug-report/17/picture';
  const { all } = open({ [picture]: refuse(503, 'unavailable') });
  await userEvent.click((await card()).getByRole('button', { name: 'Show picture' }));
  const again = await screen.findByRole('button', { name: 'Try again' });
  all[picture] = () => new Response(new Blob(['x'], { type: 'image/webp' }));
  await userEvent.click(again);
  expect(await screen.findByRole('img', { name: /17/ })).toBeTruthy();
});

test('12.23 the state can be set; a failure is shown', async () => {
  let stored: BugReport = report;
  const { sent } = open({
    [FIND]: () => Response.json(listOf(stored)),
    [STATE]: (body) => {
      stored = { ...report, ...(body as Pick<BugReport, 'state'>) };
      return Response.json(stored);
    },
  });
  const state = (await card()).getByRole<HTMLInputElement>('combobox', { name: 'State of report 17' });
  await userEvent.click(state);
  await userEvent.click((await card()).getByRole('option', { name: 'In progress' }));
  await vi.waitFor(() =>
    expect(sent.filter(({ name }) => name === STATE).map(({ body }) => body)).toEqual([{ state: 'IN_PROGRESS' }]),
  );
  await vi.waitFor(async () =>
    expect((await card()).getByRole<HTMLInputElement>('combobox', { name: /State/ }).value).toBe('In progress'),
  );
});

test('12.23 once the last report of the last page has another state, the previous page is shown', async () => {
  let moved = false;
  const total = () => (moved ? 20 : 21);
  network({
    [FIND]: () => Response.json({ ...listOf({ ...report, id: 18 }), totalElements: total() }),
    [STATE]: (body) => {
      moved = true;
      return Response.json({ ...report, ...(body as Pick<BugReport, 'state'>) });
    },
  });
  const firstPage = fetch;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) =>
    address.includes('page=1')
      ? Response.json({ ...listOf(...(moved ? [] : [report])), page: 1, totalElements: total() })
      : firstPage(address, init),
  );
  draw(<BugReportsPage />);
  await screen.findByRole('region', { name: /Report 18/ });
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await userEvent.click((await card()).getByRole('combobox', { name: 'State of report 17' }));
  await userEvent.click((await card()).getByRole('option', { name: 'Done' }));
  expect(await screen.findByRole('region', { name: /Report 18/ })).toBeTruthy();
  expect(screen.queryByText('No reports yet')).toBeNull();
});
