/**
 * Somebody books: finds an event, holds a place, confirms by letter, sees and cancels the booking; full and expired
 * ones.
 */
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, picture, signIn, test } from '../journey.ts';
import { book, calendarEntries, dayFromNow, eventMenu, moveClock, publish, writeEvent } from './events.ts';
import { inRoom, linkIn, nextLetter } from './people.ts';

const HANNA = { firstName: 'Hanna', familyName: 'Köhl', email: 'hanna.k@mail.example', phone: '+43 660 000 551' };
const JONAS = { firstName: 'Jonas', familyName: 'Abt', email: 'jonas.abt@mail.example', phone: '+43 660 000 204' };

// The clock is moved by the page that development alone has; many book from one address here.
test.use({
  settings: { FIELDROOM_DEV: '1', NODE_ENV: 'development', LIMIT_BOOKING: '100/10m', LIMIT_OPEN_HOLDS: '100/10m' },
});

test('a client finds an event, books, confirms by letter, keeps it in a calendar, and cancels', async ({
  visit,
  server,
}) => {
  test.slow();
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await writeEvent(anna, {
    name: 'An open evening',
    days: [dayFromNow(14)],
    start: '18:00',
    end: '20:00',
    places: 2,
    price: '35',
  });
  await publish(anna);

  const hanna = (await visit(PHONE)).page;
  const seen = new Set<string>();
  await hanna.goto('/event/anna');
  await axeClean(hanna, 'therapist’s public page');
  await picture(hanna, 'public-390-light-en');
  await hanna
    .getByRole('link', { name: /An open evening/ })
    .first()
    .click();
  await expect(hanna.getByRole('heading', { level: 1, name: 'An open evening' })).toBeVisible();
  await axeClean(hanna, 'event');
  await picture(hanna, 'event-390-light-en');
  await book(hanna, HANNA);
  await axeClean(hanna, 'held');
  await picture(hanna, 'held-390-light-en');
  // A reload keeps the held place in sight.
  await hanna.reload();
  await expect(hanna.getByRole('heading', { name: 'Your place is held' })).toBeVisible();

  const letter = await nextLetter(server, HANNA.email, seen);
  expect(letter.subject).not.toMatch(/evening|therap|constellation|Anna/i);
  const link = linkIn(letter, '/event/confirm');
  const reader = (await visit(PHONE)).page;
  // A scanner that opens the link changes nothing.
  expect((await reader.request.get(link.replace('#token=', '?token='))).status()).toBeLessThan(500);
  await reader.goto(link);
  await expect(reader.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expect(reader).not.toHaveURL(/token/);
  await axeClean(reader, 'letter’s page');
  await picture(reader, 'confirm-390-light-en');
  await reader.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(reader.getByRole('heading', { name: 'Your place is booked' })).toBeVisible();
  await axeClean(reader, 'confirmed');
  await picture(reader, 'confirmed-390-light-en');
  const [file] = await Promise.all([
    reader.waitForEvent('download'),
    reader.getByRole('button', { name: 'Add to calendar' }).click(),
  ]);
  const { method, entries } = calendarEntries(
    await (await import('node:fs/promises')).readFile((await file.path())!, 'utf8'),
  );
  expect(method).toBe('PUBLISH');
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ SUMMARY: expect.stringContaining('An open evening') });
  expect(entries[0]!['DTSTART']).toBe(`${dayFromNow(14).replaceAll('-', '')}T180000`);

  const confirmed = await nextLetter(server, HANNA.email, seen);
  await nextLetter(server, 'anna@demo.example');
  const own = linkIn(confirmed, '/event/booking');
  await reader.goto(own);
  await expect(reader.getByText('We look forward to seeing you, Hanna.', { exact: false })).toBeVisible();
  await axeClean(reader, 'private page');
  await picture(reader, 'booking-390-light-en');

  // The therapist sees her; nobody else learns more than a number.
  await anna.getByRole('button', { name: 'Participants: An open evening' }).click();
  await expect(anna.getByRole('row', { name: /Hanna Köhl/ })).toContainText('Confirmed');

  await reader.getByRole('button', { name: 'Cancel booking' }).click();
  await reader.getByRole('button', { name: 'Yes, cancel booking' }).click();
  await expect(reader.getByRole('heading', { name: 'Your booking is cancelled' })).toBeVisible();
  await axeClean(reader, 'cancelled booking');
  await nextLetter(server, HANNA.email, seen);
});

test('the last place goes once; a hold that is over is free again and can still be confirmed late', async ({
  visit,
  server,
}) => {
  test.slow();
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await writeEvent(anna, {
    name: 'Two chairs',
    days: [dayFromNow(20)],
    start: '18:00',
    end: '20:00',
    places: 1,
    price: '0',
  });
  await publish(anna);
  const hanna = (await visit(DESK)).page;
  await hanna.goto('/event/anna');
  await hanna
    .getByRole('link', { name: /Two chairs/ })
    .first()
    .click();
  await expect(hanna.getByRole('heading', { level: 1, name: 'Two chairs' })).toBeVisible();
  await picture(hanna, 'event-1440-light-en');
  const address = hanna.url();
  await book(hanna, HANNA);
  await picture(hanna, 'held-1440-light-en');

  const jonas = (await visit(PHONE)).page;
  await jonas.goto(address);
  await expect(jonas.getByText('All places are taken')).toBeVisible();
  await axeClean(jonas, 'full event');
  await picture(jonas, 'event-full-390-light-en');

  await moveClock(anna, 11, 'minutes');
  await jonas.reload();
  await expect(jonas.getByRole('button', { name: 'Book this place' }).first()).toBeVisible();

  // Nobody was faster: the late click still wins, once.
  const letter = await nextLetter(server, HANNA.email);
  const reader = (await visit(PHONE)).page;
  await reader.goto(linkIn(letter, '/event/confirm'));
  await expect(reader.getByRole('heading', { name: 'The ten minutes are over' })).toBeVisible();
  await axeClean(reader, 'late letter');
  await reader.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(reader.getByRole('heading', { name: 'Your place is booked' })).toBeVisible();
  await jonas.getByRole('button', { name: 'Book this place' }).first().click();
  const dialog = jonas.getByRole('dialog', { name: 'Your details' });
  await dialog.getByLabel('First name').fill(JONAS.firstName);
  await dialog.getByLabel('Family name').fill(JONAS.familyName);
  await dialog.getByLabel('Email').fill(JONAS.email);
  await dialog.getByLabel('Phone').fill(JONAS.phone);
  await dialog.getByRole('button', { name: 'Hold my place' }).click();
  await expect(jonas.getByText(/All places are taken/).first()).toBeVisible();
  expect(await server.letters(JONAS.email)).toEqual([]);
});

/** Somebody who had the page open all the time looks at it again. */
const lookAgain = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

test('a held place is told truly on every page while the event is moved, cancelled and taken away', async ({
  visit,
  server,
}) => {
  test.slow();
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await writeEvent(anna, {
    name: 'A slow round',
    days: [dayFromNow(16)],
    start: '18:00',
    end: '20:00',
    places: 3,
    price: '20',
  });
  await publish(anna);
  const [hanna, reader, own] = [(await visit(PHONE)).page, (await visit(PHONE)).page, (await visit(DESK)).page];
  const seen = new Set<string>();
  await hanna.goto('/event/anna');
  await hanna
    .getByRole('link', { name: /A slow round/ })
    .first()
    .click();
  await expect(hanna.getByRole('heading', { level: 1, name: 'A slow round' })).toBeVisible();
  await book(hanna, HANNA);
  await reader.goto(linkIn(await nextLetter(server, HANNA.email, seen), '/event/confirm'));
  await expect(reader.getByRole('heading', { name: 'One more step' })).toBeVisible();

  await eventMenu(anna, 'A slow round', 'Edit');
  const edit = anna.getByRole('dialog', { name: 'Edit event' });
  await edit.getByLabel('Start', { exact: true }).fill('17:15');
  // What it will cause is told before it can be saved.
  await expect(edit.getByText(/We’ll email:/)).toBeVisible();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toHaveCount(0);
  const moved = /^The time or place has changed since you booked/;
  for (const page of [hanna, reader]) {
    await lookAgain(page);
    await expect(page.getByText(moved)).toBeVisible();
    await expect(page.getByText(/17:15/).first()).toBeVisible();
  }
  await axeClean(hanna, 'held and moved');
  await picture(hanna, 'held-moved-390-light-en');
  await own.goto(linkIn(await nextLetter(server, HANNA.email, seen), '/event/booking'));
  await expect(own.getByRole('heading', { name: /^Your place is held until \d\d:\d\d$/ })).toBeVisible();
  await expect(own.getByText(moved)).toBeVisible();
  await axeClean(own, 'private page of a held place');
  await picture(own, 'booking-held-1440-light-en');
  await own.getByRole('button', { name: 'Send me the confirmation email again' }).click();
  await expect(own.getByText(`We’ve sent the link to ${HANNA.email}.`)).toBeVisible();
  linkIn(await nextLetter(server, HANNA.email, seen), '/event/confirm');

  // The therapist's page cancels and takes the event away at once.
  await eventMenu(anna, 'A slow round', 'Cancel event');
  const cancel = anna.getByRole('dialog', { name: 'Cancel event' });
  await cancel.getByLabel('Reason').fill('The house is closed.');
  await cancel.getByRole('button', { name: 'Cancel event' }).click();
  await expect(anna.getByText('The event has been cancelled. We’ll email 1 person.')).toBeVisible();
  expect((await nextLetter(server, HANNA.email, seen)).text).toContain('The house is closed.');
  for (const [page, title] of [
    [hanna, 'The event has been cancelled'],
    [reader, 'This event has been cancelled'],
    [own, 'This event has been cancelled'],
  ] as const) {
    await lookAgain(page);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('button', { name: /Confirm|Cancel my booking|Send/ })).toHaveCount(0);
    await axeClean(page, title);
  }
  await picture(hanna, 'held-cancelled-390-light-en');
  await hanna.getByRole('link', { name: 'Other dates with Anna' }).click();
  await expect(hanna.getByRole('heading', { name: 'Upcoming events' })).toBeVisible();
  await expect(hanna.getByRole('link', { name: /A slow round/ })).toHaveCount(0);
});

test('booked, confirmed and cancelled in one tab: nothing is held any more', async ({ visit, server }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await writeEvent(anna, {
    name: 'One tab',
    days: [dayFromNow(17)],
    start: '18:00',
    end: '20:00',
    places: 3,
    price: '20',
  });
  await publish(anna);
  const hanna = (await visit(PHONE)).page;
  await hanna.goto('/event/anna');
  await hanna
    .getByRole('link', { name: /One tab/ })
    .first()
    .click();
  await expect(hanna.getByRole('heading', { level: 1, name: 'One tab' })).toBeVisible();
  const address = hanna.url();
  await book(hanna, HANNA);
  await hanna.goto(linkIn(await nextLetter(server, HANNA.email), '/event/confirm'));
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

test('from the private link into the waiting room, under the booked name and marked', async ({ visit, server }) => {
  test.slow();
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await writeEvent(anna, {
    name: 'Round by night',
    days: [dayFromNow(2)],
    start: '18:00',
    end: '20:00',
    places: 5,
    price: '10',
  });
  await publish(anna);
  const hanna = (await visit(PHONE)).page;
  const seen = new Set<string>();
  await hanna.goto('/event/anna');
  await hanna
    .getByRole('link', { name: /Round by night/ })
    .first()
    .click();
  await expect(hanna.getByRole('heading', { level: 1, name: 'Round by night' })).toBeVisible();
  await book(hanna, HANNA);
  await hanna.goto(linkIn(await nextLetter(server, HANNA.email, seen), '/event/confirm'));
  await hanna.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(hanna.getByRole('heading', { name: 'Your place is booked' })).toBeVisible();
  const own = linkIn(await nextLetter(server, HANNA.email, seen), '/event/booking');
  await hanna.goto(own);
  await expect(hanna.getByText(/the link in our email takes you to the waiting room/)).toBeVisible();

  // A quarter of an hour before it begins.
  const zone = { timeZone: 'Europe/Vienna' } as const;
  const wall = (time: number) =>
    new Intl.DateTimeFormat('sv-SE', { ...zone, dateStyle: 'short', timeStyle: 'short' }).format(time);
  let minutes = Math.floor((Date.parse(`${dayFromNow(2)}T15:00:00Z`) - Date.now()) / 60_000);
  while (wall(Date.now() + minutes * 60_000) < `${dayFromNow(2)} 17:40`) minutes += 5;
  for (let left = minutes; left > 0; left -= 1000) await moveClock(anna, Math.min(1000, left), 'minutes');
  await anna.goto('/app/play-area');
  await expect(anna.getByTestId('field')).toBeVisible();
  // The clock has jumped, which it does for nobody but us: the page looks at it when it is opened.
  await hanna.goto('about:blank');
  await hanna.goto(own);
  await hanna.getByRole('button', { name: 'Go to the waiting room' }).click();
  await expect(hanna.getByText('Welcome, Hanna', { exact: false })).toBeVisible();
  await expect(anna.getByText('booked', { exact: true })).toBeVisible();
  await axeClean(anna, 'play area with somebody booked');
  await anna.getByRole('button', { name: /^Let in Hanna/ }).click();
  await inRoom(hanna);
});

test('the public pages speak every language, by night too', async ({ visit }) => {
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
      // Names come from the words and colours from the scheme: the phone's arrangement is looked at once.
      const looked = language === 'de' || options === DESK;
      if (looked) await axeClean(page, `public page, ${language}`);
      await picture(page, `public-${name}-dark-${language}`);
      await page.locator('a[href^="/event/anna/"]').first().click();
      // The page before stays until this one's code is there.
      await expect(heading).not.toHaveText(therapist ?? '');
      await expect(heading).toBeVisible();
      if (words.book) await expect(page.getByRole('button', { name: words.book }).first()).toBeVisible();
      if (looked) await axeClean(page, `event, ${language}`);
      await picture(page, `event-${name}-dark-${language}`);
      await close();
    }
  }
});
