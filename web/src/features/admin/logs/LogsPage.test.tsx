/** Browser logs as an operator meets them, with an imagined server at the network's edge. */
import { type LogFileInfo, lineOf } from '@fieldroom/contract/logs';
import { cleanup, configure, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { type Answer, draw, network, therapist } from '../../events/eventPages.testing.tsx';
import { LogsPage } from './LogsPage.tsx';

const LONG = { timeout: 120_000 };
const DAY = '2026-11-24';
const DAYS = 'GET /api/admin/logs';
const OWNERS = `GET /api/admin/logs/${DAY}`;
const FILES = `GET /api/admin/logs/${DAY}/7`;
const FILE = `GET /logger_api/logger/logs/${DAY}/7/client-2.log`;
const aFile = (fileName: string, change: Partial<LogFileInfo> = {}): LogFileInfo => ({
  fileName,
  bytes: 12_345,
  entries: 150,
  firstOn: '2026-11-24T08:00:00Z',
  lastOn: '2026-11-24T09:00:00Z',
  ...change,
});
const lines = Array.from({ length: 150 }, (_, index) =>
  lineOf({
    date: '2026-11-24T08:00:00Z',
    level: index < 149 ? 'Info' : 'Fatal',
    message: index < 149 ? `entry ${index}` : 'turned \u202Earound\u001B[2J <b>bold</b>',
    info: ['page /app/play-area'],
  }),
).join('');

beforeAll(async () => {
  configure({ defaultHidden: true });
  await startWords(['admin']);
});
beforeEach(() => {
  keepSignIn(storage, { token: 't', user: { ...therapist, roles: ['ROLE_ADMIN'], authorities: ['ROLE_ADMIN'] } });
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(answers: Record<string, Answer> = {}) {
  const server = network({
    [DAYS]: () => Response.json([{ date: DAY, therapists: 1, entries: 151 }]),
    [OWNERS]: () => Response.json([{ therapistId: 7, firstName: 'Anna', lastName: 'Berg', files: 2, entries: 151 }]),
    [FILES]: () => Response.json([aFile('own.log', { entries: 1 }), aFile('client-2.log')]),
    [FILE]: () => new Response(lines, { headers: { 'content-type': 'text/plain' } }),
    ...answers,
  });
  draw(<LogsPage />);
  return server;
}
const entries = () => within(screen.getByRole('region', { name: 'Entries: Client 2' }));
const drawn = () => entries().getAllByRole('list')[0]!.children.length;

describe('browser logs', LONG, () => {
  test('15.4 show the latest day and its first therapist at once, and whose browsers wrote each file', async () => {
    open();
    const table = within(await screen.findByRole('table', { name: 'Log files' }));
    expect(screen.getByLabelText<HTMLInputElement>('Day (UTC)').value).toMatch(/24 Nov 2026, 151 entries|Nov 24, 2026/);
    expect(screen.getByLabelText<HTMLInputElement>('Therapist').value).toBe('Anna Berg (no. 7)');
    const rows = table.getAllByRole('row').slice(1);
    expect(rows.map((row) => within(row).getByRole('rowheader').textContent)).toEqual(['Own browsers', 'Client 2']);
    expect(rows[1]!.textContent).toMatch(/150.*12\.3/);
  });

  test('15.4 show a file’s entries from a level on, the latest first, and invisible characters as numbers', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Show entries: Client 2' }));
    await screen.findByText('100 of 150 entries, the latest first');
    const first = entries().getByText(/^turned/);
    expect(first.textContent).toBe('turned \\u{202e}around\\u{1b}[2J <b>bold</b>');
    expect(entries().queryByText('entry 0')).toBeNull();
    await userEvent.click(entries().getByRole('button', { name: 'Show more' }));
    expect(entries().getByText('entry 0')).toBeTruthy();
    await userEvent.click(entries().getByLabelText('Levels'));
    await userEvent.click(await screen.findByRole('option', { name: 'Warnings and above' }));
    await screen.findByText('1 of 1 entry');
    expect(drawn()).toBe(1);
    await userEvent.click(screen.getByRole('button', { name: 'Hide entries: Client 2' }));
    expect(screen.queryByRole('region', { name: 'Entries: Client 2' })).toBeNull();
  });

  test('say that there are none yet', async () => {
    open({ [DAYS]: () => Response.json([]) });
    await screen.findByRole('heading', { name: 'No logs yet' });
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('say what could not be loaded, and load it again', async () => {
    let broken = true;
    open({
      [FILE]: () =>
        broken
          ? Response.json({ code: 'unavailable', status: 503 }, { status: 503 })
          : new Response(lines, { headers: { 'content-type': 'text/plain' } }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Show entries: Client 2' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(/^We couldn’t load /);
    const fault = within(alert);
    broken = false;
    await userEvent.click(fault.getByRole('button', { name: 'Try again' }));
    await screen.findByText('100 of 150 entries, the latest first');
  });
});
