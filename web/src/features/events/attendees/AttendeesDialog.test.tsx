/** The bookings of an event, as its therapist sees them: expiring states, removing, adding, the list as a file. */
import type { Booking } from '@fieldroom/contract/bookings';
import { focusManager } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../../platform/fetching/queryClient.ts';
import { startWords } from '../../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import {
  aBooking,
  anOwnEvent,
  type Answer,
  draw,
  json,
  network,
  nothing,
  oneOf,
  refuse,
  therapist,
} from '../eventPages.testing.tsx';
import { AttendeesDialog } from './AttendeesDialog.tsx';

const LONG = { timeout: 60_000 };
const BOOKINGS = 'GET /api/event-booking/31';
const held = (id: number, heldUntil: string): Booking =>
  aBooking(id, {
    state: 'HELD',
    heldUntil,
    participant: { name: 'Jonas', familyName: 'Abt', email: 'jonas@mail.example', phone: '' },
  });

beforeAll(async () => {
  configure({ defaultHidden: true });
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['events', 'my-events']);
});
beforeEach(() => keepSignIn(storage, { token: 't', user: therapist }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function open(bookings: readonly Booking[], event = anOwnEvent(), answers: Record<string, Answer> = {}) {
  const found = network({ 'GET /api/me/event/31': json(oneOf(event)), [BOOKINGS]: json(bookings), ...answers });
  const onChanged = vi.fn();
  const queries = createQueryClient();
  draw(<AttendeesDialog eventId={31} onClose={() => {}} onChanged={onChanged} />, queries);
  await screen.findByRole('dialog', { name: 'Participants' });
  await screen.findByRole('button', { name: 'Export' });
  return { ...found, onChanged, queries };
}
/** Returns to the tab. */
function comeBack() {
  act(() => focusManager.setFocused(false));
  act(() => focusManager.setFocused(true));
  focusManager.setFocused(undefined);
}
const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) });

describe('the list', LONG, () => {
  test('has addresses and numbers as links', async () => {
    await open([aBooking(1), held(2, '2026-12-01T09:05:00Z')]);
    // RFC 6068: the @ unchanged; a plus is part of the address.
    expect(within(row('Réka')).getByRole('link', { name: 'reka+1@mail.example' }).getAttribute('href')).toBe(
      'mailto:reka%2B1@mail.example',
    );
    expect(within(row('Réka')).getByRole('link', { name: '+36 (1) 234-567' }).getAttribute('href')).toBe(
      'tel:+361234567',
    );
    expect(row('Jonas').textContent).toContain('–');
  });

  test('9.20 a registration date has its fixed form, with the language’s wording beside it', async () => {
    const booking = { ...aBooking(1), bookingDate: '2026-12-08T12:05:00Z' };
    await open([booking]);
    const time = row('Réka').querySelector('time');
    expect(time?.textContent).toMatch(/^12\/08\/2026 /);
    expect(time?.title).toMatch(/^8 December 2026/);
  });

  test('counts down the minutes of a hold, and updates the row when they are over', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'performance'] });
    const { all, onChanged } = await open([held(2, '2026-12-01T09:03:00Z')]);
    expect(row('Jonas').textContent).toContain('Held, 3 minutes left');
    act(() => {
      vi.advanceTimersByTime(61_000);
    });
    expect(row('Jonas').textContent).toContain('Held, 2 minutes left');
    all[BOOKINGS] = json([]);
    act(() => {
      vi.advanceTimersByTime(120_000);
    });
    expect(await screen.findByText('Nobody is booked yet.')).toBeTruthy();
    expect(onChanged).toHaveBeenCalled();
    expect(screen.getByRole('dialog').textContent).toContain('0 of 12');
  });

  test('marks people whose email is delayed or failed, and nobody else', async () => {
    const people = (['sent', 'waiting', 'delayed', 'failed', null] as const).map((emailState, index) =>
      aBooking(index + 1, {
        emailState,
        participant: { name: `Person${index}`, familyName: 'Abt', email: `p${index}@mail.example`, phone: '' },
      }),
    );
    await open(people);
    for (const well of ['Person0', 'Person1', 'Person4']) expect(row(well).textContent).not.toContain('Our email');
    expect(row('Person2').textContent).toContain('Our email is delayed; we’ll keep trying');
    expect(row('Person3').textContent).toContain('Our email couldn’t be delivered');
  });

  test('of a cancelled event still shows who was booked, for phone calls and the file', async () => {
    const cancelled = anOwnEvent({
      status: 'CANCELLED',
      cancelReason: 'Ill.',
      held: 0,
      confirmed: 0,
      currentParticipantsNumber: 0,
      deleted: true,
    });
    await open([aBooking(1, { state: 'CANCELLED' })], cancelled);
    expect(row('Réka').textContent).toContain('Cancelled');
    expect(screen.getByText(/Cancelled · 1 person was booked$/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export' }).disabled).toBe(false);
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Add/ })).toBeNull();
    cleanup();
    await open([], cancelled);
    expect(screen.getByText('Nobody was booked. Names are deleted 30 days after a cancellation.')).toBeTruthy();
  });

  test('9.21 counts companions’ places, also for the number that is still free', async () => {
    await open([aBooking(1, { places: 3 })], anOwnEvent({ maximumParticipant: 3, currentParticipantsNumber: 3 }));
    expect(row('Réka').textContent).toContain('and 2 companions');
    expect(screen.getByText(/· 3 of 3$/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'All places are taken' }).disabled).toBe(true);
  });

  test('offers removal until the event is over, and adding until it has begun', async () => {
    await open([aBooking(1)], anOwnEvent({ startsOn: '2026-11-30T18:00:00Z', endsOn: '2026-12-03T20:00:00Z' }));
    expect(screen.getByRole('button', { name: 'Remove Réka Szőllősi' })).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add participants' }).disabled).toBe(true);
    cleanup();
    await open([aBooking(1)], anOwnEvent({ startsOn: '2026-11-30T18:00:00Z', endsOn: '2026-11-30T20:00:00Z' }));
    expect(screen.queryByRole('button', { name: 'Remove Réka Szőllősi' })).toBeNull();
  });

  test('11.22 is fetched again when somebody returns', async () => {
    const { all } = await open([aBooking(1)]);
    all[BOOKINGS] = json([]);
    comeBack();
    expect(await screen.findByText('Nobody is booked yet.')).toBeTruthy();
  });

  test('is saved as a file with everybody’s state and registration date', async () => {
    let file: Blob | null = null;
    vi.spyOn(URL, 'createObjectURL').mockImplementation((given) => {
      file = given as Blob;
      return 'blob:file';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    await open([
      aBooking(1, { participant: { name: 'x,=1+1', familyName: 'Abt', email: 'x@mail.example', phone: '' } }),
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Export' }));
    expect(await (file as unknown as Blob).text()).toMatch(
      /\r\n"x,=1\+1",Abt,x@mail\.example,,11\/28\/2026 \d{1,2}:\d\d [AP]M,Confirmed,1\r\n$/,
    );
  });
});

describe('removing', LONG, () => {
  const remove = () => userEvent.click(screen.getByRole('button', { name: 'Remove Réka Szőllősi' }));

  test('asks for a second click, which can be withdrawn; then the list is fetched again', async () => {
    const { sent, all, onChanged } = await open([aBooking(1)], anOwnEvent(), {
      'POST /api/event-booking/user/31/delete': nothing,
    });
    await remove();
    // In the colour of text: of the two answers only the one that removes has a colour.
    const keep = screen.getByRole('button', { name: 'Keep' });
    expect(keep.dataset['variant']).toBe('default');
    // An Enter that is held down on the bin must not remove.
    expect(document.activeElement).toBe(keep);
    await userEvent.click(keep);
    expect(sent).toEqual([]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Réka Szőllősi' }));
    await remove();
    all[BOOKINGS] = json([]);
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Nobody is booked yet.')).toBeTruthy();
    expect(screen.getByText('Réka Szőllősi has been removed and gets an email.')).toBeTruthy();
    expect(sent).toHaveLength(1);
    expect(onChanged).toHaveBeenCalled();
  });

  test('with a reason: “Give a reason” leads to the dialog that asks for one, and back to the list', async () => {
    const { sent, all } = await open([aBooking(1), held(2, '2026-12-01T09:30:00Z')], anOwnEvent(), {
      'POST /api/event-booking/user/31/delete': nothing,
    });
    await remove();
    await userEvent.click(screen.getByRole('button', { name: 'Give a reason' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel booking' }));
    const ok = dialog.getByRole('button', { name: 'Cancel booking' });
    await userEvent.click(ok);
    expect(sent).toEqual([]);
    await userEvent.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'The room is too small.');
    all[BOOKINGS] = json([held(2, '2026-12-01T09:30:00Z')]);
    await userEvent.click(ok);
    expect(await screen.findByRole('dialog', { name: 'Participants' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('row', { name: /Réka/ })).toBeNull());
    expect(sent).toMatchObject([
      { body: { participant: { email: 'reka+1@mail.example' }, reason: 'The room is too small.' } },
    ]);
  });

  test('somebody who has cancelled in the meantime is reported, and the row disappears', async () => {
    const { all, onChanged } = await open([aBooking(1)], anOwnEvent(), {
      'POST /api/event-booking/user/31/delete': refuse(404, 'booking_not_found'),
    });
    all[BOOKINGS] = json([]);
    await remove();
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('We can’t find this booking.')).toBeTruthy();
    expect(await screen.findByText('Nobody is booked yet.')).toBeTruthy();
    expect(onChanged).toHaveBeenCalled();
  });

  test('is refused in words if the event has ended', async () => {
    await open([aBooking(1)], anOwnEvent(), { 'POST /api/event-booking/user/31/delete': refuse(409, 'event_over') });
    await remove();
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('The event is over, so it can’t be cancelled any more.')).toBeTruthy();
  });
});

describe('adding', LONG, () => {
  const ADD = 'POST /api/event-booking/user/31/add';
  const write = (label: string, text: string, nth = 0) =>
    fireEvent.change(screen.getAllByLabelText(label)[nth] as HTMLElement, { target: { value: text } });
  const someone = (nth: number, firstName: string, email: string) => {
    write('First name', firstName, nth);
    write('Family name', 'Kis', nth);
    write('Email', email, nth);
  };

  /**
   * Adds Réka, and Levente, whose call fails. Takes the event's places. Returns what `open` returns, and the dialog.
   */
  const addOneOfTwo = async (maximumParticipant?: number) => {
    const places = maximumParticipant === undefined ? {} : { maximumParticipant };
    const world = await open([], anOwnEvent({ held: 0, confirmed: 0, ...places }), {
      [ADD]: (body) =>
        (body as { firstName: string }).firstName === 'Levente'
          ? Promise.reject(new TypeError('connection lost'))
          : Response.json(aBooking(5)),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Add participants' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add participants' }));
    someone(0, 'Réka', 'reka@mail.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Add another person' }));
    someone(1, 'Levente', 'levente@mail.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await dialog.findByText(/1 person couldn’t be added/)).toBeTruthy();
    return { ...world, dialog };
  };

  test('rows for a group: one call each; a retry sends only failed rows; another address is another person', async () => {
    const { sent, all } = await open([], anOwnEvent({ held: 0, confirmed: 0 }), {
      [ADD]: (body) =>
        (body as { firstName: string }).firstName === 'Levente'
          ? Promise.reject(new TypeError('connection lost'))
          : Response.json(aBooking(5)),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Add participants' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add participants' }));
    const before = Number(/(\d+) places left/.exec(dialog.getByText(/places left/).textContent)?.[1]);
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await dialog.findByText('Family name required')).toBeTruthy();
    expect(sent).toEqual([]);
    someone(0, 'Réka', 'reka@mail.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Add another person' }));
    someone(1, 'Levente', 'levente@mail.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await dialog.findByText(/1 person couldn’t be added/)).toBeTruthy();
    expect(dialog.getByText(new RegExp(`${before - 1} places? left`))).toBeTruthy();
    // The answer of the first try was lost; but this is somebody else, who is booked for another reason.
    all[ADD] = refuse(409, 'already_booked');
    write('Email', 'other@mail.example', 1);
    await userEvent.click(dialog.getByRole('button', { name: /^(?:Add|Send again)$/ }));
    expect(await dialog.findByText('This person already has a booking for this event.')).toBeTruthy();
    all[ADD] = json(aBooking(6));
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('dialog', { name: 'Participants' })).toBeTruthy();
    expect(sent.map(({ body }) => (body as { email: string }).email)).toEqual([
      'reka@mail.example',
      'levente@mail.example',
      'other@mail.example',
      'other@mail.example',
    ]);
  });

  test('faults disappear as they are corrected, and an empty row is left out', async () => {
    const { sent } = await open([], anOwnEvent({ held: 0, confirmed: 0 }), { [ADD]: json(aBooking(5)) });
    await userEvent.click(screen.getByRole('button', { name: 'Add participants' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add participants' }));
    const another = () => userEvent.click(dialog.getByRole('button', { name: 'Add another person' }));
    const add = () => userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    const faulty = () =>
      dialog.getAllByRole('textbox').filter((field) => field.getAttribute('aria-invalid') === 'true');
    await another();
    // If all rows are empty, one row stays and says what it needs.
    await add();
    expect(dialog.getAllByLabelText('Email')).toHaveLength(1);
    expect(faulty()).toHaveLength(3);
    someone(0, 'Réka', 'reka@mail');
    expect(faulty()).toHaveLength(1);
    write('Email', 'reka@mail.example');
    expect(faulty()).toHaveLength(0);
    await another();
    someone(1, 'Levente', 'reka@mail.example');
    await another();
    await add();
    expect(faulty()).toHaveLength(1);
    expect(sent).toEqual([]);
    // A duplicate address is valid again once the other row has another one.
    write('Email', 'other@mail.example', 0);
    expect(faulty()).toHaveLength(0);
    await another();
    await add();
    expect(await screen.findByRole('dialog', { name: 'Participants' })).toBeTruthy();
    expect(sent.map(({ body }) => (body as { email: string }).email)).toEqual([
      'other@mail.example',
      'reka@mail.example',
    ]);
  });

  test('an address that stays counts as added if its first answer was lost', async () => {
    const { all, sent } = await open([], anOwnEvent({ held: 0, confirmed: 0 }), {
      [ADD]: () => Promise.reject(new TypeError('connection lost')),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Add participants' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add participants' }));
    someone(0, 'Réka', 'reka@mail.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    await dialog.findByText(/1 person couldn’t be added/);
    all[ADD] = refuse(409, 'already_booked');
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('dialog', { name: 'Participants' })).toBeTruthy();
    expect(sent).toHaveLength(2);
  });

  test('an added person takes one place, even if the list is fetched again', async () => {
    const { all, queries, dialog } = await addOneOfTwo(3);
    const again = vi.fn(json([aBooking(5)]));
    all[BOOKINGS] = again;
    comeBack();
    await waitFor(() => expect([again.mock.calls.length, queries.isFetching()]).toEqual([1, 0]));
    expect(dialog.getByText(/2 places left/)).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Add another person' }).disabled).toBe(false);
  });

  test('with a row for each free place, the button for more rows says that there are no more', async () => {
    await open([], anOwnEvent({ held: 0, confirmed: 0, currentParticipantsNumber: 0, maximumParticipant: 2 }));
    await userEvent.click(screen.getByRole('button', { name: 'Add participants' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add participants' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add another person' }));
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'No more places' }).disabled).toBe(true);
  });

  test('typed text is not lost without a question: cross, Escape and the button ask once, an empty row does not', async () => {
    await open([], anOwnEvent({ held: 0, confirmed: 0 }));
    const adding = () => screen.findByRole('dialog', { name: 'Add participants' });
    const asked = async () => within(await screen.findByRole('dialog', { name: 'Discard your changes?' }));
    const keep = async () => {
      await userEvent.click((await asked()).getByRole('button', { name: 'Keep editing' }));
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull());
    };
    await userEvent.click(screen.getByRole('button', { name: 'Add participants' }));
    await userEvent.click(within(await adding()).getByRole('button', { name: 'Back' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Add participants' }));
    await adding();
    write('First name', 'Réka');
    await userEvent.keyboard('{Escape}');
    await keep();
    await userEvent.click(within(await adding()).getByRole('button', { name: 'Close' }));
    await keep();
    expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Réka');
    await userEvent.click(within(await adding()).getByRole('button', { name: 'Back' }));
    await userEvent.click((await asked()).getByRole('button', { name: 'Discard changes' }));
    expect(await screen.findByRole('dialog', { name: 'Participants' })).toBeTruthy();
  });

  test('people who were already added are not part of the question: only the other rows would be lost', async () => {
    const { dialog } = await addOneOfTwo();
    await userEvent.click(dialog.getByRole('button', { name: 'Remove person 2' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('dialog', { name: 'Participants' })).toBeTruthy();
  });

  test('has a single row for one-on-one, which cannot be removed or followed by others', async () => {
    const { sent } = await open([], anOwnEvent({ type: 'ONE_ON_ONE', maximumParticipant: 1, held: 0, confirmed: 0 }), {
      [ADD]: json(aBooking(5)),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Add a participant' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a participant' }));
    expect(dialog.queryByRole('button', { name: /another person|Remove person/ })).toBeNull();
    someone(0, 'Réka', 'reka@mail.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await screen.findByRole('dialog', { name: 'Participants' })).toBeTruthy();
    expect(sent).toEqual([
      { name: ADD, body: { firstName: 'Réka', lastName: 'Kis', email: 'reka@mail.example', phoneNumber: '' } },
    ]);
  });
});
