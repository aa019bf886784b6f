/** Journey 6: reload, lost network, closed page, killed server, the end. */
import { axeClean, DESK, expect, PHONE, picture, signIn, test } from '../journey.ts';
import {
  addFigure,
  centerOf,
  dragBy,
  expectDrawnAsStored,
  figure,
  giveRole,
  inRoom,
  knockByLink,
  letIn,
  openField,
  roomCode,
  storedField,
} from './people.ts';

test('reload and a lost network bring back the same seat, role and field without a word about names', async ({
  visit,
}) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  await addFigure(anna, 'female circle', 'Seat');
  const client = await visit(PHONE);
  const hanna = client.page;
  await knockByLink(hanna, 'Hanna');
  // While waiting, too.
  await hanna.reload();
  await expect(hanna.getByText('Welcome, Hanna')).toBeVisible();
  await letIn(anna, 'Hanna');
  await inRoom(hanna);
  await giveRole(anna, 'Hanna', 'Seat');
  await expect(hanna.getByTestId('own-role')).toHaveText('Seat');
  const clientId = await hanna.evaluate(() => JSON.parse(localStorage.getItem('client') ?? '{}').id as number);

  await hanna.reload();
  await inRoom(hanna);
  await expect(hanna.getByTestId('own-role')).toHaveText('Seat');
  expect(await hanna.evaluate(() => JSON.parse(localStorage.getItem('client') ?? '{}').id as number)).toBe(clientId);

  await client.offline(true);
  await expect(hanna.getByText(/You’re offline/)).toBeVisible();
  await expect(anna.getByText('Disconnected – place kept for one minute')).toBeVisible();
  await addFigure(anna, 'star', 'Meanwhile');
  // A move made while offline is kept and sent.
  const before = (await storedField(anna)).find((entry) => entry.name === 'Seat');
  await dragBy(hanna, 'Seat', 30, 50);
  await client.offline(false);
  await expect(hanna.getByText(/You’re offline/)).toHaveCount(0);
  await expect(figure(hanna, 'Meanwhile')).toBeVisible();
  await expect
    .poll(async () => (await storedField(anna)).find((entry) => entry.name === 'Seat')?.y)
    .toBeGreaterThan((before?.y ?? 0) + 10);
  await expect(hanna.getByTestId('own-role')).toHaveText('Seat');
  await expectDrawnAsStored(anna, hanna);

  // Leaving frees the seat at once, and everybody sees it.
  await hanna.getByRole('button', { name: 'Leave' }).click();
  await hanna.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(hanna.getByText('Until next time')).toBeVisible();
  await axeClean(hanna, 'good-bye');
  await expect(anna.getByText('In the room · 0 of 24')).toBeVisible();
});

test('what was let go while somebody had no connection stands there for them too, with no hand on it and no pointer', async ({
  visit,
}) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const client = await visit(DESK);
  const hanna = client.page;
  await knockByLink(hanna, 'Hanna');
  await letIn(anna, 'Hanna');
  await inRoom(hanna);
  await addFigure(anna, 'star', 'Elsewhere');
  await expectDrawnAsStored(anna, hanna);

  const at = await centerOf(anna, 'Elsewhere');
  await anna.mouse.move(at.x - 60, at.y - 60);
  await anna.keyboard.press('m');
  await anna.mouse.move(at.x, at.y, { steps: 2 });
  await anna.mouse.down();
  // Until the hand and the pointer are seen: the first moves of a hand are not worth waiting for.
  await expect(async () => {
    for (const step of [40, 60, 80]) await anna.mouse.move(at.x + step, at.y + step / 2);
    await expect(hanna.locator('.fr-held-ring')).toHaveCount(1, { timeout: 500 });
    await expect(hanna.locator('.fr-pointer')).toHaveCount(1, { timeout: 500 });
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

test('the therapist’s line drops and comes back; the end shows the good-bye page and the code is dead', async ({
  visit,
  server,
}) => {
  const therapist = await visit(DESK);
  const anna = therapist.page;
  await signIn(anna);
  await openField(anna);
  const code = await roomCode(anna);
  const hanna = (await visit(PHONE)).page;
  await knockByLink(hanna, 'Hanna');
  await letIn(anna, 'Hanna');
  await inRoom(hanna);

  await therapist.offline(true);
  await expect(hanna.getByText(/Anna has lost connection/)).toBeVisible();
  await picture(hanna, 'client-therapist-away-390-light-en');
  await therapist.offline(false);
  await expect(hanna.getByText(/Anna has lost connection/)).toHaveCount(0);
  await anna.reload();
  await expect(anna.getByTestId('room-code')).toHaveText(code);

  // Signing out on another device would end it for Hanna: it asks first.
  const elsewhere = (await visit(DESK)).page;
  await signIn(elsewhere);
  await elsewhere.getByRole('button', { name: /^Your menu/ }).click();
  await elsewhere.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(elsewhere.getByRole('dialog').getByText(/one person is in the room/)).toBeVisible();
  await axeClean(elsewhere, 'question before signing out');
  await picture(elsewhere, 'sign-out-question-1440-light-en');
  await elsewhere.getByRole('button', { name: 'Stay signed in' }).click();
  await expect(elsewhere.getByRole('dialog')).toHaveCount(0);
  await expect(hanna.getByTestId('field')).toBeVisible();

  await anna.getByRole('button', { name: 'End session' }).click();
  await axeClean(anna, 'end question');
  await anna.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(anna.getByText('The session has ended.')).toBeVisible();
  await axeClean(anna, 'ended');
  await expect(hanna.getByText('The session is over')).toBeVisible();
  await picture(hanna, 'bye-390-light-en');
  await hanna.goto('/user/code');
  await hanna.getByLabel('Code').fill(code);
  await hanna.getByLabel('Your name').fill('Hanna');
  await hanna.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(hanna.getByText('Invalid code')).toBeVisible();
  expect(server.output()).not.toContain('Hanna');
});

test('a server killed in the middle of drags loses no confirmed act, and everybody is back without a reload', async ({
  visit,
  server,
}) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const hanna = (await visit(PHONE)).page;
  await knockByLink(hanna, 'Hanna');
  await letIn(anna, 'Hanna');
  await inRoom(hanna);
  await addFigure(anna, 'star', 'Kept');
  await dragBy(anna, 'Kept', 60, -80);
  const keptX = async () => (await storedField(anna)).find((entry) => entry.name === 'Kept')?.x ?? 800;
  await expect.poll(keptX, { message: 'where new ones are put nobody stays' }).not.toBe(800);
  const kept = await keptX();
  await anna.evaluate(() => {
    (window as unknown as { notReloaded: boolean }).notReloaded = true;
  });

  // In the middle of a drag.
  const from = await centerOf(anna, 'Kept');
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
  // The drop that was made while the server was down arrives; what was confirmed before is there.
  await expect.poll(keptX).not.toBe(kept);
  await expect
    .poll(async () => JSON.stringify(await storedField(hanna)) === JSON.stringify(await storedField(anna)))
    .toBe(true);
  await expectDrawnAsStored(anna, hanna);
  expect(await anna.evaluate(() => (window as unknown as { notReloaded?: boolean }).notReloaded)).toBe(true);
  await expect(hanna.getByTestId('field')).toBeVisible();
  await expect(anna.getByText('In the room · 1 of 24')).toBeVisible();
});
