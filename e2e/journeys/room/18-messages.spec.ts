/** Messages in the room: who can read them, what a page keeps, the therapist's switch, and the look. */
import type { Page } from '@playwright/test';
import {
  axeClean,
  DESK,
  expect,
  nextFrames,
  expectNoSidewaysScrolling,
  PHONE,
  resize,
  screenshot,
  test,
  toggle,
} from '../../journey.ts';
import { admit, expectInRoom, knockByLink, openRoom } from '../people.ts';

const SECRET = 'I would rather not say this to everyone';

/** Records all messages that the page gets from the server from now on. */
function frames(page: Page): string[] {
  const heard: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  return heard;
}

const button = (page: Page) => page.getByRole('button', { name: /^Messages/ });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Messages' });
/** A message in the list; announcements to screen readers do not count. */
const message = (page: Page, text: string) => panel(page).getByRole('listitem').filter({ hasText: text });

async function openMessages(page: Page): Promise<void> {
  await button(page).click();
  await expect(panel(page)).toBeVisible();
}

async function write(page: Page, text: string, to?: string): Promise<void> {
  if (to !== undefined) await panel(page).getByLabel('Message to', { exact: true }).selectOption(to);
  await panel(page).getByRole('textbox').fill(text);
  await panel(page).getByRole('button', { name: 'Send' }).click();
}

test('to all and to one person only, with what others do not receive, what is new, and the switch', async ({
  visit,
}) => {
  const anna = await openRoom(visit, DESK);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
  let heard: string[] = [];
  const { page: jonas } = await admit(visit, anna, {
    name: 'Jonas',
    prepare: async (page) => {
      heard = frames(page);
    },
  });

  await openMessages(hanna);
  await expect(hanna.getByText('No messages yet')).toBeVisible();
  await expect(panel(hanna).getByRole('textbox')).toBeFocused();
  await axeClean(hanna, 'no messages on a phone');
  await screenshot(hanna, 'messages-empty-390-light-en');
  // It is new for the others, stays announced for a quarter of a minute, and nothing opens automatically.
  await Promise.all([
    expect(jonas.getByRole('log')).toHaveText(/Hanna: Hello everyone/),
    write(hanna, 'Hello everyone\nhttps://example.org'),
  ]);
  await expect(button(anna)).toHaveAccessibleName('Messages, 1 new');
  await expect(button(jonas)).toHaveAccessibleName('Messages, 1 new');
  await expect(panel(jonas)).toHaveCount(0);
  await openMessages(jonas);
  await expect(message(jonas, 'Hello everyone')).toBeVisible();
  await expect(panel(jonas).getByRole('link')).toHaveCount(0);
  await expect(button(jonas)).toHaveAccessibleName('Messages');

  await write(hanna, SECRET, 'Only Anna');
  await expect(message(hanna, SECRET)).toContainText('to Anna alone');
  await openMessages(anna);
  await expect(message(anna, SECRET)).toContainText('to you alone');
  await message(anna, SECRET).getByRole('button', { name: 'Reply' }).click();
  await expect(panel(anna).getByRole('textbox', { name: 'Message to Hanna alone' })).toBeFocused();
  await anna.keyboard.type('Thank you. Shall we talk about it later?');
  await anna.keyboard.press('Enter');
  await expect(message(hanna, 'Shall we talk')).toContainText('to you alone');
  await write(anna, 'Welcome, both of you', 'All');
  for (const page of [hanna, jonas]) await expect(message(page, 'Welcome, both of you')).toBeVisible();
  await expect(panel(jonas).getByRole('listitem')).toHaveCount(2);
  expect(heard.join('\n')).toContain('Welcome, both of you');
  expect(heard.join('\n')).not.toContain(SECRET);
  expect(heard.join('\n')).not.toContain('Shall we talk');
  await axeClean(anna, 'messages of the therapist');
  await screenshot(anna, 'messages-1440-light-en');
  await axeClean(jonas, 'messages of a client');
  await screenshot(jonas, 'messages-client-1440-light-en');
  await axeClean(hanna, 'messages on a phone');
  await screenshot(hanna, 'messages-390-light-en');

  // The people who wait are visible although the messages replace the list of people.
  const { page: karim } = await visit(PHONE);
  await karim.goto('/user/join/anna');
  await karim.getByLabel('Your name').fill('Karim');
  await karim.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(panel(anna).getByText('1 person is waiting')).toBeVisible();
  await expect(panel(anna).getByText('Karim', { exact: true })).toBeVisible();
  await screenshot(anna, 'messages-waiting-1440-light-en');
  await panel(anna).getByRole('button', { name: 'People' }).click();
  await expect(anna.getByRole('button', { name: 'Let in Karim' })).toBeVisible();

  // The switch is off: clients can still read.
  await openMessages(anna);
  await toggle(anna.getByRole('switch', { name: 'Clients can write' }), false);
  for (const page of [hanna, jonas]) await expect(page.getByText(/Anna has switched off messages/)).toBeVisible();
  await expect(panel(jonas).getByRole('textbox')).toHaveCount(0);
  await screenshot(hanna, 'messages-off-390-light-en');
  await write(anna, 'I will write to you alone for a while');
  await expect(message(jonas, 'for a while')).toBeVisible();
  await toggle(anna.getByRole('switch', { name: 'Clients can write' }), true);
  await write(jonas, 'All right');
  await expect(message(hanna, 'All right')).toBeVisible();

  // Escape closes it, and the focus is back on its button.
  await jonas.keyboard.press('Escape');
  await expect(panel(jonas)).toHaveCount(0);
  await expect(button(jonas)).toBeFocused();
});

test.describe('with a slow clock', () => {
  // Twenty messages in a minute of product time are too many, and a busy machine does not write that quickly.
  test.use({ settings: { CLOCK_SPEED: '0.1' } });

  test('a reload and a lost connection lose nothing, and after the end nothing is left', async ({ visit }) => {
    const anna = await openRoom(visit, DESK);
    const client = await admit(visit, anna, { name: 'Hanna', options: PHONE });
    const hanna = client.page;
    await openMessages(hanna);
    await write(hanna, 'Before the reload');
    await expect(message(hanna, 'Before the reload').locator('time')).toBeVisible();
    await panel(hanna).getByRole('textbox').fill('Half a sen');
    await anna.reload();
    await expect(button(anna)).toHaveAccessibleName('Messages, 1 new');
    await hanna.reload();
    // Her own message is not new for her.
    await expect(button(hanna)).toHaveAccessibleName('Messages');
    await openMessages(hanna);
    await expect(message(hanna, 'Before the reload')).toBeVisible();
    await expect(panel(hanna).getByRole('textbox')).toHaveValue('Half a sen');

    await client.offline(true);
    await expect(hanna.getByText(/You’re offline/)).toBeVisible();
    await write(hanna, 'Written without a connection');
    await expect(message(hanna, 'Written without')).toContainText('Will be sent when you’re back online');
    await screenshot(hanna, 'messages-offline-390-light-en');
    await openMessages(anna);
    await write(anna, 'Are you still there?');
    await client.offline(false);
    await expect(message(anna, 'Written without')).toHaveCount(1);
    await expect(message(hanna, 'Written without').locator('time')).toBeVisible();
    await expect(message(hanna, 'Are you still there?')).toHaveCount(1);
    await expect(panel(hanna).getByRole('listitem')).toHaveCount(3);

    // Too many: refused, and back in the input with the reason.
    for (let count = 0; count < 19; count += 1) await write(hanna, `Message ${count}`);
    await expect(panel(hanna).getByRole('alert')).toContainText('many messages in a short time');
    await expect(panel(hanna).getByRole('textbox')).toHaveValue(/^Message \d+$/);
    await axeClean(hanna, 'a refused message');
    await screenshot(hanna, 'messages-refused-390-light-en');

    // A person who has scrolled up stays there. A message that is still on its way scrolls back down, and the page
    // learns of the scrolling with the next frame.
    await expect(panel(hanna).locator('[data-unsent]')).toHaveCount(0);
    const list = panel(hanna).getByRole('group', { name: 'Messages so far' });
    await list.evaluate((box) => box.scrollTo(0, 0));
    await nextFrames(hanna);
    await write(anna, 'Something new');
    await expect(hanna.getByRole('button', { name: '1 new message' })).toBeVisible();
    await screenshot(hanna, 'messages-scrolled-390-light-en');
    await hanna.getByRole('button', { name: '1 new message' }).click();
    await expect(message(hanna, 'Something new')).toBeInViewport();

    await anna.getByRole('button', { name: 'End session' }).click();
    await anna.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await expect(anna.getByText('The session has ended.')).toBeVisible();
    await expect(hanna.getByText('The session is over')).toBeVisible();
    for (const page of [anna, hanna]) {
      await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Message');
      await expect.poll(() => page.content()).not.toContain('Something new');
    }
    await anna.getByRole('button', { name: 'Open the field again' }).click();
    await openMessages(anna);
    await expect(anna.getByText('No messages yet')).toBeVisible();
  });
});

test('the therapist’s phone and a tablet', async ({ visit }) => {
  const anna = await openRoom(visit, PHONE);
  const hanna = await visit(PHONE);
  await hanna.page.goto('/user/join/anna');
  await hanna.page.getByLabel('Your name').fill('Hanna');
  await hanna.page.getByRole('button', { name: 'Knock at the door' }).click();
  await anna.getByRole('button', { name: 'People, 1 waiting' }).click();
  await anna.getByRole('button', { name: 'Let in Hanna' }).click();
  await expectInRoom(hanna.page);
  await anna.getByRole('button', { name: 'Close the list of people' }).first().click();
  await openMessages(anna);
  await write(anna, 'Good evening');
  await axeClean(anna, 'messages on the therapist’s phone');
  await screenshot(anna, 'messages-therapist-390-light-en');
  // The list of people opens above the messages, and closes again.
  await anna.getByRole('button', { name: 'People', exact: true }).click();
  await expect(anna.getByText('In the room · 1 of 24')).toBeVisible();
  await screenshot(anna, 'messages-under-people-390-light-en');
  await anna.getByRole('button', { name: 'Close the list of people' }).first().click();
  await resize(anna, 320, 640);
  await expect(anna.getByRole('button', { name: 'People', exact: true })).toBeInViewport({ ratio: 1 });
  await screenshot(anna, 'messages-therapist-320-light-en');
  await resize(anna, 844, 390);
  // Nothing covers the button to the people who wait.
  await anna.getByRole('button', { name: 'People', exact: true }).click({ trial: true });
  // The text field stays visible while somebody waits.
  const { page: jonas } = await visit(PHONE);
  await knockByLink(jonas, 'Jonas');
  await expect(panel(anna).getByText(/Jonas/)).toBeVisible();
  await expect(panel(anna).getByRole('textbox')).toBeInViewport({ ratio: 1 });
  await expect(panel(anna).getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 });
  await screenshot(anna, 'messages-therapist-844x390-light-en');
  for (const [page, who] of [
    [anna, 'therapist'],
    [hanna.page, 'client'],
  ] as const) {
    await resize(page, 1024, 768);
    if (who === 'client') await openMessages(page);
    await expect(message(page, 'Good evening')).toBeVisible();
    await screenshot(page, `messages-${who}-1024-light-en`);
  }
});

const NARROW = { ...PHONE, viewport: { width: 320, height: 640 } };

const greetingFrom = (size: string) => `Liebe Grüße aus ${size} Pixeln.`;

for (const scheme of ['light', 'dark'] as const) {
  test(`messages in German, ${scheme}`, async ({ visit }) => {
    const anna = await openRoom(visit, DESK);
    const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
    const { page: jonas } = await admit(visit, anna, { name: 'Jonas', options: NARROW });
    const { page: karim } = await admit(visit, anna, { name: 'Karim' });
    for (const [page, size] of [
      [anna, '1440'],
      [hanna, '390'],
      [jonas, '320'],
      [karim, 'client-1440'],
    ] as const) {
      await page.evaluate((theme) => {
        localStorage.setItem('language', 'de');
        localStorage.setItem('theme', theme);
      }, `${scheme}.blueyale`);
      await page.reload();
      await page.getByRole('button', { name: /^Nachrichten/ }).click();
      const own = page.getByRole('complementary', { name: 'Nachrichten' });
      await expect(own.getByText('Noch keine Nachrichten').or(own.getByRole('listitem').first())).toBeVisible();
      if (page === anna) await screenshot(page, `messages-empty-${size}-${scheme}-de`);
      const send = async (text: string, to: string) => {
        await own.getByLabel('Nachricht an', { exact: true }).selectOption(to);
        await own.getByRole('textbox').fill(text);
        await own.getByRole('button', { name: 'Senden' }).click();
        await expect(
          own
            .getByRole('listitem')
            .filter({ hasText: text.slice(0, 20) })
            .locator('time'),
        ).toBeVisible();
      };
      if (page === anna) await send('Guten Abend! Nehmen Sie sich einen Moment, um anzukommen.', 'Alle');
      else await send(`${greetingFrom(size)}\nDonaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen`, 'Alle');
      // Its first words come with the page: others wait for theirs in the same list.
      await send(`Aus ${size}, nur für Sie bestimmt.`, page === anna ? 'Nur Hanna' : 'Nur Anna');
      await own.getByRole('textbox').fill('x'.repeat(460));
      await axeClean(page, `messages ${size} ${scheme}`);
      await screenshot(page, `messages-long-${size}-${scheme}-de`);
      await own.getByRole('textbox').fill('');
      // Nothing is wider than the screen or the panel.
      await expectNoSidewaysScrolling(page);
      await expect
        .poll(() => own.evaluate((element) => element.scrollWidth - element.clientWidth))
        .toBeLessThanOrEqual(0);
    }
    for (const [page, size] of [
      [anna, '1440'],
      [hanna, '390'],
      [jonas, '320'],
      [karim, 'client-1440'],
    ] as const) {
      await expect(page.getByRole('listitem').filter({ hasText: greetingFrom('client-1440') })).toBeVisible();
      await screenshot(page, `messages-${size}-${scheme}-de`);
    }
    // A keyboard that covers the page (Safari): the text field is above it.
    await hanna.evaluate(() => {
      const view = globalThis.visualViewport!;
      Object.defineProperty(view, 'height', { value: 500 });
      view.dispatchEvent(new Event('resize'));
    });
    const input = hanna.getByRole('textbox', { name: /^Nachricht/ });
    await expect
      .poll(async () => {
        const box = await input.boundingBox();
        return box !== null && box.y > 60 && box.y + box.height < 500;
      }, 'the input is above the keyboard')
      .toBe(true);
    await screenshot(hanna, `messages-keyboard-390-${scheme}-de`);
  });
}
