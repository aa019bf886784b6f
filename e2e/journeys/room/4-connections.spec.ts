/** Connections: a reload, a lost network, a killed server, leaving, the end of the session. */
import { axeClean, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import {
  addFigure,
  admit,
  dragBy,
  expectDrawnAsStored,
  expectInRoom,
  expectNotReloaded,
  figure,
  giveRole,
  knockByLink,
  letIn,
  markLoaded,
  openField,
  openRoom,
  reachable,
  roomCode,
  storedField,
  storedFigure,
} from '../people.ts';

test('after a reload or a lost network the client has the same seat, role and field, and needs no name', async ({
  visit,
}) => {
  const anna = await openRoom(visit);
  await addFigure(anna, 'female circle', 'Seat');
  const client = await visit(PHONE);
  const hanna = client.page;
  await knockByLink(hanna, 'Hanna');
  // In the waiting room, too.
  await hanna.reload();
  await expect(hanna.getByText('Welcome, Hanna')).toBeVisible();
  await letIn(anna, 'Hanna');
  await expectInRoom(hanna);
  await giveRole(anna, 'Hanna', 'Seat');
  await expect(hanna.getByTestId('own-role')).toHaveText('Seat');
  const clientId = await hanna.evaluate(() => JSON.parse(localStorage.getItem('client') ?? '{}').id as number);

  await hanna.reload();
  await expectInRoom(hanna);
  await expect(hanna.getByTestId('own-role')).toHaveText('Seat');
  expect(await hanna.evaluate(() => JSON.parse(localStorage.getItem('client') ?? '{}').id as number)).toBe(clientId);

  await client.offline(true);
  await expect(hanna.getByText(/You’re offline/)).toBeVisible();
  await expect(anna.getByText('Disconnected – place kept for one minute')).toBeVisible();
  await axeClean(anna, 'somebody is disconnected');
  await screenshot(anna, 'room-away-1440-light-en');
  await addFigure(anna, 'star', 'Meanwhile');
  // A move made while offline is kept and sent later.
  const before = await storedFigure(anna, 'Seat');
  await dragBy(hanna, 'Seat', 30, 50);
  await client.offline(false);
  await expect(hanna.getByText(/You’re offline/)).toHaveCount(0);
  await expect(figure(hanna, 'Meanwhile')).toBeVisible();
  await expect.poll(async () => (await storedFigure(anna, 'Seat'))?.y).toBeGreaterThan((before?.y ?? 0) + 10);
  await expect(hanna.getByTestId('own-role')).toHaveText('Seat');
  await expectDrawnAsStored(anna, hanna);

  // Leaving frees the seat at once, and the therapist sees it.
  await hanna.getByRole('button', { name: 'Leave' }).click();
  await hanna.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(hanna.getByText('Until next time')).toBeVisible();
  await axeClean(hanna, 'goodbye');
  await expect(anna.getByText('In the room · 0 of 24')).toBeVisible();
});

test('a figure dropped while somebody was offline is drawn at its new place, neither held nor pointed at', async ({
  visit,
}) => {
  const anna = await openRoom(visit);
  const client = await visit(DESK);
  const hanna = client.page;
  await knockByLink(hanna, 'Hanna');
  await letIn(anna, 'Hanna');
  await expectInRoom(hanna);
  await addFigure(anna, 'star', 'Elsewhere');
  await expectDrawnAsStored(anna, hanna);

  const at = await reachable(anna, 'Elsewhere');
  await anna.mouse.move(at.x - 60, at.y - 60);
  await anna.keyboard.press('m');
  await anna.mouse.move(at.x, at.y, { steps: 2 });
  await anna.mouse.down();
  // Move until the other page shows the held figure and the pointer: the first positions may be lost.
  await expect(async () => {
    for (const step of [40, 60, 80]) await anna.mouse.move(at.x + step, at.y + step / 2);
    await expect(hanna.locator('[data-mark=held]')).toHaveCount(1, { timeout: 500 });
    await expect(hanna.locator('[data-mark=pointer]')).toHaveCount(1, { timeout: 500 });
  }).toPass();
  await client.offline(true);
  await expect(hanna.getByText(/You’re offline/)).toBeVisible();
  await anna.mouse.move(at.x - 120, at.y + 90, { steps: 4 });
  await anna.mouse.up();
  await anna.keyboard.press('m');
  await expectDrawnAsStored(anna);
  await client.offline(false);
  await expect(hanna.getByText(/You’re offline/)).toHaveCount(0);
  await expectDrawnAsStored(anna, hanna);
});

test('the therapist’s connection is lost and restored; after the end the code no longer works', async ({
  visit,
  server,
}) => {
  const therapist = await visit(DESK);
  const anna = therapist.page;
  await signIn(anna);
  await openField(anna);
  const code = await roomCode(anna);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });

  await therapist.offline(true);
  await expect(hanna.getByText(/Anna is not in the room at the moment/)).toBeVisible();
  await screenshot(hanna, 'client-therapist-away-390-light-en');
  await therapist.offline(false);
  await expect(hanna.getByText(/Anna is not in the room at the moment/)).toHaveCount(0);
  await anna.reload();
  await expect(anna.getByTestId('room-code')).toHaveText(code);

  // Signing out on another device would end the session for Hanna, so the page asks first.
  const elsewhere = (await visit(DESK)).page;
  await signIn(elsewhere);
  await elsewhere.getByRole('button', { name: /^Your menu/ }).click();
  await elsewhere.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(elsewhere.getByRole('dialog').getByText(/one person is in the room/)).toBeVisible();
  await axeClean(elsewhere, 'question before signing out');
  await screenshot(elsewhere, 'sign-out-question-1440-light-en');
  await elsewhere.getByRole('button', { name: 'Stay signed in' }).click();
  await expect(elsewhere.getByRole('dialog')).toHaveCount(0);
  await expect(hanna.getByTestId('field')).toBeVisible();

  await anna.getByRole('button', { name: 'End session' }).click();
  await expect(anna.getByRole('dialog')).toBeVisible();
  await axeClean(anna, 'end question');
  await anna.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(anna.getByText('The session has ended.')).toBeVisible();
  await axeClean(anna, 'ended');
  await expect(hanna.getByText('The session is over')).toBeVisible();
  await screenshot(hanna, 'bye-390-light-en');
  await hanna.goto('/user/code');
  await hanna.getByLabel('Code').fill(code);
  await hanna.getByLabel('Your name').fill('Hanna');
  await hanna.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(hanna.getByText('Invalid code')).toBeVisible();
  expect(server.output()).not.toContain('Hanna');
});

test('a server killed during a drag loses no confirmed act, and everybody reconnects without a reload', async ({
  visit,
  server,
}) => {
  const anna = await openRoom(visit);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
  await addFigure(anna, 'star', 'Kept');
  await dragBy(anna, 'Kept', 60, -80);
  const keptX = async () => (await storedFigure(anna, 'Kept'))?.x ?? 800;
  await expect.poll(keptX, { message: 'the figure has left the place of new figures' }).not.toBe(800);
  const kept = await keptX();
  await markLoaded(anna);

  // In the middle of a drag.
  const from = await reachable(anna, 'Kept');
  await anna.mouse.move(from.x, from.y);
  await anna.mouse.down();
  await anna.mouse.move(from.x + 60, from.y + 10, { steps: 4 });
  await server.kill();
  await expect(anna.getByText(/You’re offline/)).toBeVisible();
  await anna.mouse.move(from.x + 90, from.y + 30, { steps: 4 });
  await anna.mouse.up();
  await server.start();
  await expect(anna.getByText(/You’re offline/)).toHaveCount(0, { timeout: 90_000 });
  await expect(hanna.getByText(/You’re offline/)).toHaveCount(0, { timeout: 90_000 });
  // The drop made while the server was down arrives, and everything confirmed before is still there.
  await expect.poll(keptX).not.toBe(kept);
  await expect
    .poll(async () => JSON.stringify(await storedField(hanna)) === JSON.stringify(await storedField(anna)))
    .toBe(true);
  await expectDrawnAsStored(anna, hanna);
  await expectNotReloaded(anna);
  await expect(hanna.getByTestId('field')).toBeVisible();
  await expect(anna.getByText('In the room · 1 of 24')).toBeVisible();
});
