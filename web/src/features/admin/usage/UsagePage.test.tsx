/** The operator's list of therapists, with an imagined server at the network's edge. */
import type { TherapistUsage, UsageFilter } from '@fieldroom/contract/admin';
import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { type Answer, draw, network, refuse, therapist } from '../../events/eventPages.testing.tsx';
import { UsagePage } from './UsagePage.tsx';

const LONG = { timeout: 120_000 };
const someone = (id: number, change: Partial<TherapistUsage> = {}): TherapistUsage => ({
  id,
  firstName: 'Réka',
  lastName: `Kis ${id}`,
  email: `reka${id}@mail.example`,
  state: 'active',
  plan: 'TRIAL',
  counting: false,
  seconds: 157_359,
  sessions: 12,
  trees: 14,
  peopleHelped: 5,
  registeredOn: '2026-01-01T00:00:00Z',
  lastSessionOn: null,
  ...change,
});

beforeAll(async () => {
  configure({ defaultHidden: true });
  await startWords(['admin']);
});
beforeEach(() => {
  keepSignIn(storage, {
    token: 't',
    user: { ...therapist, roles: ['ROLE_ADMIN'], authorities: ['ROLE_ADMIN'] },
  });
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const FIND = 'POST /api/admin/usage';
/** The page; the search stays in the address. */
async function open(people: TherapistUsage[], { total = people.length, answers = {} as Record<string, Answer> } = {}) {
  const asked: (UsageFilter | undefined)[] = [];
  const server = network({
    [FIND]: (body) => {
      asked.push(body as UsageFilter);
      const found = (body as UsageFilter).keyword === 'nobody' ? [] : people;
      return Response.json({ content: found, page: 0, size: 20, totalElements: found.length && total });
    },
    ...answers,
  });
  draw(<UsagePage />);
  if (people[0]) await screen.findByText(people[0].email);
  return { ...server, asked };
}
const rows = () => screen.getAllByRole('row').slice(1);
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

describe('the list', LONG, () => {
  test('shows name, state, plan, hours and minutes, sessions, trees and the last session', async () => {
    await open([someone(1, { counting: true }), someone(2, { state: 'unverified', plan: 'PROFESSIONAL' })]);
    expect(rows()[0]?.textContent).toContain('Timer is running43:42');
    expect(rows()[1]?.textContent).toContain('Unconfirmed');
    expect(rows()[1]?.textContent).toContain('Professional');
    expect(rows()[1]?.textContent).not.toContain('Timer is running');
    expect(rows()[1]?.textContent).toContain('None yet');
  });

  test('sorts by a column, and in the other direction on the second press', async () => {
    const { asked } = await open([someone(1)]);
    expect(asked.at(-1)).toMatchObject({ sort: 'name', descending: false });
    await press('Hours');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'seconds', descending: true }));
    expect(screen.getByRole('columnheader', { name: 'Hours' }).getAttribute('aria-sort')).toBe('descending');
    await press('Hours');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'seconds', descending: false }));
    expect(screen.getAllByRole('columnheader').filter((head) => head.hasAttribute('aria-sort'))).toHaveLength(1);
  });

  test('searches once typing pauses, and clears the search from the empty list', async () => {
    const { asked } = await open([someone(1)]);
    for (const typed of ['n', 'nob', 'nobody'])
      fireEvent.change(screen.getByLabelText('Name or email'), { target: { value: typed } });
    await screen.findByText('Nobody found');
    expect(asked.filter((filter) => filter?.keyword)).toHaveLength(1);
    await userEvent.click(within(screen.getByText('Nobody found').parentElement!).getByRole('button'));
    await screen.findByText('reka1@mail.example');
    expect(screen.getByLabelText<HTMLInputElement>('Name or email').value).toBe('');
  });

  test('filters by state and moves between pages', async () => {
    const { asked } = await open([someone(1)], { total: 41 });
    await userEvent.click(screen.getByLabelText('State', { selector: 'input' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Suspended' }));
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ state: 'suspended' }));
    expect(screen.getByText('1 of 41 therapists')).toBeTruthy();
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
    await press('Next');
    expect(await screen.findByText('Page 2 of 3')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('table'));
    expect(shown.mock.contexts).toContain(document.activeElement);
  });

  test('says that there is nobody yet, and offers to try again after a fault', async () => {
    const { all } = await open([], { answers: { [FIND]: refuse(503, 'unavailable') } });
    expect((await screen.findByRole('alert')).textContent).toMatch(/^We couldn’t load the therapists\. /);
    all[FIND] = () => Response.json({ content: [], page: 0, size: 20, totalElements: 0 });
    await press('Try again');
    await screen.findByText('No therapists yet');
  });

  test('the file contains what the filter finds', async () => {
    const saved: string[] = [];
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
      ...new Intl.DateTimeFormat().resolvedOptions(),
      timeZone: 'Pacific/Honolulu',
    });
    URL.createObjectURL = () => 'blob:csv';
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    const { sent } = await open([someone(1)], {
      answers: {
        'POST /api/admin/usage/csv': () => new Response('a,b', { headers: { 'content-type': 'text/csv' } }),
      },
    });
    await press('Trees');
    await press('Download as CSV');
    // In Honolulu it is still the day before.
    await waitFor(() => expect(saved).toEqual(['usage-2026-11-30.csv']));
    expect(sent.find(({ name }) => name.endsWith('/csv'))?.body).toMatchObject({ sort: 'trees', descending: true });
  });
});

describe('suspending', LONG, () => {
  const SUSPEND = 'POST /api/admin/therapist/1/suspend';
  test('asks first, says what it does, and changes nothing on “no”', async () => {
    const { sent } = await open([someone(1), someone(2)]);
    await press('Suspend Réka Kis 1');
    const question = screen.getByRole('group', { name: 'Suspend Réka Kis 1?' });
    expect(question.textContent).toContain('A running session ends at once');
    expect(document.activeElement?.textContent).toBe('Leave active');
    // In the colour of text: only the answer that suspends has a colour.
    expect((document.activeElement as HTMLElement).dataset['variant']).toBe('default');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Suspend Réka Kis 1?' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Suspend Réka Kis 1' }));
    expect(sent.filter(({ name }) => name !== FIND)).toEqual([]);
  });

  test('suspends on the second press, reports it and fetches the list again', async () => {
    const { sent, asked } = await open([someone(1)], {
      answers: { [SUSPEND]: () => Response.json(someone(1, { state: 'suspended' })) },
    });
    await press('Suspend Réka Kis 1');
    const before = asked.length;
    await press('Suspend');
    await screen.findByText(/Réka Kis 1 is suspended/);
    expect(sent.filter(({ name }) => name === SUSPEND)).toHaveLength(1);
    await waitFor(() => expect(asked.length).toBeGreaterThan(before));
  });

  test('a failure is reported and changes nothing', async () => {
    await open([someone(1)], { answers: { [SUSPEND]: refuse(503, 'unavailable') } });
    await press('Suspend Réka Kis 1');
    await press('Suspend');
    await screen.findByText(/Nothing has changed for Réka Kis 1/);
  });

  test('reinstates at once; admins cannot suspend their own account', async () => {
    const { sent } = await open([someone(7), someone(3, { state: 'suspended' })], {
      answers: { 'POST /api/admin/therapist/3/reinstate': () => Response.json(someone(3)) },
    });
    expect(within(rows()[0]!).queryByRole('button')).toBeNull();
    await press('Reinstate Réka Kis 3');
    await screen.findByText('Réka Kis 3 can sign in again.');
    expect(sent.filter(({ name }) => name.endsWith('/reinstate'))).toHaveLength(1);
  });
});
