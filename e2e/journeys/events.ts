/** Actions around events and bookings that several journeys share. */
import { expect, type Locator, type Page } from '@playwright/test';
import { toggle } from '../journey.ts';

/** The UTC date this many days from now, as `YYYY-MM-DD`. From two days on it is in the future in every time zone. */
export const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** The date this many days from now in the zone of the browser and the demo's therapist, as `YYYY-MM-DD`. */
export const localDayFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Europe/Budapest' });

/** The month that a calendar shows, as `YYYY-MM`. Takes the first day drawn in it. */
const monthOf = async (first: Locator): Promise<string> => ((await first.getAttribute('data-day')) ?? '').slice(0, 7);

/** Chooses days in the form's calendar. Takes days as `YYYY-MM-DD`, in order, and the words of its buttons. */
async function chooseDays(
  page: Page,
  days: readonly string[],
  words = { open: 'Choose days', next: 'Next month', done: 'Done' },
): Promise<void> {
  await page.getByRole('button', { name: words.open }).click();
  const calendar = page.getByRole('dialog', { name: words.open });
  const first = calendar.locator('[data-day]:not([data-out])').first();
  for (const day of days) {
    // Wait for each month to be drawn, or the next click would skip it.
    for (let shown = await monthOf(first); shown < day.slice(0, 7);) {
      await calendar.getByRole('button', { name: words.next }).click();
      await expect.poll(() => monthOf(first), { message: `the month after ${shown}` }).not.toBe(shown);
      shown = await monthOf(first);
    }
    const cell = calendar.locator(`[data-day="${day}"]:not([data-out])`);
    await cell.click();
  }
  await calendar.getByRole('button', { name: words.done }).click();
}

export interface WrittenEvent {
  name: string;
  days: readonly string[];
  start: string;
  end: string;
  places: number;
  price: string;
  weeks?: number;
}

/** Fills in the programme form (English) for an online group event; does not submit it. */
export async function writeEvent(
  page: Page,
  { name, days, start, end, places, price, weeks }: WrittenEvent,
): Promise<void> {
  await page.goto('/app/program');
  const nameField = page.getByRole('combobox', { name: 'Event name' });
  const position = () =>
    nameField.evaluate((field) => {
      const { x, y } = field.getBoundingClientRect();
      return { x: x + scrollX, y: y + scrollY };
    });
  // The page is complete, so that nothing that loads later moves the form.
  await expect(nameField).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.getByText('Draft saved on this device')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const before = await position();
  await nameField.fill(name);
  await page.getByLabel('Description').fill('A quiet evening for people who carry a question.');
  await page.getByText('Online', { exact: true }).first().click();
  // The notice appears when the person stops typing, and must not move what they tap next.
  await expect(page.getByText('Draft saved on this device')).toBeVisible();
  expect(await position(), 'the form stays where it is').toEqual(before);
  await chooseDays(page, days);
  await page.getByLabel('Start', { exact: true }).fill(start);
  await page.getByLabel('End', { exact: true }).fill(end);
  if (weeks !== undefined) {
    await toggle(page.getByRole('switch', { name: 'Repeat' }), true);
    await page.getByLabel('Repeat every', { exact: true }).fill('1');
    await page.getByLabel('Number of dates').fill(String(weeks));
  }
  await page.getByLabel('Maximum participants').fill(String(places));
  await page.getByLabel('Price per person').fill(price);
}

/** Publishes the event in the form, through the summary; ends in the list of events. */
export async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check and publish' }).click();
  await page
    .getByRole('dialog', { name: 'Publish this event?' })
    .getByRole('button', { name: 'Publish', exact: true })
    .click();
  await page.waitForURL(/\/app\/manage-events-client/);
}

/** Writes an event and publishes it; ends in the list of events. */
export async function publishEvent(page: Page, event: WrittenEvent): Promise<void> {
  await writeEvent(page, event);
  await publish(page);
}

/**
 * Searches the list of events for a name, and waits until only these rows are left: they move up then, and an earlier
 * click would miss its button. Takes their number, if known.
 */
export async function onlyEvents(page: Page, name: string, count?: number): Promise<void> {
  await page.getByLabel('Name or place').fill(name);
  const titles = page.getByRole('listitem').getByRole('heading');
  if (count === undefined) await expect(titles.filter({ hasText: name }).first()).toBeVisible();
  else await expect(titles.filter({ hasText: name })).toHaveCount(count);
  await expect(titles.filter({ hasNotText: name })).toHaveCount(0);
}

/**
 * Starts to record what a page writes in its status lines. Some of it disappears after a few seconds, and a check that
 * a busy machine delays would come too late. Call it before the page opens anything.
 */
export async function noteSaid(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const note = () => {
      for (const line of document.querySelectorAll('[role=status]')) {
        const text = line.textContent ?? '';
        if (text !== '' && !said.includes(text) && line.checkVisibility()) said.push(text);
      }
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Waits until the loaded document has shown a text, even if it has disappeared again. The page needs {@link
 * noteSaid}. */
export async function expectSaid(page: Page, text: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said), `what the page said: ${text}`)
    .toContainEqual(expect.stringContaining(text));
}

/** Opens the menu of an event in the list and chooses an entry. */
export async function eventMenu(page: Page, name: string, entry: string, nth = 0): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(`^More options for ${RegExp.escape(name)}`) })
    .nth(nth)
    .click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

/** Opens an event from the demo therapist's public page. */
export async function openPublicEvent(page: Page, name: string): Promise<void> {
  await page.goto('/event/anna');
  await page
    .getByRole('link', { name: new RegExp(RegExp.escape(name)) })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

export interface Booker {
  firstName: string;
  familyName: string;
  email: string;
  phone: string;
}

/** Books from the open page of an event (English); ends when the place is held. */
export async function book(page: Page, booker: Booker): Promise<void> {
  await submitBooking(page, booker);
  await expect(page.getByRole('heading', { name: 'Your place is held' })).toBeVisible();
}

/** Fills in and submits the booking form of an event's page, whatever the answer is. */
export async function submitBooking(page: Page, booker: Booker): Promise<void> {
  await (await fillBooking(page, booker)).click();
}

/** Opens the booking form of an event's page and fills it in. Returns the button that submits it. */
export async function fillBooking(page: Page, { firstName, familyName, email, phone }: Booker): Promise<Locator> {
  await page.getByRole('button', { name: 'Book this place' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Your details' });
  await dialog.getByLabel('First name').fill(firstName);
  await dialog.getByLabel('Family name').fill(familyName);
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Phone').fill(phone);
  return dialog.getByRole('button', { name: 'Hold my place' });
}

/**
 * Waits until a therapist's room has reported its tab to the server, which it does a moment after the room is shown.
 * From then on it also reports that it loses the focus.
 */
export async function roomIsAttended(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/startTimer/')),
      ),
    )
    .toBe(true);
}

/** The product's time, as the page `/dev` shows it. */
export async function productTime(page: Page): Promise<Date> {
  await page.goto('/dev');
  return new Date((await page.locator('time').getAttribute('datetime')) ?? '');
}

/** Moves the product's clock forward with the page `/dev`. */
export async function moveClock(page: Page, amount: number, unit: 'minutes' | 'hours' | 'days'): Promise<void> {
  const before = (await productTime(page)).getTime();
  const time = page.locator('time');
  await page.getByLabel('Forward by').fill(String(amount));
  await page.getByLabel('Unit').selectOption(unit);
  await page.getByRole('button', { name: 'Move the clock' }).click();
  await expect
    .poll(async () => Date.parse((await time.getAttribute('datetime')) ?? '') - before)
    .toBeGreaterThanOrEqual(amount * { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }[unit]);
}

/** Parses a calendar file, and unfolds long lines (RFC 5545, section 3.1). Returns the properties of its entries. */
export function calendarEntries(file: string): { method: string; entries: Record<string, string>[] } {
  const lines = file.replace(/\r\n[ \t]/g, '').split('\r\n');
  const entries: Record<string, string>[] = [];
  let current: Record<string, string> | null = null;
  let method = '';
  for (const line of lines) {
    const at = line.indexOf(':');
    const [name = ''] = line.slice(0, at).split(';');
    if (line === 'BEGIN:VEVENT') entries.push((current = {}));
    else if (line === 'END:VEVENT') current = null;
    else if (current) current[name] = line.slice(at + 1);
    else if (name === 'METHOD') method = line.slice(at + 1);
  }
  return { method, entries };
}
