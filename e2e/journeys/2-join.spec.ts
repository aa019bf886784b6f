/** Journey 3: in by link and by code, admitted one and all, declined, removed. */
import { axeClean, DESK, expect, PHONE, picture, signIn, test } from '../journey.ts';
import { inRoom, knockByCode, knockByLink, letIn, openField, roomCode } from './people.ts';

/** What web/src/features/join/waitForAdmission.ts says. */
const ASK_EVERY_MS = 10_000;

test('clients come in by link and by code, wait, and are let in, declined or sent out', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const code = await roomCode(anna);

  const hanna = (await visit(PHONE)).page;
  await hanna.goto('/user/join/anna');
  await expect(hanna.getByText('Welcome to Anna’s room')).toBeVisible();
  await knockByLink(hanna, 'Hanna');
  await axeClean(hanna, 'waiting');
  await picture(hanna, 'waiting-390-light-en');

  await expect(anna.getByText('1 person is waiting')).toBeVisible();
  await letIn(anna, 'Hanna');
  await inRoom(hanna);
  await expect(anna.getByText('In the room · 1 of 24')).toBeVisible();
  await axeClean(hanna, 'client’s room');
  await picture(hanna, 'client-390-light-en');

  const jonas = (await visit(PHONE)).page;
  const mirela = (await visit(PHONE)).page;
  await knockByCode(jonas, code.toLowerCase(), 'Jonas');
  await knockByCode(mirela, code, 'Mirela');
  await expect(anna.getByText('2 people are waiting')).toBeVisible();
  await axeClean(anna, 'play area with people waiting');
  await picture(anna, 'room-waiting-1440-light-en');
  // Nobody but the therapist hears of those who wait.
  await expect(hanna.getByText('Jonas')).toHaveCount(0);
  await anna.getByRole('button', { name: 'Let both in' }).click();
  await inRoom(jonas);
  await inRoom(mirela);
  await expect(anna.getByText('In the room · 3 of 24')).toBeVisible();

  const stranger = (await visit(PHONE)).page;
  await knockByLink(stranger, 'Stranger');
  await anna.getByRole('button', { name: 'Decline Stranger' }).click();
  await expect(stranger.getByText('Not this time')).toBeVisible();
  await axeClean(stranger, 'declined');

  await anna.getByRole('button', { name: 'More options for Mirela' }).click();
  await anna.getByRole('menuitem', { name: 'Remove from room' }).click();
  await axeClean(anna, 'question before sending out');
  await anna.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(mirela.getByText('You’ve left the session')).toBeVisible();
  await expect(anna.getByText('In the room · 2 of 24')).toBeVisible();
  // Out means out: the page cannot go back by itself.
  await mirela.goto('/app/play-area-view');
  await mirela.waitForURL((url) => !url.pathname.startsWith('/app/'));
  await expect(mirela.getByTestId('field')).toHaveCount(0);
});

test('declined or ended before the line is up: told at once, in its own words', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  for (const [name, words] of [
    ['Stranger', 'Not this time'],
    ['Hanna', 'The session is over'],
  ] as const) {
    const page = (await visit(PHONE)).page;
    const { promise: decided, resolve: goOn } = Promise.withResolvers<void>();
    // The code of the line is held back until it has been decided, and the page never asks by itself, however long it
    // takes.
    await page.addInitScript((never) => {
      const original = window.setTimeout;
      window.setTimeout = ((deed: TimerHandler, ms?: number, ...rest: unknown[]) => {
        if (ms !== never) return original(deed, ms, ...rest);
        Object.assign(window, { wouldAsk: true });
        return 0;
      }) as typeof setTimeout;
    }, ASK_EVERY_MS);
    await page.route(/\/assets\/connection-[^/]*\.js$/, async (route) => {
      await decided;
      await route.continue();
    });
    await knockByLink(page, name);
    if (name === 'Stranger') {
      await anna.getByRole('button', { name: 'Decline Stranger' }).click();
      await expect(anna.getByText('Stranger was declined.')).toBeVisible();
    } else {
      await anna.getByRole('button', { name: 'End session' }).click();
      await anna.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
      await expect(anna.getByRole('heading', { name: 'The session has ended.' })).toBeVisible();
    }
    await expect
      .poll(() => page.evaluate(() => 'wouldAsk' in window), 'a page that only waits asks now and then')
      .toBe(true);
    await expect(page.getByText(words)).toHaveCount(0);
    goOn();
    await expect(page.getByText(words)).toBeVisible();
  }
});

test('wrong codes and unknown links are refused in the catalogue’s words; a therapist signed in here is told', async ({
  visit,
}) => {
  const { page } = await visit(PHONE);
  await page.goto('/user/code');
  await page.getByLabel('Code').fill('AB');
  await page.getByLabel('Your name').fill('Hanna');
  await page.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(page.getByText('Code is at least 5 digits long')).toBeVisible();
  await page.getByLabel('Code').fill('ZZZZZ');
  await page.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(page.getByText('Invalid code')).toBeVisible();
  await page.goto('/user/join/nobody-lives-here');
  await expect(page.getByText('We can’t find this room')).toBeVisible();
  await axeClean(page, 'unknown link');

  const therapist = (await visit(DESK)).page;
  await signIn(therapist);
  await therapist.goto('/user/join/anna');
  await expect(
    therapist.getByText('You have an active therapist login session, use a different browser or incognito mode'),
  ).toBeVisible();
});

test('the therapist opens the room to the link, renews it and clears the waiting list', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  const board = await anna.context().newPage();
  await board.goto('/app/dashboard');
  await expect(board.getByRole('link', { name: /\/user\/join\/anna$/ })).toBeVisible();
  await openField(anna);
  const admissionMenu = anna.getByRole('button', { name: 'I let people in' });
  await admissionMenu.click();
  await anna.getByRole('menuitemradio', { name: /Anyone with link/ }).click();
  await expect(anna.getByText('Anyone with the link is in the room at once')).toBeVisible();
  await expect(anna.getByRole('menu')).toHaveCount(0);
  await axeClean(anna, 'an open room');
  await picture(anna, 'room-admission-open-1440-light-en');

  const jonas = (await visit(PHONE)).page;
  await jonas.goto('/user/join/anna');
  await jonas.getByLabel('Your name').fill('Jonas');
  await jonas.getByRole('button', { name: 'Knock at the door' }).click();
  await inRoom(jonas);

  await anna.getByRole('button', { name: 'Anyone with link' }).click();
  await anna.getByRole('menuitem', { name: 'Renew the join link' }).click();
  await expect(anna.getByRole('dialog')).toBeVisible();
  await expect(anna.getByRole('menu')).toHaveCount(0);
  await axeClean(anna, 'question before renewing');
  await picture(anna, 'room-renew-link-1440-light-en');
  await anna.getByRole('dialog').getByRole('button', { name: 'Renew the link' }).click();
  await expect(anna.getByText('There is a new join link.')).toBeVisible();
  const address = (await anna.getByRole('button', { name: 'Copy link' }).getAttribute('data-link')) ?? '';
  expect(address).toMatch(/\/user\/join\/([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  // The dashboard in the other tab shows the link that holds, without being loaded again.
  await expect(board.getByRole('link', { name: address.replace(/^https?:\/\//, '') })).toBeVisible();

  const late = (await visit(PHONE)).page;
  await late.goto('/user/join/anna');
  await expect(late.getByText('We can’t find this room')).toBeVisible();
  expect(await late.content()).not.toContain('Anna');
  // Who is in stays, also with the page loaded again.
  await jonas.reload();
  await inRoom(jonas);

  await anna.getByRole('button', { name: 'Anyone with link' }).click();
  await anna.getByRole('menuitemradio', { name: /I let people in/ }).click();
  await expect(anna.getByText('Anyone with the link is in the room at once')).toHaveCount(0);
  await knockByLink(late, 'Hanna', address);
  const mirela = (await visit(PHONE)).page;
  await knockByLink(mirela, 'J\u043Enas', address);
  await expect(anna.getByText('Someone with this name is already here')).toBeVisible();
  await picture(anna, 'room-clear-list-1440-light-en');
  await anna.getByRole('button', { name: 'Clear the waiting list' }).click();
  await axeClean(anna, 'question before clearing');
  await anna.getByRole('dialog').getByRole('button', { name: 'Decline everyone' }).click();
  await expect(late.getByText('Not this time')).toBeVisible();
  await expect(mirela.getByText('Not this time')).toBeVisible();
  await expect(anna.getByText('2 people were declined.')).toBeVisible();

  // Let in under a name like another's, one is told so.
  await knockByLink(late, 'JONAS', address);
  await letIn(anna, 'JONAS');
  await inRoom(late);
  await expect(late.getByText('This name is already registered in the system')).toBeVisible();
});
