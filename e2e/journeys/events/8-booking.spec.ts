/** Booking: finding an event, holding a place, confirming by email, cancelling; full events and expired holds. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import {
  book,
  calendarEntries,
  dayFromNow,
  eventMenu,
  expectSaid,
  moveClock,
  noteSaid,
  openPublicEvent,
  publishEvent,
  submitBooking,
} from '../events.ts';
import { expectInRoom, linkIn, nextEmail } from '../people.ts';

const HANNA = { firstName: 'Hanna', familyName: 'Köhl', email: 'hanna.k@mail.example', phone: '+43 660 000 551' };
const JONAS = { firstName: 'Jonas', familyName: 'Abt', email: 'jonas.abt@mail.example', phone: '+43 660 000 204' };

// `/dev`, which moves the clock, exists in development only; all bookings come from one network address.
test.use({
  settings: { FIELDROOM_DEV: '1', NODE_ENV: 'development', LIMIT_BOOKING: '100/10m', LIMIT_OPEN_HOLDS: '100/10m' },
});

test('a client finds an event, books, confirms by email, adds it to a calendar, and cancels', async ({
  visit,
  server,
}) => {
  test.slow();
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  const day = dayFromNow(14);
  await publishEvent(anna, {
    name: 'An open evening',
    days: [day],
    start: '18:00',
    end: '20:00',
    places: 2,
    price: '35',
  });

  const hanna = (await visit(PHONE)).page;
  const seen = new Set<string>();
  await hanna.goto('/event/anna');
  await axeClean(hanna, 'therapist’s public page');
  await screenshot(hanna, 'public-390-light-en');
  await hanna
    .getByRole('link', { name: /An open evening/ })
    .first()
    .click();
  await expect(hanna.getByRole('heading', { level: 1, name: 'An open evening' })).toBeVisible();
  await axeClean(hanna, 'event');
  await screenshot(hanna, 'event-390-light-en');
  await book(hanna, HANNA);
  await axeClean(hanna, 'held');
  await screenshot(hanna, 'held-390-light-en');
  // The held place is still shown after a reload.
  await hanna.reload();
  await expect(hanna.getByRole('heading', { name: 'Your place is held' })).toBeVisible();

  const email = await nextEmail(server, HANNA.email, seen);
  expect(email.subject).not.toMatch(/evening|therap|constellation|Anna/i);
  const link = linkIn(email, '/event/confirm');
  const reader = (await visit(PHONE)).page;
  // A mail scanner that opens the link changes nothing.
  expect((await reader.request.get(link.replace('#token=', '?token='))).status()).toBeLessThan(500);
  await reader.goto(link);
  await expect(reader.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expect(reader).not.toHaveURL(/token/);
  await axeClean(reader, 'page that the email links to');
  await screenshot(reader, 'confirm-390-light-en');
  await reader.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(reader.getByRole('heading', { name: 'Your place is booked' })).toBeVisible();
  await axeClean(reader, 'confirmed');
  await screenshot(reader, 'confirmed-390-light-en');
  const [file] = await Promise.all([
    reader.waitForEvent('download'),
    reader.getByRole('button', { name: 'Add to calendar' }).click(),
  ]);
  const { method, entries } = calendarEntries(await readFile((await file.path())!, 'utf8'));
  expect(method).toBe('PUBLISH');
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ SUMMARY: expect.stringContaining('An open evening') });
  expect(entries[0]!['DTSTART']).toBe(`${day.replaceAll('-', '')}T180000`);

  const confirmed = await nextEmail(server, HANNA.email, seen);
  await nextEmail(server, 'anna@demo.example');
  const own = linkIn(confirmed, '/event/booking');
  await reader.goto(own);
  await expect(reader.getByText('We look forward to seeing you, Hanna.', { exact: false })).toBeVisible();
  await axeClean(reader, 'private page');
  await screenshot(reader, 'booking-390-light-en');

  // The therapist sees who has booked.
  await anna.getByRole('button', { name: 'Participants: An open evening' }).click();
  await expect(anna.getByRole('row', { name: /Hanna Köhl/ })).toContainText('Confirmed');

  await reader.getByRole('button', { name: 'Cancel booking' }).click();
  await reader.getByRole('button', { name: 'Yes, cancel booking' }).click();
  await expect(reader.getByRole('heading', { name: 'Your booking is cancelled' })).toBeVisible();
  await axeClean(reader, 'cancelled booking');
  await nextEmail(server, HANNA.email, seen);
});

test('the last place goes to one person; an expired hold frees the place and can still be confirmed', async ({
  visit,
  server,
}) => {
  test.slow();
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await publishEvent(anna, {
    name: 'Two chairs',
    days: [dayFromNow(20)],
    start: '18:00',
    end: '20:00',
    places: 1,
    price: '0',
  });
  const hanna = (await visit(DESK)).page;
  await openPublicEvent(hanna, 'Two chairs');
  await screenshot(hanna, 'event-1440-light-en');
  const address = hanna.url();
  await book(hanna, HANNA);
  await screenshot(hanna, 'held-1440-light-en');

  const jonas = (await visit(PHONE)).page;
  await jonas.goto(address);
  await expect(jonas.getByText('All places are taken')).toBeVisible();
  await axeClean(jonas, 'full event');
  await screenshot(jonas, 'event-full-390-light-en');

  await moveClock(anna, 11, 'minutes');
  await jonas.reload();
  await expect(jonas.getByRole('button', { name: 'Book this place' }).first()).toBeVisible();

  // Nobody else has taken the place, so a late confirmation still gets it.
  const email = await nextEmail(server, HANNA.email);
  const reader = (await visit(PHONE)).page;
  await reader.goto(linkIn(email, '/event/confirm'));
  await expect(reader.getByRole('heading', { name: 'The ten minutes are over' })).toBeVisible();
  await axeClean(reader, 'late confirmation');
  await reader.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(reader.getByRole('heading', { name: 'Your place is booked' })).toBeVisible();
  await submitBooking(jonas, JONAS);
  await expect(jonas.getByText(/All places are taken/).first()).toBeVisible();
  expect(await server.emails(JONAS.email)).toEqual([]);
});

/** The person returns to the tab, which makes the page ask the server again. */
const returnToTab = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

test('every page is right about a held place while the event is moved, cancelled and deleted', async ({
  visit,
  server,
}) => {
  test.slow();
  const anna = (await visit(DESK)).page;
  await noteSaid(anna);
  await signIn(anna);
  await publishEvent(anna, {
    name: 'A slow round',
    days: [dayFromNow(16)],
    start: '18:00',
    end: '20:00',
    places: 3,
    price: '20',
  });
  const [hanna, reader, own] = [(await visit(PHONE)).page, (await visit(PHONE)).page, (await visit(DESK)).page];
  const seen = new Set<string>();
  await openPublicEvent(hanna, 'A slow round');
  await book(hanna, HANNA);
  await reader.goto(linkIn(await nextEmail(server, HANNA.email, seen), '/event/confirm'));
  await expect(reader.getByRole('heading', { name: 'One more step' })).toBeVisible();

  await eventMenu(anna, 'A slow round', 'Edit');
  const edit = anna.getByRole('dialog', { name: 'Edit event' });
  await edit.getByLabel('Start', { exact: true }).fill('17:15');
  // The form says who will get an email before it can be saved.
  await expect(edit.getByText(/We’ll email:/)).toBeVisible();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toHaveCount(0);
  const moved = /^The time or place has changed since you booked/;
  for (const page of [hanna, reader]) {
    await returnToTab(page);
    await expect(page.getByText(moved)).toBeVisible();
    await expect(page.getByText(/17:15/).first()).toBeVisible();
  }
  await axeClean(hanna, 'held and moved');
  await screenshot(hanna, 'held-moved-390-light-en');
  await own.goto(linkIn(await nextEmail(server, HANNA.email, seen), '/event/booking'));
  await expect(own.getByRole('heading', { name: /^Your place is held until \d\d:\d\d$/ })).toBeVisible();
  await expect(own.getByText(moved)).toBeVisible();
  await axeClean(own, 'private page of a held place');
  await screenshot(own, 'booking-held-1440-light-en');
  await own.getByRole('button', { name: 'Send me the confirmation email again' }).click();
  await expect(own.getByText(`We’ve sent the link to ${HANNA.email}.`)).toBeVisible();
  linkIn(await nextEmail(server, HANNA.email, seen), '/event/confirm');

  // The therapist's page deletes the event right after cancelling it.
  await eventMenu(anna, 'A slow round', 'Cancel event');
  const cancel = anna.getByRole('dialog', { name: 'Cancel event' });
  await cancel.getByLabel('Reason').fill('The house is closed.');
  await cancel.getByRole('button', { name: 'Cancel event' }).click();
  await expectSaid(anna, 'The event has been cancelled. We’ll email 1 person.');
  expect((await nextEmail(server, HANNA.email, seen)).text).toContain('The house is closed.');
  for (const [page, title] of [
    [hanna, 'The event has been cancelled'],
    [reader, 'This event has been cancelled'],
    [own, 'This event has been cancelled'],
  ] as const) {
    await returnToTab(page);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('button', { name: /Confirm|Cancel booking|Send/ })).toHaveCount(0);
    await axeClean(page, title);
  }
  await screenshot(hanna, 'held-cancelled-390-light-en');
  await hanna.getByRole('link', { name: 'Other dates with Anna' }).click();
  await expect(hanna.getByRole('heading', { name: 'Upcoming events' })).toBeVisible();
  await expect(hanna.getByRole('link', { name: /A slow round/ })).toHaveCount(0);
});

test('booked, confirmed and cancelled in one tab: no held place remains on display', async ({ visit, server }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await publishEvent(anna, {
    name: 'One tab',
    days: [dayFromNow(17)],
    start: '18:00',
    end: '20:00',
    places: 3,
    price: '20',
  });
  const hanna = (await visit(PHONE)).page;
  await openPublicEvent(hanna, 'One tab');
  const address = hanna.url();
  await book(hanna, HANNA);
  await hanna.goto(linkIn(await nextEmail(server, HANNA.email), '/event/confirm'));
  await hanna.getByRole('button', { name: 'Confirm booking' }).click();
  await hanna.getByRole('link', { name: 'View booking' }).click();
  await expect(hanna.getByText('To come back to this page, open the link in our email again.')).toBeVisible();
  await hanna.getByRole('button', { name: 'Cancel booking' }).click();
  await hanna.getByRole('button', { name: 'Yes, cancel booking' }).click();
  await expect(hanna.getByRole('heading', { name: 'Your booking is cancelled' })).toBeVisible();
  await hanna.getByRole('link', { name: 'Back to event' }).click();
  await expect(hanna).toHaveURL(address);
  await expect(hanna.getByRole('button', { name: 'Book this place' }).first()).toBeVisible();
  await expect(hanna.getByText(/Your place is held|holding a place/)).toHaveCount(0);
});

test('the private link leads into the waiting room, under the booked name and marked as booked', async ({
  visit,
  server,
}) => {
  test.slow();
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  const day = dayFromNow(2);
  await publishEvent(anna, {
    name: 'Round by night',
    days: [day],
    start: '18:00',
    end: '20:00',
    places: 5,
    price: '10',
  });
  const hanna = (await visit(PHONE)).page;
  const seen = new Set<string>();
  await openPublicEvent(hanna, 'Round by night');
  await book(hanna, HANNA);
  await hanna.goto(linkIn(await nextEmail(server, HANNA.email, seen), '/event/confirm'));
  await hanna.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(hanna.getByRole('heading', { name: 'Your place is booked' })).toBeVisible();
  const own = linkIn(await nextEmail(server, HANNA.email, seen), '/event/booking');
  await hanna.goto(own);
  await expect(hanna.getByText(/the link in our email takes you to the waiting room/)).toBeVisible();

  // Twenty minutes before the event begins.
  const zone = { timeZone: 'Europe/Vienna' } as const;
  const wall = (time: number) =>
    new Intl.DateTimeFormat('sv-SE', { ...zone, dateStyle: 'short', timeStyle: 'short' }).format(time);
  let minutes = Math.floor((Date.parse(`${day}T15:00:00Z`) - Date.now()) / 60_000);
  while (wall(Date.now() + minutes * 60_000) < `${day} 17:40`) minutes += 5;
  for (let left = minutes; left > 0; left -= 1000) await moveClock(anna, Math.min(1000, left), 'minutes');
  await anna.goto('/app/play-area');
  await expect(anna.getByTestId('field')).toBeVisible();
  // A page reads the clock when it opens, so open it again after the jump.
  await hanna.goto('about:blank');
  await hanna.goto(own);
  await hanna.getByRole('button', { name: 'Go to the waiting room' }).click();
  await expect(hanna.getByText('Welcome, Hanna', { exact: false })).toBeVisible();
  await expect(anna.getByText('booked', { exact: true })).toBeVisible();
  await axeClean(anna, 'play area with somebody booked');
  await anna.getByRole('button', { name: /^Let in Hanna/ }).click();
  await expectInRoom(hanna);
});

test('the public pages work in every language, with the dark theme', async ({ visit }) => {
  test.slow();
  for (const [language, words] of Object.entries({
    de: { book: 'Diesen Platz buchen' },
    hu: { book: null },
    ro: { book: null },
  })) {
    for (const [name, options] of [
      ['390', PHONE],
      ['1440', DESK],
    ] as const) {
      const { page, close } = await visit({ ...options, colorScheme: 'dark' });
      await page.addInitScript((code) => {
        localStorage.setItem('language', code);
        localStorage.setItem('theme', 'dark.blueyale');
      }, language);
      await page.goto('/event/anna');
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toBeVisible();
      const therapist = await heading.textContent();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      // The phone's layout is the same in all languages, so one language is enough for axe there.
      const checked = language === 'de' || options === DESK;
      if (checked) await axeClean(page, `public page, ${language}`);
      await screenshot(page, `public-${name}-dark-${language}`);
      await page.locator('a[href^="/event/anna/"]').first().click();
      // The previous page stays until this one's code has loaded.
      await expect(heading).not.toHaveText(therapist ?? '');
      await expect(heading).toBeVisible();
      if (words.book) await expect(page.getByRole('button', { name: words.book }).first()).toBeVisible();
      if (checked) await axeClean(page, `event, ${language}`);
      await screenshot(page, `event-${name}-dark-${language}`);
      await close();
    }
  }
});

test('one booking with three places: chosen on a phone, shown everywhere, freed together', async ({
  visit,
  server,
}) => {
  test.slow();
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await publishEvent(anna, {
    name: 'A family evening',
    days: [dayFromNow(16)],
    start: '18:00',
    end: '20:00',
    places: 4,
    price: '35',
  });

  const hanna = (await visit(PHONE)).page;
  await openPublicEvent(hanna, 'A family evening');
  const address = hanna.url();
  await hanna.getByRole('button', { name: 'Book this place' }).first().click();
  const dialog = hanna.getByRole('dialog', { name: 'Your details' });
  // An empty form shows what is missing and puts the cursor there.
  await dialog.getByRole('button', { name: 'Hold my place' }).click();
  await expect(dialog.getByLabel('First name')).toBeFocused();
  await expect(dialog.getByText('Phone required')).toBeVisible();
  const places = dialog.getByRole('group', { name: 'Number of places' });
  await places.getByRole('button', { name: 'One place more' }).click();
  await places.getByRole('button', { name: 'One place more' }).click();
  await expect(places.getByRole('status')).toHaveText('3');
  await expect(dialog.getByText('€105 in total')).toBeVisible();
  await axeClean(hanna, 'booking form with places');
  await dialog.evaluate((box) => box.querySelector('form')!.scrollIntoView({ block: 'end' }));
  await screenshot(hanna, 'book-places-390-light-en');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  await submitBooking(hanna, HANNA);
  await expect(hanna.getByRole('heading', { name: 'Your place is held' })).toBeVisible();
  await expect(hanna.getByText('3 places for you')).toBeVisible();
  await screenshot(hanna, 'held-places-390-light-en');

  const jonas = (await visit(PHONE)).page;
  await jonas.goto(address);
  await expect(jonas.getByText('1 place left')).toBeVisible();

  const email = await nextEmail(server, HANNA.email);
  expect(email.text).toContain('Places: 3');
  const reader = (await visit(PHONE)).page;
  await reader.goto(linkIn(email, '/event/confirm'));
  await expect(reader.getByText('3 places for you')).toBeVisible();
  await reader.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(reader.getByRole('heading', { name: 'Your place is booked' })).toBeVisible();
  await nextEmail(server, 'anna@demo.example');
  await reader
    .getByRole('button', { name: 'View booking' })
    .or(reader.getByRole('link', { name: 'View booking' }))
    .click();
  await expect(reader.getByText('For Hanna Köhl and 2 companions')).toBeVisible();
  await screenshot(reader, 'booking-places-390-light-en');

  await anna.reload();
  await anna.getByRole('button', { name: 'Participants: A family evening' }).click();
  await expect(anna.getByRole('row', { name: /Hanna Köhl/ })).toContainText('and 2 companions');
  await expect(anna.getByText('3 of 4', { exact: true })).toBeVisible();
  await screenshot(anna, 'participants-places-1440-light-en');

  await reader.getByRole('button', { name: 'Cancel booking' }).click();
  await reader.getByRole('button', { name: 'Yes, cancel booking' }).click();
  await expect(reader.getByRole('heading', { name: 'Your booking is cancelled' })).toBeVisible();
  await jonas.reload();
  await expect(jonas.getByText('4 places left')).toBeVisible();
});
