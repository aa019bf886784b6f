/** A therapist's events: written, published, repeated, changed, filled by hand, cancelled with letters. */
import type { Locator, Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, picture, signIn, test } from '../journey.ts';
import { dayFromNow, eventMenu, publish, writeEvent } from './events.ts';
import { nextLetter } from './people.ts';

test('a therapist writes a series, publishes, changes and cancels it', async ({ visit, server }) => {
  test.slow();
  const { page } = await visit(DESK);
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
  await picture(page, 'program-1440-light-en');
  await page.getByRole('button', { name: 'Check and publish' }).click();
  const summary = page.getByRole('dialog', { name: 'Publish this event?' });
  await expect(summary.getByText('Tuesday round')).toBeVisible();
  // The design's room inside of a dialog.
  await expect(async () => {
    const [frame, title] = await Promise.all([
      summary.boundingBox(),
      summary.getByRole('heading', { name: 'Publish this event?' }).boundingBox(),
    ]);
    expect((title?.x ?? 0) - (frame?.x ?? 0)).toBeCloseTo(28, 1);
  }, 'it comes in growing').toPass();
  await axeClean(page, 'finalize event');
  await picture(page, 'finalize-1440-light-en');
  await summary.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.waitForURL(/\/app\/manage-events-client/);
  await page.getByLabel('Name or place').fill('tuesday');
  await expect(page.getByRole('heading', { name: /Tuesday round/ })).toHaveCount(3);
  await axeClean(page, 'my events');
  await picture(page, 'events-1440-light-en');

  // People by hand: one is refused at its row, the others are added.
  await page.getByRole('button', { name: 'Participants: Tuesday round' }).first().click();
  await expect(page.getByText('Nobody is booked yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add participants' }).click();
  const adding = page.getByRole('dialog', { name: 'Add participants' });
  await adding.getByLabel('First name').fill('Jonas');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(adding.getByText('Family name required')).toBeVisible();
  await adding.getByLabel('Family name').fill('Abt');
  await adding.getByLabel('E-mail').fill('jonas.abt@mail.example');
  await adding.getByRole('button', { name: 'Add another person' }).click();
  await adding.getByLabel('First name').nth(1).fill('Réka');
  await adding.getByLabel('Family name').nth(1).fill('Szőllősi');
  await adding.getByLabel('E-mail').nth(1).fill('reka@mail.example');
  await axeClean(page, 'add participants');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  const list = page.getByRole('dialog', { name: 'Participants' });
  await expect(list.getByRole('row', { name: /Jonas Abt/ })).toBeVisible();
  await expect(list.getByRole('row', { name: /Réka Szőllősi/ })).toContainText(/\d\d\/\d\d\/\d{4} \d{1,2}:\d\d [AP]M/);
  await axeClean(page, 'participants');
  await picture(page, 'participants-1440-light-en');
  await nextLetter(server, 'jonas.abt@mail.example');
  // The second click removes; the one between can be taken back.
  await list.getByRole('button', { name: 'Remove Réka Szőllősi' }).click();
  await expect(list.getByText('Remove Réka Szőllősi?')).toBeVisible();
  await picture(page, 'participants-asking-1440-light-en');
  await list.getByRole('button', { name: 'Keep' }).click();
  await list.getByRole('button', { name: 'Remove Réka Szőllősi' }).click();
  await list.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(list.getByRole('row', { name: /Réka Szőllősi/ })).toHaveCount(0);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    list.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`participants-${first}.csv`);
  await list.getByRole('button', { name: 'Close' }).click();

  // This and later: the booked person hears of the new time.
  const seen = new Set((await server.letters('jonas.abt@mail.example')).map(({ id }) => id));
  await eventMenu(page, 'Tuesday round', 'Edit');
  const edit = page.getByRole('dialog', { name: 'Edit the event' });
  await edit.getByText('This one and the 2 later dates').click();
  await edit.getByLabel('Start', { exact: true }).fill('10:00');
  await expect(edit.getByText(/A letter about the new time or place goes to/)).toBeVisible();
  await axeClean(page, 'edit event');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The change is saved.')).toBeVisible();
  await expect(page.getByText('10:00 to 11:00')).toHaveCount(3);
  expect((await nextLetter(server, 'jonas.abt@mail.example', seen)).text).toContain('10:00');

  // Cancelled with a reason, this and later; the letter carries it.
  await eventMenu(page, 'Tuesday round', 'Cancel the event');
  const cancel = page.getByRole('dialog', { name: 'Cancel the event' });
  await expect(cancel.getByRole('button', { name: 'Cancel the event' })).toBeDisabled();
  await cancel.getByText('This one and the 2 later ones').click();
  await cancel.getByLabel('Reason').fill('The heating has failed.');
  await expect(cancel.getByText('1 person gets a letter with the reason.')).toBeVisible();
  await axeClean(page, 'cancel event');
  await picture(page, 'cancel-event-1440-light-en');
  await cancel.getByRole('button', { name: 'Cancel the event' }).click();
  await expect(page.getByText('The event is cancelled. 1 person gets a letter.')).toBeVisible();
  expect((await nextLetter(server, 'jonas.abt@mail.example', seen)).text).toContain('The heating has failed.');
  await expect(page.getByText('Nothing fits')).toBeVisible();
  await page.getByText('Cancelled', { exact: true }).first().click();
  await expect(page.getByText('Reason: The heating has failed.')).toHaveCount(3);
  await axeClean(page, 'cancelled events');

  await page.getByText('Calendar', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Next month' })).toBeVisible();
  await axeClean(page, 'calendar of events');
  await picture(page, 'events-calendar-1440-light-en');
});

/** Which picture each occurrence shows, in order of time; the same letter for the same one, `-` for none. */
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
/** A picture of noise, which no compression makes small. In: what tells one from another. */
async function noise(page: Page, hue: number): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const drawn = await page.evaluate((fill) => {
    const canvas = document.createElement('canvas');
    canvas.width = 1280;
    canvas.height = 720;
    const context = canvas.getContext('2d')!;
    const bytes = context.createImageData(canvas.width, canvas.height);
    for (let index = 0, seed = fill + 1; index < bytes.data.length; index += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      bytes.data[index] = index % 4 === 3 ? 255 : seed & 255;
    }
    context.putImageData(bytes, 0, 0);
    return canvas.toDataURL('image/jpeg', 0.9);
  }, hue);
  return {
    name: 'noise.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64'),
  };
}
async function choosePicture(page: Page, open: Locator, hue: number): Promise<void> {
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Picture of the event' });
  await dialog.locator('input[type=file]').setInputFiles(await noise(page, hue));
  await dialog.getByRole('button', { name: 'Use this part' }).click();
  await expect(dialog).toHaveCount(0);
}

test('a picture goes to the dates it is chosen for, tells how far it is, and can be stopped', async ({ visit }) => {
  test.slow();
  const { page } = await visit(DESK);
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
  await page.getByLabel('Name or place').fill('pictured');
  await expect(page.getByRole('heading', { name: /Pictured round/ })).toHaveCount(3);

  // The second date alone, on a slow line: stopped, everything else is kept; tried again, it arrives.
  await eventMenu(page, 'Pictured round', 'Edit', 1);
  const edit = page.getByRole('dialog', { name: 'Edit the event' });
  await edit.getByLabel('Price per person').fill('46');
  await choosePicture(page, edit.getByRole('button', { name: 'Change the picture' }), 2);
  await expect(edit.getByText('The picture changes for this date only.')).toBeVisible();
  const line = await page.context().newCDPSession(page);
  const throttle = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await line.send('Network.enable');
  // So slow that it is on its way for as long as anybody looks.
  await throttle(4_000);
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit.getByRole('progressbar', { name: 'The picture is being uploaded' })).toBeVisible();
  await expect(edit.getByText(/^[1-9]\d?%$/)).toBeVisible();
  await picture(page, 'edit-uploading-1440-light-en');
  await edit.getByRole('button', { name: 'Stop the upload' }).click();
  await expect(edit.getByText('The upload was stopped. Everything else is saved.')).toBeVisible();
  await axeClean(page, 'a stopped upload');
  expect(await shownPictures(page, 'pictured')).toBe('aaa');
  await throttle(-1);
  await edit.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The change is saved.')).toBeVisible();
  await expect.poll(() => shownPictures(page, 'pictured')).toBe('aba');
  await expect(page.getByText('€46')).toHaveCount(1);

  // From the second on: the first keeps its own.
  await eventMenu(page, 'Pictured round', 'Edit', 1);
  await edit.getByText('This one and the 1 later date').click();
  await choosePicture(page, edit.getByRole('button', { name: 'Change the picture' }), 3);
  await expect(edit.getByText('The picture changes for this one and the 1 later date.')).toBeVisible();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toHaveCount(0);
  await expect.poll(() => shownPictures(page, 'pictured')).toBe('abb');
});

test('what cannot be is said at its field, and nothing is lost', async ({ visit }) => {
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
  await expect(page.getByText('The end has to come after the start.')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Publish this event?' })).toHaveCount(0);
  await axeClean(page, 'programme form with faults');
  await picture(page, 'program-faults-390-light-en');
  // A reload brings everything back: it is kept on this device.
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Name of the event' })).toHaveValue('Short evening');
  await page.getByLabel('End', { exact: true }).fill('21:00');
  await page.getByLabel('Price per person').fill('12');
  await publish(page);
  await expect(page.getByRole('heading', { name: /Short evening/ })).toBeVisible();
  await axeClean(page, 'my events on a phone');
  await picture(page, 'events-390-light-en');
});

test('the pages of events speak every language, by night too', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  for (const [language, words] of Object.entries({
    de: { events: 'Meine Termine', cancelled: 'Abgesagt', program: 'Prüfen und veröffentlichen' },
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
    await picture(page, `events-1440-dark-${language}`);
    await page.goto('/app/program');
    if (words.program) await expect(page.getByRole('button', { name: words.program })).toBeVisible();
    else await expect(page.locator('form')).toBeVisible();
    await axeClean(page, `programme form, ${language}`);
    await picture(page, `program-1440-dark-${language}`);
  }
});
