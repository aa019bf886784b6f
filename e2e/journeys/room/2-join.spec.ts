/** Joining: by link and by code, the waiting room, let in one by one or together, declined, removed. */
import { axeClean, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { expectInRoom, knockByCode, knockByLink, letIn, openField, openRoom, roomCode } from '../people.ts';

/** The interval at which the waiting room polls while it has no connection, as defined in the web. */
const POLL_MS = 10_000;

test('clients join by link and by code, wait, and are admitted, declined or removed', async ({ visit }) => {
  const anna = await openRoom(visit);
  const code = await roomCode(anna);

  const hanna = (await visit(PHONE)).page;
  await hanna.goto('/user/join/anna');
  await expect(hanna.getByText('Welcome to Anna’s room')).toBeVisible();
  // The files of the room are loaded while she waits, two at a time and after everything else.
  const roomFile = hanna.waitForResponse(
    (response) => /\/ClientRoomPage-.*\.css$/.test(response.url()) && response.ok(),
    { timeout: 120_000 },
  );
  await knockByLink(hanna, 'Hanna');
  await roomFile;
  await expect(hanna).toHaveURL(/\/user\/join\//);
  await axeClean(hanna, 'waiting');
  await screenshot(hanna, 'waiting-390-light-en');

  await expect(anna.getByText('1 person is waiting')).toBeVisible();
  await letIn(anna, 'Hanna');
  await expectInRoom(hanna);
  await expect(anna.getByText('In the room · 1 of 24')).toBeVisible();
  await axeClean(hanna, 'client’s room');
  await screenshot(hanna, 'client-390-light-en');

  const jonas = (await visit(PHONE)).page;
  const mirela = (await visit(PHONE)).page;
  await knockByCode(jonas, code.toLowerCase(), 'Jonas');
  await knockByCode(mirela, code, 'Mirela');
  await expect(anna.getByText('2 people are waiting')).toBeVisible();
  await axeClean(anna, 'play area with people waiting');
  await screenshot(anna, 'room-waiting-1440-light-en');
  // Only the therapist sees who is waiting.
  await expect(hanna.getByText('Jonas')).toHaveCount(0);
  await anna.getByRole('button', { name: 'Let both in' }).click();
  await expectInRoom(jonas);
  await expectInRoom(mirela);
  await expect(anna.getByText('In the room · 3 of 24')).toBeVisible();

  const stranger = (await visit(PHONE)).page;
  await knockByLink(stranger, 'Stranger');
  await anna.getByRole('button', { name: 'Decline Stranger' }).click();
  await expect(stranger.getByText('Not this time')).toBeVisible();
  await axeClean(stranger, 'declined');

  await anna.getByRole('button', { name: 'More options for Mirela' }).click();
  await anna.getByRole('menuitem', { name: 'Remove from room' }).click();
  await expect(anna.getByRole('dialog')).toBeVisible();
  await axeClean(anna, 'question before removing somebody');
  await anna.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(mirela.getByText('You’ve left the session')).toBeVisible();
  await expect(anna.getByText('In the room · 2 of 24')).toBeVisible();
  // The removed client's page cannot return by itself.
  await mirela.goto('/app/play-area-view');
  await mirela.waitForURL((url) => !url.pathname.startsWith('/app/'));
  await expect(mirela.getByTestId('field')).toHaveCount(0);
});

test('a waiting room that connects late shows at once that it was declined or the session ended', async ({ visit }) => {
  const anna = await openRoom(visit);
  for (const [name, message] of [
    ['Stranger', 'Not this time'],
    ['Hanna', 'The session is over'],
  ] as const) {
    const page = (await visit(PHONE)).page;
    const { promise: connectionLoads, resolve: loadConnection } = Promise.withResolvers<void>();
    // The code of the connection loads only after the decision, and the page's polling is switched off.
    await page.addInitScript((pollMs) => {
      const original = window.setTimeout;
      window.setTimeout = ((handler: TimerHandler, ms?: number, ...rest: unknown[]) => {
        if (ms !== pollMs) return original(handler, ms, ...rest);
        Object.assign(window, { wouldPoll: true });
        return 0;
      }) as typeof setTimeout;
    }, POLL_MS);
    await page.route(/\/assets\/connection-[^/]*\.js$/, async (route) => {
      await connectionLoads;
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
      .poll(() => page.evaluate(() => 'wouldPoll' in window), 'a waiting room without a connection polls')
      .toBe(true);
    await expect(page.getByText(message)).toHaveCount(0);
    loadConnection();
    await expect(page.getByText(message)).toBeVisible();
  }
});

test('wrong codes and unknown links are refused; a signed-in therapist is told to use another browser', async ({
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

test('the therapist lets anyone with the link in, renews the link and clears the waiting list', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  const dashboard = await anna.context().newPage();
  await dashboard.goto('/app/dashboard');
  await expect(dashboard.getByRole('link', { name: /\/user\/join\/anna$/ })).toBeVisible();
  // A background page draws only once a second.
  await anna.bringToFront();
  await openField(anna);
  await anna.getByRole('button', { name: 'I let people in' }).click();
  await anna.getByRole('menuitemradio', { name: /Anyone with link/ }).click();
  await expect(anna.getByText('Anyone with the link is in the room at once')).toBeVisible();
  await expect(anna.getByRole('menu')).toHaveCount(0);
  await axeClean(anna, 'a room that admits anyone with the link');
  await screenshot(anna, 'room-admission-open-1440-light-en');

  const jonas = (await visit(PHONE)).page;
  await jonas.goto('/user/join/anna');
  await jonas.getByLabel('Your name').fill('Jonas');
  await jonas.getByRole('button', { name: 'Knock at the door' }).click();
  await expectInRoom(jonas);

  await anna.getByRole('button', { name: 'Anyone with link' }).click();
  await anna.getByRole('menuitem', { name: 'Renew the join link' }).click();
  await expect(anna.getByRole('dialog')).toBeVisible();
  await expect(anna.getByRole('menu')).toHaveCount(0);
  await axeClean(anna, 'question before renewing');
  await screenshot(anna, 'room-renew-link-1440-light-en');
  await anna.getByRole('dialog').getByRole('button', { name: 'Renew the link' }).click();
  await expect(anna.getByText('There is a new join link.')).toBeVisible();
  const copyLink = anna.getByRole('button', { name: 'Copy link' });
  await expect(copyLink).toHaveAttribute('data-link', /\/user\/join\/([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  const address = (await copyLink.getAttribute('data-link')) ?? '';
  // The dashboard in the other tab shows the new link without a reload.
  await expect(dashboard.getByRole('link', { name: address.replace(/^https?:\/\//, '') })).toBeVisible();

  const late = (await visit(PHONE)).page;
  await late.goto('/user/join/anna');
  await expect(late.getByText('We can’t find this room')).toBeVisible();
  expect(await late.content()).not.toContain('Anna');
  // People in the room stay, even after a reload.
  await jonas.reload();
  await expectInRoom(jonas);

  await anna.getByRole('button', { name: 'Anyone with link' }).click();
  await anna.getByRole('menuitemradio', { name: /I let people in/ }).click();
  await expect(anna.getByText('Anyone with the link is in the room at once')).toHaveCount(0);
  await knockByLink(late, 'Hanna', address);
  const mirela = (await visit(PHONE)).page;
  await knockByLink(mirela, 'J\u043Enas', address);
  await expect(anna.getByText('Someone with this name is already here')).toBeVisible();
  await screenshot(anna, 'room-clear-list-1440-light-en');
  await anna.getByRole('button', { name: 'Clear the waiting list' }).click();
  await expect(anna.getByRole('dialog')).toBeVisible();
  await axeClean(anna, 'question before clearing');
  await anna.getByRole('dialog').getByRole('button', { name: 'Decline everyone' }).click();
  // First the message that is shown for only six seconds.
  await expect(anna.getByText('2 people were declined.')).toBeVisible();
  await expect(late.getByText('Not this time')).toBeVisible();
  await expect(mirela.getByText('Not this time')).toBeVisible();

  // Somebody admitted under a name like another's gets a notice.
  await knockByLink(late, 'JONAS', address);
  await letIn(anna, 'JONAS');
  await expectInRoom(late);
  await expect(late.getByText('This name is already registered in the system')).toBeVisible();
});
