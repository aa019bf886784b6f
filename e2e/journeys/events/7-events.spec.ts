/** A therapist's events: published, repeated, changed, filled by hand, cancelled with emails. */
import { dayPlus } from '@fieldroom/contract/events';
import type { Locator, Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { dayFromNow, eventMenu, expectSaid, noteSaid, onlyEvents, publish, writeEvent } from '../events.ts';
import { nextEmail } from '../people.ts';

test('a therapist writes a series, publishes, changes and cancels it', async ({ visit, server }) => {
  test.slow();
  const { page } = await visit(DESK);
  await noteSaid(page);
  await signIn(page);
  const first = dayFromNow(30);
  await writeEvent(page, {
    name: 'Tuesday round',
    days: [first],
    start: '9:5',
    end: '11',
    places: 4,
    price: '45',
    weeks: 3,
  });
  // Hours and minutes are padded.
  await page.getByLabel('Price per person').focus();
  await expect(page.getByLabel('Start', { exact: true })).toHaveValue('09:05');
  await axeClean(page, 'programme form');
  await screenshot(page, 'program-1440-light-en');
  await page.getByRole('button', { name: 'Check and publish' }).click();
  const summary = page.getByRole('dialog', { name: 'Publish this event?' });
  await expect(summary.getByText('Tuesday round')).toBeVisible();
  // The design's padding inside a dialog.
  await expect(async () => {
    const [frame, title] = await Promise.all([
      summary.boundingBox(),
      summary.getByRole('heading', { name: 'Publish this event?' }).boundingBox(),
    ]);
    expect((title?.x ?? 0) - (frame?.x ?? 0)).toBeCloseTo(28, 1);
  }, 'the padding once the opening animation has ended').toPass();
  await axeClean(page, 'finalize event');
  await screenshot(page, 'finalize-1440-light-en');
  await summary.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.waitForURL(/\/app\/manage-events-client/);
  await onlyEvents(page, 'Tuesday round', 3);
  await axeClean(page, 'my events');
  await screenshot(page, 'events-1440-light-en');

  // Participants added by hand: an incomplete row shows what is missing, complete rows are added.
  await page.getByRole('button', { name: 'Participants: Tuesday round' }).first().click();
  await expect(page.getByText('Nobody is booked yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add participants' }).click();
  const adding = page.getByRole('dialog', { name: 'Add participants' });
  await adding.getByLabel('First name').fill('Jonas');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(adding.getByText('Family name required')).toBeVisible();
  await adding.getByLabel('Family name').fill('Abt');
  await adding.getByLabel('Email').fill('jonas.abt@mail.example');
  await adding.getByRole('button', { name: 'Add another person' }).click();
  await adding.getByLabel('First name').nth(1).fill('Réka');
  await adding.getByLabel('Family name').nth(1).fill('Szőllősi');
  await adding.getByLabel('Email').nth(1).fill('reka@mail.example');
  await axeClean(page, 'add participants');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  const list = page.getByRole('dialog', { name: 'Participants', exact: true });
  await expect(list.getByRole('row', { name: /Jonas Abt/ })).toBeVisible();
  const reka = list.getByRole('row', { name: /Réka Szőllősi/ });
  await expect(reka).toContainText(/\d\d\/\d\d\/\d{4} \d{1,2}:\d\d [AP]M/);
  await axeClean(page, 'participants');
  await screenshot(page, 'participants-1440-light-en');
  await nextEmail(server, 'jonas.abt@mail.example');
  // Removing asks first; Keep cancels it.
  await list.getByRole('button', { name: 'Remove Réka Szőllősi' }).click();
  await expect(list.getByText('Remove Réka Szőllősi?')).toBeVisible();
  await screenshot(page, 'participants-asking-1440-light-en');
  await list.getByRole('button', { name: 'Keep' }).click();
  await list.getByRole('button', { name: 'Remove Réka Szőllősi' }).click();
  await list.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(reka).toHaveCount(0);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    list.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`participants-${first}.csv`);
  await list.getByRole('button', { name: 'Close' }).click();

  // For this and later dates: the booked person gets an email with the new time.
  const seen = new Set((await server.emails('jonas.abt@mail.example')).map(({ id }) => id));
  await eventMenu(page, 'Tuesday round', 'Edit');
  const edit = page.getByRole('dialog', { name: 'Edit event' });
  await edit.getByText('This and 2 later dates').click();
  await edit.getByLabel('Start', { exact: true }).fill('10:00');
  await expect(edit.getByText(/We’ll email:/)).toBeVisible();
  await axeClean(page, 'edit event');
  // Escape asks, and does not answer its own question.
  await edit.press('Escape');
  const discard = page.getByRole('dialog', { name: 'Discard your changes?' });
  await discard.getByRole('button', { name: 'Keep editing' }).click();
  await expect(discard).toHaveCount(0);
  await expect(edit.getByLabel('Start', { exact: true })).toHaveValue('10:00');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expectSaid(page, 'Your change has been saved. We’ll email 1 person.');
  await expect(page.getByText('10:00 to 11:00')).toHaveCount(3);
  expect((await nextEmail(server, 'jonas.abt@mail.example', seen)).text).toContain('10:00');

  // Cancelled with a reason, this and later dates; the email contains the reason.
  await eventMenu(page, 'Tuesday round', 'Cancel event');
  const cancel = page.getByRole('dialog', { name: 'Cancel event' });
  await cancel.getByRole('button', { name: 'Cancel event' }).click();
  await expect(cancel.getByText('Please fill this in.')).toBeVisible();
  await expect(cancel.getByLabel('Reason')).toBeFocused();
  await cancel.getByText('This and 2 later dates').click();
  await cancel.getByLabel('Reason').fill('The heating has failed.');
  await expect(cancel.getByText('We’ll email 1 person with the reason.')).toBeVisible();
  await axeClean(page, 'cancel event');
  await screenshot(page, 'cancel-event-1440-light-en');
  await cancel.getByRole('button', { name: 'Cancel event' }).click();
  await expectSaid(page, 'The event has been cancelled. We’ll email 1 person.');
  expect((await nextEmail(server, 'jonas.abt@mail.example', seen)).text).toContain('The heating has failed.');
  await expect(page.getByText('No matches')).toBeVisible();
  await page.getByText('Cancelled', { exact: true }).first().click();
  await expect(page.getByText('Reason: The heating has failed.')).toHaveCount(3);
  await axeClean(page, 'cancelled events');

  await page.getByText('Calendar', { exact: true }).click();
  // A day with events, in one of the next months: its name includes them. An answer for a month that was left before it
  // arrived changes nothing.
  const dayWithEvents = page.getByRole('button', { name: /: \d events? \d\d:\d\d / }).first();
  for (let left = 2; left >= 0; left -= 1) {
    await expect(page.getByRole('main').getByRole('table')).toHaveAttribute('aria-busy', 'false');
    if (left === 0 || (await dayWithEvents.isVisible())) break;
    await page.getByRole('button', { name: 'Next month' }).click();
  }
  await expect(dayWithEvents).toBeVisible();
  await axeClean(page, 'calendar of events');
  await screenshot(page, 'events-calendar-1440-light-en');
});

/** The picture of each occurrence in order of time: the same character for the same picture, `-` for none. */
async function shownPictures(page: Page, keyword: string): Promise<string> {
  return page.evaluate(async (word) => {
    const answer = await fetch('/api/me/events?page=0&size=20', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('token')}` },
      body: JSON.stringify({ list: 'upcoming', keyword: word }),
    });
    const { content } = (await answer.json()) as { content: { files: string[] }[] };
    const names = content.map(({ files }) => files[0] ?? '-');
    const each = [...new Set(names.filter((name) => name !== '-'))];
    return names.map((name) => (name === '-' ? '-' : 'abc'[each.indexOf(name)])).join('');
  }, keyword);
}
/** A JPEG of noise, which does not compress well. Takes a number that makes it different from others. */
async function noise(page: Page, seed: number): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const drawn = await page.evaluate((start) => {
    const canvas = document.createElement('canvas');
    canvas.width = 1280;
    canvas.height = 720;
    const context = canvas.getContext('2d')!;
    const bytes = context.createImageData(canvas.width, canvas.height);
    for (let index = 0, value = start + 1; index < bytes.data.length; index += 1) {
      value = (value * 48_271) % 2_147_483_647;
      bytes.data[index] = index % 4 === 3 ? 255 : value & 255;
    }
    context.putImageData(bytes, 0, 0);
    return canvas.toDataURL('image/jpeg', 0.9);
  }, seed);
  return {
    name: 'noise.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64'),
  };
}
async function choosePicture(page: Page, opener: Locator, seed: number): Promise<void> {
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Event picture' });
  await dialog.locator('input[type=file]').setInputFiles(await noise(page, seed));
  await dialog.getByRole('button', { name: 'Use this' }).click();
  await expect(dialog).toHaveCount(0);
}

test('a picture goes to the chosen dates, shows its progress, and its upload can be cancelled', async ({ visit }) => {
  test.slow();
  const { page } = await visit(DESK);
  await noteSaid(page);
  await signIn(page);
  await writeEvent(page, {
    name: 'Pictured round',
    days: [dayFromNow(30)],
    start: '9',
    end: '11',
    places: 4,
    price: '45',
    weeks: 3,
  });
  await choosePicture(page, page.getByRole('button', { name: 'Add a picture' }), 1);
  await publish(page);
  await expect.poll(() => shownPictures(page, 'pictured')).toBe('aaa');
  await onlyEvents(page, 'Pictured round', 3);

  // Only the second date, on a slow network: a cancelled upload keeps all other changes, and a second try succeeds.
  await eventMenu(page, 'Pictured round', 'Edit', 1);
  const edit = page.getByRole('dialog', { name: 'Edit event' });
  await edit.getByLabel('Price per person').fill('46');
  await choosePicture(page, edit.getByRole('button', { name: 'Change the picture' }), 2);
  await expect(edit.getByText('The picture changes for this date only.')).toBeVisible();
  const devtools = await page.context().newCDPSession(page);
  const throttle = (uploadThroughput: number) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await devtools.send('Network.enable');
  // Slow enough that the upload outlasts the assertions.
  await throttle(4_000);
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit.getByRole('progressbar', { name: 'Uploading the picture' })).toBeVisible();
  await expect(edit.getByText(/^[1-9]\d?%$/)).toBeVisible();
  await screenshot(page, 'edit-uploading-1440-light-en');
  await edit.getByRole('button', { name: 'Cancel upload' }).click();
  await expect(edit.getByText('The upload was cancelled. Everything else is saved.')).toBeVisible();
  await axeClean(page, 'a cancelled upload');
  expect(await shownPictures(page, 'pictured')).toBe('aaa');
  await throttle(-1);
  await edit.getByRole('button', { name: 'Try again' }).click();
  await expectSaid(page, 'Your change has been saved.');
  await expect.poll(() => shownPictures(page, 'pictured')).toBe('aba');
  await expect(page.getByText('€46')).toHaveCount(1);

  // From the second date on: the first keeps its picture.
  await eventMenu(page, 'Pictured round', 'Edit', 1);
  await edit.getByText('This and 1 later date').click();
  await choosePicture(page, edit.getByRole('button', { name: 'Change the picture' }), 3);
  await expect(edit.getByText('The picture changes for this and 1 later date.')).toBeVisible();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toHaveCount(0);
  await expect.poll(() => shownPictures(page, 'pictured')).toBe('abb');
});

test('invalid fields show a message, and the draft survives a reload', async ({ visit }) => {
  const { page } = await visit(PHONE);
  await signIn(page);
  await writeEvent(page, {
    name: 'Short evening',
    days: [dayFromNow(10)],
    start: '19:00',
    end: '18:00',
    places: 4,
    price: '12,345',
  });
  await page.getByRole('button', { name: 'Check and publish' }).click();
  await expect(page.getByText('The end must be after the start.')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Publish this event?' })).toHaveCount(0);
  await axeClean(page, 'programme form with errors');
  await screenshot(page, 'program-errors-390-light-en');
  // The draft is kept on this device.
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Event name' })).toHaveValue('Short evening');
  await page.getByLabel('End', { exact: true }).fill('21:00');
  await page.getByLabel('Price per person').fill('12');
  await publish(page);
  await expect(page.getByRole('heading', { name: /Short evening/ })).toBeVisible();
  await axeClean(page, 'my events on a phone');
  await screenshot(page, 'events-390-light-en');
});

test('the pages of events work in every language, with the dark theme', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  for (const [language, words] of Object.entries({
    de: { events: 'Meine Veranstaltungen', cancelled: 'Abgesagt', program: 'Prüfen und veröffentlichen' },
    hu: { events: 'Eseményeim', cancelled: 'Lemondott', program: null },
    ro: { events: null, cancelled: 'Anulate', program: null },
  })) {
    await page.evaluate((code) => {
      localStorage.setItem('language', code);
      localStorage.setItem('theme', 'dark.blueyale');
    }, language);
    await page.goto('/app/manage-events-client');
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    if (words.events) await expect(page.getByRole('heading', { level: 1, name: words.events })).toBeVisible();
    await page.getByText(words.cancelled, { exact: true }).first().click();
    await axeClean(page, `my events, ${language}`);
    await screenshot(page, `events-1440-dark-${language}`);
    await page.goto('/app/program');
    if (words.program) await expect(page.getByRole('button', { name: words.program })).toBeVisible();
    else await expect(page.locator('form:not([role=search])')).toBeVisible();
    await axeClean(page, `programme form, ${language}`);
    await screenshot(page, `program-1440-dark-${language}`);
  }
});

/** The next date whose day and month are equal, such as `2026-12-12`: date fields differ in their order. */
function sameDayAndMonth(): string {
  for (let days = 2; ; days += 1) {
    const day = dayFromNow(days);
    if (day.slice(5, 7) === day.slice(8)) return day;
  }
}

test('one-on-one: one participant, cancelled with a reason; filters by date and kind; hiding', async ({
  visit,
  server,
}) => {
  test.slow();
  const { page } = await visit(DESK);
  await noteSaid(page);
  await signIn(page);
  const day = sameDayAndMonth();
  await writeEvent(page, { name: 'Single hour', days: [day], start: '9', end: '10', places: 1, price: '60' });
  await page.getByText('One-on-one', { exact: true }).click();
  await publish(page);
  // The notice is shown once, with links to the next steps.
  const notice = page.locator('p', { hasText: '“Single hour” has been published and can be booked.' });
  await expect(notice.getByRole('link', { name: 'Open page' })).toHaveAttribute('href', /^\/event\/anna\/\d+$/);
  await screenshot(page, 'published-1440-light-en');
  await notice.getByRole('button', { name: 'Copy link' }).click();
  await expectSaid(page, 'Link copied: ');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/event\/anna\/\d+$/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(/has been published/)).toHaveCount(0);

  await onlyEvents(page, 'Single hour', 1);
  const row = page.getByRole('listitem').filter({ hasText: 'Single hour' });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('One-on-one');
  // The form has one row, for one person.
  const list = page.getByRole('dialog', { name: 'Participants', exact: true });
  const add = async (firstName: string) => {
    await row.getByRole('button', { name: 'Participants: Single hour' }).click();
    await list.getByRole('button', { name: 'Add a participant' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a participant' });
    await expect(adding.getByRole('button', { name: /another person/ })).toHaveCount(0);
    await adding.getByLabel('First name').fill(firstName);
    await adding.getByLabel('Family name').fill('Abt');
    await adding.getByLabel('Email').fill(`${firstName.toLowerCase()}.abt@mail.example`);
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(list.getByRole('row', { name: new RegExp(`${firstName} Abt`) })).toBeVisible();
  };
  await add('Jonas');
  await expect(list.getByRole('link', { name: 'jonas.abt@mail.example' })).toHaveAttribute(
    'href',
    'mailto:jonas.abt@mail.example',
  );
  await expect(list.getByRole('button', { name: 'All places are taken' })).toBeDisabled();
  const seen = new Set<string>();
  await nextEmail(server, 'jonas.abt@mail.example', seen);

  // From the list of participants: the row asks, and “Give a reason” opens the dialog.
  await list.getByRole('button', { name: 'Remove Jonas Abt' }).click();
  await list.getByRole('button', { name: 'Give a reason' }).click();
  const cancel = page.getByRole('dialog', { name: 'Cancel booking' });
  await expect(cancel.getByText('jonas.abt@mail.example')).toBeVisible();
  await cancel.getByRole('button', { name: 'Cancel booking' }).click();
  await expect(cancel.getByText('Please fill this in.')).toBeVisible();
  await cancel.getByLabel('Reason').fill('I am away that day.');
  await axeClean(page, 'cancel a booking');
  await screenshot(page, 'cancel-booking-1440-light-en');
  await cancel.getByRole('button', { name: 'Cancel booking' }).click();
  await expect(list.getByText('Nobody is booked yet.')).toBeVisible();
  expect((await nextEmail(server, 'jonas.abt@mail.example', seen)).text).toContain('I am away that day.');
  await list.getByRole('button', { name: 'Close' }).click();

  // From the event's menu; afterwards nobody is booked.
  await add('Mirela');
  await list.getByRole('button', { name: 'Close' }).click();
  const seenByMirela = new Set<string>();
  await nextEmail(server, 'mirela.abt@mail.example', seenByMirela);
  await eventMenu(page, 'Single hour', 'Cancel booking');
  await expect(cancel.getByText('mirela.abt@mail.example')).toBeVisible();
  await cancel.getByLabel('Reason').fill('The room is closed.');
  await cancel.getByRole('button', { name: 'Cancel booking' }).click();
  await expectSaid(page, 'Mirela Abt’s booking has been cancelled, and an email has been sent.');
  expect((await nextEmail(server, 'mirela.abt@mail.example', seenByMirela)).text).toContain('The room is closed.');
  expect((await server.emails('jonas.abt@mail.example')).length).toBe(seen.size);
  await eventMenu(page, 'Single hour', 'Cancel booking');
  await expect(cancel.getByText('Available')).toBeVisible();
  await cancel.getByRole('button', { name: 'Close' }).last().click();

  // The filters by kind and date apply to list and calendar.
  await page.getByLabel('Name or place').fill('');
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Group event');
  await page.getByLabel('Name or place').fill('single');
  await expect(page.getByText('No matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByLabel('Name or place')).toHaveValue('');
  await expect(page.getByText('No matches')).toHaveCount(0);
  await onlyEvents(page, 'Single hour', 1);
  await page.getByRole('button', { name: 'Any date' }).click();
  // Its name is its button's text, which follows the chosen dates.
  const dates = page.getByRole('search', { name: 'Find events' }).getByRole('dialog');
  // Typed with the keyboard: no error flashes before the year is complete.
  const from = dates.getByLabel('From', { exact: true });
  const to = dates.getByLabel('To', { exact: true });
  // The filter takes the focus to its first choice a moment after it has opened.
  await expect(dates.locator(':focus')).toHaveCount(1);
  await from.focus();
  await page.keyboard.type(`${day.slice(8)}${day.slice(5, 7)}${day.slice(0, 4)}`, { delay: 20 });
  await expect(from).toHaveValue(day);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await to.fill(day);
  await expect(row).toHaveCount(1);
  await screenshot(page, 'events-filter-1440-light-en');
  await dates.getByLabel('No end date').check();
  await expect(to).toBeDisabled();
  await from.fill(dayPlus(day, 1));
  await expect(page.getByText('No matches')).toBeVisible();
  await from.fill(day);
  await expect(row).toHaveCount(1);
  await dates.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: /^From / })).toBeVisible();
  await page.getByText('Calendar', { exact: true }).click();
  await expect(page.getByRole('heading', { level: 3, name: /Single hour/ })).toBeVisible();
  await page.getByText('List', { exact: true }).click();

  // An event without bookings can be hidden, after confirmation.
  await eventMenu(page, 'Single hour', 'Hide from my page');
  const hide = page.getByRole('dialog', { name: 'Hide from your page?' });
  await expect(hide).toBeVisible();
  await axeClean(page, 'hide an event');
  await hide.getByRole('button', { name: 'Hide' }).click();
  await expectSaid(page, '“Single hour” is no longer on your page.');
  await expect(row).toHaveCount(0);
});

test('edited on two screens: the second must confirm, nobody gets two emails; once cancelled, the picture stays', async ({
  visit,
  server,
}) => {
  test.slow();
  const { page: desk } = await visit(DESK);
  await noteSaid(desk);
  await signIn(desk);
  await writeEvent(desk, {
    name: 'Shared evening',
    days: [dayFromNow(30)],
    start: '18',
    end: '20',
    places: 4,
    price: '45',
  });
  await choosePicture(desk, desk.getByRole('button', { name: 'Add a picture' }), 4);
  await publish(desk);
  await desk.getByRole('button', { name: 'Participants: Shared evening' }).click();
  await desk.getByRole('button', { name: 'Add participants' }).click();
  const adding = desk.getByRole('dialog', { name: 'Add participants' });
  await adding.getByLabel('First name').fill('Jonas');
  await adding.getByLabel('Family name').fill('Abt');
  await adding.getByLabel('Email').fill('jonas.abt@mail.example');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await desk.getByRole('dialog', { name: 'Participants', exact: true }).getByRole('button', { name: 'Close' }).click();
  const seen = new Set<string>();
  await nextEmail(server, 'jonas.abt@mail.example', seen);

  await eventMenu(desk, 'Shared evening', 'Edit');
  const atDesk = desk.getByRole('dialog', { name: 'Edit event' });
  await atDesk.getByLabel('Description').fill('New words, written at the desk.');
  const { page: phone } = await visit(PHONE);
  await noteSaid(phone);
  await signIn(phone);
  await phone.goto('/app/manage-events-client');
  await eventMenu(phone, 'Shared evening', 'Edit');
  const atPhone = phone.getByRole('dialog', { name: 'Edit event' });
  await atPhone.getByLabel('Start', { exact: true }).fill('19:00');
  await expect(atPhone.getByText('We’ll email: 1 person with a confirmed place.')).toBeVisible();
  await atPhone.getByRole('button', { name: 'Save' }).click();
  await expectSaid(phone, 'Your change has been saved. We’ll email 1 person.');
  await nextEmail(server, 'jonas.abt@mail.example', seen);

  await atDesk.getByRole('button', { name: 'Save' }).click();
  await expect(atDesk.getByRole('heading', { name: 'This event has changed in the meantime' })).toBeVisible();
  await expect(atDesk.getByText(/^Now: 19:00 to 20:00/)).toBeVisible();
  await axeClean(desk, 'an event that was changed elsewhere');
  await screenshot(desk, 'edit-conflict-1440-light-en');
  await atDesk.getByRole('button', { name: 'Save mine' }).click();
  await expectSaid(desk, 'Your change has been saved.');
  // The dialog, which also shows the time, has closed.
  await expect(atDesk).toHaveCount(0);
  await expect(desk.getByText('19:00 to 20:00')).toBeVisible();

  await eventMenu(desk, 'Shared evening', 'Cancel event');
  const cancel = desk.getByRole('dialog', { name: 'Cancel event' });
  await cancel.getByLabel('Reason').fill('The heating has failed.');
  await cancel.getByRole('button', { name: 'Cancel event' }).click();
  await expectSaid(desk, 'The event has been cancelled. We’ll email 1 person.');
  expect((await nextEmail(server, 'jonas.abt@mail.example', seen)).text).toContain('The heating has failed.');
  // The booking, the change from the phone and this one.
  expect(await server.emails('jonas.abt@mail.example')).toHaveLength(3);
  await desk.getByText('Cancelled', { exact: true }).first().click();
  const row = desk.getByRole('listitem').filter({ hasText: 'Shared evening' });
  // A cancelled event is hidden from the public; its therapist still sees the uploaded picture.
  await expect(row.locator('img')).toHaveAttribute('src', /^blob:/);
  await expect
    .poll(() => row.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await row.getByRole('button', { name: 'Participants: Shared evening' }).click();
  const list = desk.getByRole('dialog', { name: 'Participants', exact: true });
  await expect(list.getByRole('row', { name: /Jonas Abt/ })).toContainText('Cancelled');
  const [file] = await Promise.all([
    desk.waitForEvent('download'),
    list.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^participants-/);
  await axeClean(desk, 'participants of a cancelled event');
  await screenshot(desk, 'participants-cancelled-1440-light-en');
  await list.getByRole('button', { name: 'Close' }).click();
  // The picture can be used again.
  await desk.goto('/app/program');
  await desk.getByRole('button', { name: 'Add a picture' }).click();
  const pictures = desk.getByRole('dialog', { name: 'Event picture' });
  const earlier = pictures.getByRole('button', { name: 'Shared evening' }).locator('img');
  await expect(earlier).toHaveAttribute('src', /^blob:/);
  await screenshot(desk, 'earlier-pictures-1440-light-en');
});
