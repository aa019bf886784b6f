/**
 * My events as a therapist sees it: lists, filter, calendar, the acts on an event, and messages that are shown once.
 */
import type { OwnEvent } from '@fieldroom/contract/events';
import { focusManager } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense, use } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { createQueryClient } from '../../../platform/fetching/queryClient.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import {
  type Answer,
  anOwnEvent,
  aBooking,
  draw,
  json,
  listOf,
  network,
  nothing,
  oneOf,
  refuse,
  therapist,
} from '../eventPages.testing.tsx';
import { fetchMyEventsAhead, MyEventsPage } from './MyEventsPage.tsx';
import { leavePublished, takePublished } from './outcome/justPublished.ts';

const LONG = { timeout: 60_000 };
const LIST = 'POST /api/me/events';
const plain = (text: string | null) => (text ?? '').replace(/[\u00A0\u2009\u202F]/g, ' ');

beforeAll(async () => {
  configure({ defaultHidden: true });
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['events', 'my-events']);
});
beforeEach(() => {
  keepSignIn(storage, { token: 't', user: therapist });
  Element.prototype.scrollIntoView = () => {};
  window.scrollTo = () => {};
});
afterEach(() => {
  cleanup();
  takePublished();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The page with these events for any list; a server that filters by keyword. */
async function open(answers: Record<string, Answer> = {}, events: readonly OwnEvent[] = [anOwnEvent()]) {
  const found = network({
    [LIST]: (body) =>
      Response.json(
        listOf(
          ...events.filter(({ eventName }) =>
            eventName.toLowerCase().includes(String((body as { keyword?: string }).keyword ?? '').toLowerCase()),
          ),
        ),
      ),
    ...answers,
  });
  draw(<MyEventsPage />);
  await screen.findAllByRole('heading', { name: /^Evening circle/ });
  return found;
}
const menu = async (entry: string) => {
  await userEvent.click(screen.getByRole('button', { name: /^More options for Evening circle/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }));
};

describe('the first list', LONG, () => {
  test('is prefetched once, and fetched again when somebody returns', async () => {
    // Prefetched data is fresh for a while; the machine may be slow.
    vi.useFakeTimers({ toFake: ['Date'] });
    const { lists } = network({ [LIST]: json(listOf(anOwnEvent())) });
    const queries = createQueryClient();
    await fetchMyEventsAhead('', queries);
    expect(lists).toHaveLength(1);
    draw(<MyEventsPage />, queries);
    await screen.findAllByRole('heading', { name: /^Evening circle/ });
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(lists).toHaveLength(1);
    cleanup();
    draw(<MyEventsPage />, queries);
    await waitFor(() => expect(lists).toHaveLength(2));
  });

  test('is not prefetched if the address asks for another list, or nobody is signed in', async () => {
    const { lists } = network({ [LIST]: json(listOf(anOwnEvent())) });
    await fetchMyEventsAhead('?list=past', createQueryClient());
    storage.remove('user');
    await fetchMyEventsAhead('', createQueryClient());
    expect(lists).toEqual([]);
  });
});

test.each(['List', 'Calendar'])('11.22 the %s is fetched again when somebody returns', LONG, async (view) => {
  const later = anOwnEvent({ id: 50, eventName: 'Morning circle' });
  const { all } = await open();
  await userEvent.click(screen.getByText(view, { selector: 'label *, label' }));
  const name = view === 'List' ? 'Morning circle' : /Morning circle/;
  if (view === 'Calendar') await screen.findByRole('button', { name: /^Thursday 17 December: 1 event/ });
  all[LIST] = json(listOf(anOwnEvent(), later));
  act(() => focusManager.setFocused(false));
  act(() => focusManager.setFocused(true));
  focusManager.setFocused(undefined);
  expect(await screen.findByText(name)).toBeTruthy();
});

test('another list that can’t be fetched does not show the previous list’s rows', LONG, async () => {
  const { all } = await open();
  all[LIST] = refuse(503, 'unavailable');
  await userEvent.click(screen.getByText('Cancelled', { selector: 'label *, label' }));
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByRole('heading', { name: /^Evening circle/ })).toBeNull();
  expect(screen.queryByText(/cancelled event/)).toBeNull();
});

describe('the filter', LONG, () => {
  test('12.32 invisible characters are reported at the keyword, and not sent', async () => {
    const { lists } = await open();
    const word = screen.getByLabelText('Name or place');
    fireEvent.change(word, { target: { value: 'Vi\u200Benna' } });
    expect(await screen.findByText('This contains characters that can’t be displayed safely.')).toBeTruthy();
    expect(word.getAttribute('aria-invalid')).toBe('true');
    fireEvent.change(word, { target: { value: 'Evening' } });
    await waitFor(() => expect(lists.at(-1)?.keyword).toBe('Evening'));
    expect(word.getAttribute('aria-invalid')).not.toBe('true');
    expect(lists.map(({ keyword }) => keyword ?? null)).toEqual([null, 'Evening']);
  });

  test('“Show everything” clears the typed keyword too, and it stays cleared', async () => {
    const { lists } = await open();
    await userEvent.type(screen.getByLabelText('Name or place'), 'xyz');
    // If typing is slow, a part of the word may be requested before.
    await waitFor(() => expect(lists.at(-1)?.keyword).toBe('xyz'));
    await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
    expect(screen.getByLabelText<HTMLInputElement>('Name or place').value).toBe('');
    await screen.findByRole('heading', { name: /^Evening circle/ });
    // The next request comes from another act of the filter, without the word.
    await userEvent.click(screen.getByRole('button', { name: 'Any date' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'No end date' }));
    await waitFor(() => expect(lists.at(-1)).toMatchObject({ infiniteFuture: true }));
    expect(lists.at(-1)?.keyword ?? null).toBeNull();
    expect(lists.filter(({ keyword }) => keyword === 'xyz')).toHaveLength(1);
  });

  test('by kind, with one name for each kind', async () => {
    const { lists } = await open();
    expect(plain(screen.getByRole('listitem').textContent)).toContain('Group event · Elm Yard');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'One-on-one');
    await waitFor(() => expect(lists.at(-1)).toMatchObject({ type: 'ONE_ON_ONE' }));
  });

  test('a typed date requests no incomplete day, and is marked only if it is left invalid', async () => {
    const { lists } = await open();
    await userEvent.click(screen.getByRole('button', { name: 'Any date' }));
    const from = await screen.findByLabelText<HTMLInputElement>('From');
    // What a browser reports for 1 May 2027 while its year is typed.
    for (const value of ['0002-05-01', '0020-05-01', '0202-05-01', '2027-05-01'])
      fireEvent.change(from, { target: { value } });
    await waitFor(() => expect(lists.at(-1)).toMatchObject({ startDate: '2027-05-01' }));
    expect(lists.map(({ startDate }) => startDate ?? null).filter((day) => day !== null)).toEqual(['2027-05-01']);
    expect(screen.queryByText('Please check this date.')).toBeNull();
    fireEvent.change(from, { target: { value: '0202-05-01' } });
    expect(screen.queryByText('Please check this date.')).toBeNull();
    fireEvent.blur(from);
    expect(screen.getByText('Please check this date.')).toBeTruthy();
    expect(lists.at(-1)).toMatchObject({ startDate: '2027-05-01' });
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('');
    await waitFor(() => expect(lists.at(-1)?.startDate ?? null).toBeNull());
  });
});

describe('a list that is being fetched', LONG, () => {
  /** The page with a pending answer of a filter that excludes the shown event. */
  async function filtering() {
    let answer: (() => void) | null = null;
    const other = anOwnEvent({ id: 50, eventName: 'Morning circle' });
    await open({
      [LIST]: (body) =>
        (body as { keyword?: string }).keyword === 'morning'
          ? new Promise<Response>((done) => {
              answer = () => done(Response.json(listOf(other)));
            })
          : Response.json(listOf(anOwnEvent())),
      'GET /api/me/event/31': json(oneOf(anOwnEvent())),
      'GET /api/event-booking/31': json([aBooking(1)]),
    });
    const row = screen.getByRole('listitem');
    const list = row.parentElement as HTMLElement;
    fireEvent.change(screen.getByLabelText('Name or place'), { target: { value: 'morning' } });
    await waitFor(() => expect(list.getAttribute('aria-busy')).toBe('true'));
    // The list is busy a moment before its request: an earlier answer would belong to no request.
    await waitFor(() => expect(answer).not.toBeNull());
    return { row, list, button: within(row).getByRole('button', { name: /^Participants/ }), answer: () => answer!() };
  }

  test('is marked as busy, with its rows in place', async () => {
    const { row, list, answer } = await filtering();
    expect(row.isConnected).toBe(true);
    answer();
    expect(await screen.findByRole('heading', { name: 'Morning circle' })).toBeTruthy();
    expect(row.isConnected).toBe(false);
    expect(list.getAttribute('aria-busy')).toBe('false');
  });

  test('keeps a row under a press, and the press counts', async () => {
    const { row, list, button, answer } = await filtering();
    fireEvent.pointerDown(button);
    answer();
    // The answer has arrived: the list is no longer busy, and waits for the release.
    await waitFor(() => expect(list.getAttribute('aria-busy')).toBe('false'));
    expect(row.isConnected).toBe(true);
    fireEvent.pointerUp(button);
    fireEvent.click(button);
    expect(await screen.findByRole('dialog', { name: 'Participants' })).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Morning circle' })).toBeTruthy();
  });

  test('does not close a dialog that one of its rows has opened', async () => {
    const { button, answer } = await filtering();
    await userEvent.click(button);
    await screen.findByRole('row', { name: /Réka/ });
    answer();
    await screen.findByRole('heading', { name: 'Morning circle' });
    expect(screen.getByRole('row', { name: /Réka/ })).toBeTruthy();
  });

  test('keeps the remaining rows', async () => {
    await open({}, [anOwnEvent(), anOwnEvent({ id: 32, eventName: 'Other' })]);
    const row = screen.getByRole('heading', { name: /^Evening circle/ }).closest('li') as HTMLElement;
    fireEvent.change(screen.getByLabelText('Name or place'), { target: { value: 'evening' } });
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Other' })).toBeNull());
    expect(row.isConnected).toBe(true);
  });
});

test('shows until when places are held; a hold that expires frees its place at once', LONG, async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'performance'] });
  const hold = aBooking(2, { state: 'HELD', heldUntil: '2026-12-01T09:03:00Z' });
  const { lists } = await open({}, [anOwnEvent({ currentParticipantsInfo: [aBooking(1), hold] })]);
  const row = () => plain(screen.getByRole('listitem').textContent);
  const until = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  expect(row()).toContain(`2 of 12`);
  expect(row()).toContain(`1 held until ${until.format(Date.parse('2026-12-01T09:03:00Z'))}, 10 left`);
  const asked = lists.length;
  act(() => {
    vi.advanceTimersByTime(181_000);
  });
  expect(row()).toContain('1 of 12');
  expect(row()).toContain('11 places left');
  await waitFor(() => expect(lists.length).toBeGreaterThan(asked));
});

describe('the calendar', LONG, () => {
  const show = () => userEvent.click(screen.getByText('Calendar', { selector: 'label *, label' }));
  const day = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}`) });

  test('shows the same days as the filtered list, and opens at the first', async () => {
    const later = anOwnEvent({
      id: 40,
      eventName: 'Evening circle two',
      dates: ['2027-02-09', '2027-02-16'],
      startsOn: '2027-02-09T18:00:00Z',
      endsOn: '2027-02-16T20:00:00Z',
    });
    const sooner = anOwnEvent({
      id: 41,
      eventName: 'Evening circle one',
      dates: ['2027-02-03'],
      startsOn: '2027-02-03T18:00:00Z',
      endsOn: '2027-02-03T20:00:00Z',
    });
    await open({}, [later, sooner]);
    await userEvent.click(screen.getByRole('button', { name: 'Any date' }));
    fireEvent.change(await screen.findByLabelText('From'), { target: { value: '2027-02-10' } });
    await show();
    // One of its days matches, so all of them are shown.
    expect(await day('Tuesday 9 February: 1 event\\b')).toBeTruthy();
    expect(await day('Tuesday 16 February: 1 event\\b')).toBeTruthy();
    expect(await day('Wednesday 3 February: 0 events\\b')).toBeTruthy();
  });

  test('does not call a day empty if its events could not be fetched', async () => {
    const { all } = await open();
    all[LIST] = refuse(503, 'unavailable');
    await show();
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText('No events on this day.')).toBeNull();
    all[LIST] = json(listOf());
    await userEvent.click(again);
    expect(await screen.findByText('No events on this day.')).toBeTruthy();
  });

  test('lists the chosen day with its acts, and pages through months', async () => {
    const { lists } = await open();
    await show();
    await userEvent.click(await day('Thursday 17 December: 1 event'));
    expect(screen.getByRole('heading', { level: 2, name: 'Thursday 17 December' })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 3, name: 'Evening circle' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Thursday 17 December' }));
    const asked = lists.length;
    await userEvent.click(screen.getByRole('button', { name: 'Next month' }));
    await waitFor(() => expect(lists.length).toBeGreaterThan(asked));
    expect(lists.at(-1)?.startDate).toMatch(/^2026-12-2|^2027-01-01/);
    // The list and back again: the calendar keeps its month.
    await userEvent.click(screen.getByText('List', { selector: 'label *, label' }));
    await show();
    expect(screen.getByRole('heading', { level: 2, name: 'Sunday 17 January' })).toBeTruthy();
  });

  test('pressing an event in its day leads to its row, pressing the day to all its events', async () => {
    const other = anOwnEvent({ id: 42, eventName: 'A second circle' });
    await open({}, [anOwnEvent(), other]);
    await show();
    const cell = await day('Thursday 17 December: 2 events');
    await userEvent.click(within(cell).getByText(/A second circle/));
    const row = screen.getByRole('heading', { level: 3, name: 'A second circle' }).closest('li');
    expect(document.activeElement).toBe(row);
    await userEvent.click(within(cell).getByText('17'));
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Thursday 17 December' }));
  });

  test('today follows this browser’s clock, even if London has another day', async () => {
    const zone = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function mine(
      this: Intl.DateTimeFormat,
    ) {
      return {
        locale: 'en',
        calendar: 'gregory',
        numberingSystem: 'latn',
        timeZone: 'Pacific/Kiritimati',
      } as Intl.ResolvedDateTimeFormatOptions;
    });
    try {
      const late = '2026-12-01T12:00:00Z';
      await open({
        'GET /api/public/config': json({
          clock: { anchorReal: late, anchorProduct: late, speed: 1, serverNow: late },
          demo: null,
        }),
      });
      await show();
      expect((await day('Wednesday 2 December:')).dataset.today).toBe('true');
      expect((await day('Tuesday 1 December:')).dataset.today).toBeUndefined();
    } finally {
      zone.mockRestore();
    }
  });
});

describe('the acts of an event', LONG, () => {
  test('shares its link through the clipboard; if the browser refuses, the link itself is shown', async () => {
    await open();
    const person = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    await person.click(screen.getByRole('button', { name: /^More options for Evening circle/ }));
    await person.click(await screen.findByRole('menuitem', { name: 'Share link' }));
    expect(await screen.findByText(`Link copied: ${window.location.origin}/event/anna/31`)).toBeTruthy();
    write.mockRejectedValue(new Error('not allowed'));
    await person.click(screen.getByRole('button', { name: /^More options for Evening circle/ }));
    await person.click(await screen.findByRole('menuitem', { name: 'Share link' }));
    expect(await screen.findByText(/We couldn’t copy it.*\/event\/anna\/31$/)).toBeTruthy();
  });

  test('hides one without bookings after a confirmation; a refusal is shown', async () => {
    const free = anOwnEvent({ held: 0, confirmed: 0, currentParticipantsNumber: 0 });
    const { sent, all } = await open({ 'DELETE /api/event/delete/31': refuse(409, 'event_has_bookings') }, [free]);
    await menu('Hide from my page');
    const ask = within(await screen.findByRole('dialog', { name: 'Hide from your page?' }));
    expect(sent).toEqual([]);
    await userEvent.click(ask.getByRole('button', { name: 'Hide' }));
    expect(await screen.findByText(/People are booked for this event/)).toBeTruthy();
    all['DELETE /api/event/delete/31'] = nothing;
    await menu('Hide from my page');
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: 'Hide from your page?' })).getByRole('button', {
        name: 'Hide',
      }),
    );
    expect(await screen.findByText('“Evening circle” is no longer on your page.')).toBeTruthy();
  });

  test('offers no changes to one that is over, deleted or cancelled', async () => {
    const entries = async (event: OwnEvent) => {
      cleanup();
      await open({}, [event]);
      await userEvent.click(screen.getByRole('button', { name: /^More options for Evening circle/ }));
      return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    };
    expect(await entries(anOwnEvent({ type: 'ONE_ON_ONE' }))).toEqual([
      'Edit',
      'Copy',
      'Share link',
      'Open public page',
      'Cancel booking',
      'Cancel event',
    ]);
    expect(await entries(anOwnEvent({ startsOn: '2026-11-17T18:00:00Z', endsOn: '2026-11-17T20:00:00Z' }))).toEqual([
      'Copy',
      'Open public page',
    ]);
    expect(await entries(anOwnEvent({ status: 'CANCELLED', deleted: true, cancelReason: 'Ill.' }))).toEqual(['Copy']);
  });

  test('a picture that only its therapist may see is fetched with the sign-in, or replaced by the landscape', async () => {
    const fileName = '3f0c7f0e-0000-4000-8000-000000000001.webp';
    let comesIntoSight = () => {};
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
          comesIntoSight = () => report([{ isIntersecting: true }]);
        }
        observe() {}
        disconnect() {}
      },
    );
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:mine');
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    const gone = anOwnEvent({ status: 'CANCELLED', deleted: true, cancelReason: 'Ill.', files: [fileName] });
    const address = `GET /api/event/image/31/${fileName}`;
    await open({ [address]: () => new Response(new Uint8Array([1]), { headers: { 'content-type': 'image/webp' } }) }, [
      gone,
    ]);
    const shown = () => document.querySelector<HTMLImageElement>('li img');
    expect(shown()).toBeNull();
    act(() => comesIntoSight());
    await waitFor(() => expect(shown()?.getAttribute('src')).toBe('blob:mine'));
    cleanup();
    made.mockClear();
    await open({ [address]: refuse(404, 'not_found') }, [gone]);
    act(() => comesIntoSight());
    await waitFor(() => expect(document.querySelector('li svg[viewBox="0 0 384 216"]')).not.toBeNull());
    expect(shown()).toBeNull();
    expect(made).not.toHaveBeenCalled();
    // A public picture is shown by its address, which the browser caches.
    cleanup();
    await open({}, [anOwnEvent({ files: [fileName] })]);
    expect(shown()?.getAttribute('src')).toBe(`/api/event/image/31/${fileName}`);
    made.mockRestore();
  });
});

test('the public page is shown with its whole address, to pass on and to type', LONG, async () => {
  await open();
  const link = screen.getByRole('link', { name: `${window.location.host}/event/anna` });
  expect(link.getAttribute('href')).toBe('/event/anna');
});

test('reports once that an event is published, with its link and its page', LONG, async () => {
  leavePublished(31);
  await open({ 'GET /api/me/event/31': json(oneOf(anOwnEvent())) });
  const line = (await screen.findByText('“Evening circle” has been published and can be booked.')).closest('p')!;
  // It does not cover the list while that is scrolled, unlike temporary messages.
  expect(line.dataset).toHaveProperty('stays');
  const told = within(line);
  expect(told.getByRole('link', { name: 'Open page' }).getAttribute('href')).toBe('/event/anna/31');
  const person = userEvent.setup();
  await person.click(told.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText(/Link copied/)).toBeTruthy();
  cleanup();
  await open();
  expect(screen.queryByText(/has been published/)).toBeNull();
});

test('a report disappears after six seconds; offers after publishing stay', LONG, async () => {
  const hide = async () => {
    await menu('Hide from my page');
    await userEvent.click(await screen.findByRole('button', { name: 'Hide' }));
  };
  await open({ 'DELETE /api/event/delete/31': nothing }, [
    anOwnEvent({ held: 0, confirmed: 0, currentParticipantsNumber: 0 }),
  ]);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await hide();
  await screen.findByText(/no longer on your page/);
  const fading = timers.mock.calls.find(([, ms]) => ms === 6_000)?.[0] as () => void;
  timers.mockRestore();
  act(() => fading());
  expect(screen.queryByText(/no longer on your page/)).toBeNull();
});

test('reports the publication even if the first drawing is discarded, as while words are loading', LONG, async () => {
  const words = Promise.resolve();
  const Late = () => {
    use(words);
    return null;
  };
  leavePublished(31);
  network({ [LIST]: json(listOf(anOwnEvent())), 'GET /api/me/event/31': json(oneOf(anOwnEvent())) });
  draw(
    <Suspense>
      <MyEventsPage />
      <Late />
    </Suspense>,
  );
  expect(await screen.findByRole('link', { name: 'Open page' })).toBeTruthy();
});

describe('cancelling', LONG, () => {
  const next = {
    id: 32,
    dates: ['2026-12-24'],
    startsOn: '2026-12-24T18:00:00Z',
    endsOn: '2026-12-24T20:00:00Z',
    held: 0,
    confirmed: 3,
  };
  const mine = {
    id: 31,
    dates: ['2026-12-17'],
    startsOn: '2026-12-17T18:00:00Z',
    endsOn: '2026-12-17T20:00:00Z',
    held: 1,
    confirmed: 1,
  };
  const over = {
    id: 33,
    dates: ['2026-11-30'],
    startsOn: '2026-12-18T00:00:00Z',
    endsOn: '2026-11-30T20:00:00Z',
    held: 0,
    confirmed: 9,
  };
  const answers: Record<string, Answer> = {
    'GET /api/me/event/31': json(oneOf(anOwnEvent({ repetitions: ['2026-12-24'] }), [mine, next, over])),
    'GET /api/event-booking/31': json([aBooking(1)]),
    'POST /api/event/cancel': nothing,
    'DELETE /api/event/delete/31': nothing,
  };

  test('an event: shows days, repetition and recipients, asks for a reason; then it is cancelled, hidden and reported', async () => {
    const { sent } = await open(answers);
    await menu('Cancel event');
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel event' }));
    const ok = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Cancel event' });
    await userEvent.click(ok);
    expect(dialog.getByText('Please fill this in.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: /^Reason/ })));
    expect(sent).toEqual([]);
    // A past event is not one of the later ones.
    expect(dialog.getByText('It repeats: 1 later date.')).toBeTruthy();
    expect(dialog.getByText(/We’ll email 2 people with the reason/)).toBeTruthy();
    await userEvent.click(dialog.getByRole('radio', { name: 'This and 1 later date' }));
    expect(dialog.getByText(/We’ll email 5 people with the reason/)).toBeTruthy();
    await userEvent.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'I am ill.');
    await userEvent.click(ok);
    expect(await screen.findByText('The event has been cancelled. We’ll email 5 people.')).toBeTruthy();
    expect(sent).toEqual([
      { name: 'POST /api/event/cancel', body: { eventId: 31, reason: 'I am ill.', cancelRepetitions: true } },
      { name: 'DELETE /api/event/delete/31', body: undefined },
    ]);
  });

  test('a reason shows how much more fits; invisible characters are reported at once, and not sent', async () => {
    const { sent } = await open(answers);
    await menu('Cancel event');
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel event' }));
    await userEvent.click(await dialog.findByRole('textbox', { name: /^Reason/ }));
    await userEvent.paste('x'.repeat(1990));
    expect(dialog.getByText('Included in the email exactly as written. 10 characters left')).toBeTruthy();
    await userEvent.clear(dialog.getByRole('textbox', { name: /^Reason/ }));
    await userEvent.paste('I am\u200B ill.');
    expect(dialog.getByText('This contains characters that can’t be displayed safely.')).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel event' }));
    expect(sent).toEqual([]);
  });

  test('does not mention emails before they are sent; hiding again sends none', async () => {
    let release: (response: Response) => void = () => {};
    const { sent, all } = await open({
      ...answers,
      'POST /api/event/cancel': () =>
        new Promise<Response>((done) => {
          release = done;
        }),
      'DELETE /api/event/delete/31': refuse(503, 'shutting_down'),
    });
    await menu('Cancel event');
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel event' }));
    await userEvent.type(await dialog.findByRole('textbox', { name: /^Reason/ }), 'I am ill.');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel event' }));
    expect(dialog.getByText('Cancelling…')).toBeTruthy();
    expect(dialog.queryByText(/are being sent/)).toBeNull();
    release(new Response(null, { status: 204 }));
    expect(
      await dialog.findByText(
        /The event has been cancelled and the emails are being sent, but it’s still on your page/,
      ),
    ).toBeTruthy();
    // Nothing is left to keep, and closing would lose nothing.
    expect(dialog.queryByRole('button', { name: 'Keep event' })).toBeNull();
    expect(dialog.getAllByRole('button', { name: 'Close' })).toHaveLength(2);
    all['DELETE /api/event/delete/31'] = nothing;
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('The event has been cancelled. We’ll email 2 people.')).toBeTruthy();
    expect(sent.map(({ name }) => name)).toEqual([
      'POST /api/event/cancel',
      'DELETE /api/event/delete/31',
      'DELETE /api/event/delete/31',
    ]);
  });

  const single = anOwnEvent({ type: 'ONE_ON_ONE', maximumParticipant: 1, held: 0 });
  test.each([
    ['an event', 'Cancel event', 'Keep event', anOwnEvent()],
    ['a booking', 'Cancel booking', 'Keep booking', single],
  ])(
    '9.25 a reason for cancelling %s is not lost without a question; an empty one is not asked about',
    async (...of) => {
      const [, title, keep, event] = of;
      const { sent } = await open(answers, [event]);
      await menu(title);
      const dialog = within(await screen.findByRole('dialog', { name: title }));
      const reason = await dialog.findByRole<HTMLTextAreaElement>('textbox', { name: /^Reason/ });
      await userEvent.type(reason, 'I am ill.');
      for (const leave of [
        () => userEvent.click(dialog.getByRole('button', { name: keep })),
        () => userEvent.keyboard('{Escape}'),
      ]) {
        await leave();
        const question = await screen.findByRole('dialog', { name: 'Discard your changes?' });
        await userEvent.click(within(question).getByRole('button', { name: 'Keep editing' }));
        await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull());
      }
      expect(reason.value).toBe('I am ill.');
      await userEvent.clear(reason);
      await userEvent.click(dialog.getByRole('button', { name: keep }));
      await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull());
      expect(sent).toEqual([]);
    },
  );

  test('one that has ended is refused in words', async () => {
    await open({ ...answers, 'POST /api/event/cancel': refuse(409, 'event_over') });
    await menu('Cancel event');
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel event' }));
    await userEvent.type(await dialog.findByRole('textbox', { name: /^Reason/ }), 'I am ill.');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel event' }));
    expect(await dialog.findByText('The event is over, so it can’t be cancelled any more.')).toBeTruthy();
  });

  test('a booking: names the person, asks for a reason, emails only that person; vacant if there is none', async () => {
    const single = anOwnEvent({ type: 'ONE_ON_ONE', maximumParticipant: 1, held: 0 });
    const { sent, all } = await open(
      { 'GET /api/event-booking/31': json([aBooking(1)]), 'POST /api/event-booking/user/31/delete': nothing },
      [single],
    );
    await menu('Cancel booking');
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel booking' }));
    expect(dialog.getByText('Réka Szőllősi')).toBeTruthy();
    const ok = dialog.getByRole<HTMLButtonElement>('button', { name: 'Cancel booking' });
    await userEvent.click(ok);
    expect(dialog.getByText('Please fill this in.')).toBeTruthy();
    expect(sent).toEqual([]);
    await userEvent.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'I am ill.');
    await userEvent.click(ok);
    expect(
      await screen.findByText('Réka Szőllősi’s booking has been cancelled, and an email has been sent.'),
    ).toBeTruthy();
    expect(sent).toEqual([
      {
        name: 'POST /api/event-booking/user/31/delete',
        body: {
          participant: { email: 'reka+1@mail.example', name: 'Réka', familyName: 'Szőllősi' },
          reason: 'I am ill.',
        },
      },
    ]);
    all['GET /api/event-booking/31'] = json([]);
    await menu('Cancel booking');
    const vacant = within(await screen.findByRole('dialog', { name: 'Cancel booking' }));
    expect(vacant.getByText('Available')).toBeTruthy();
    expect(vacant.queryByRole('button', { name: 'Cancel booking' })).toBeNull();
  });

  test('a slow lookup of a booking does not close a dialog that was opened later', async () => {
    const single = anOwnEvent({ type: 'ONE_ON_ONE', maximumParticipant: 1, held: 0 });
    const { all } = await open({}, [single]);
    const answers: ((answer: Response) => void)[] = [];
    all['GET /api/event-booking/31'] = () => new Promise<Response>((resolve) => answers.push(resolve));
    await menu('Cancel booking');
    await menu('Cancel event');
    await screen.findByRole('dialog', { name: 'Cancel event' });
    await act(async () => {
      for (const answer of answers) answer(Response.json([aBooking(1)]));
    });
    expect(answers.length).toBeGreaterThan(0);
    expect(screen.getByRole('dialog', { name: 'Cancel event' })).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'Cancel booking' })).toBeNull();
  });
});
