/** What people see when something is refused or fails: invalid names, forbidden pages, a server that restarts. */
import { axeClean, expect, PHONE, screenshot, test } from '../../journey.ts';
import {
  addFigure,
  admit,
  centerOf,
  dragBy,
  expectDrawnAsStored,
  expectInRoom,
  expectNotReloaded,
  figure,
  giveRole,
  knockByLink,
  letIn,
  markLoaded,
  openRoom,
  reachable,
  storedField,
} from '../people.ts';

test('an invalid name is refused with a message beside its field, and the next one is accepted', async ({ visit }) => {
  const anna = await openRoom(visit);
  const { page } = await visit(PHONE);
  await page.goto('/user/join/anna');
  const name = page.getByLabel('Your name');
  const knock = page.getByRole('button', { name: 'Knock at the door' });
  await name.fill('Han\u202Ena');
  await knock.click();
  await expect(page.getByText('Please leave out special characters that can’t be displayed.')).toBeVisible();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await axeClean(page, 'a name with unsafe characters');
  await screenshot(page, 'join-unsafe-name-390-light-en');
  await name.fill('   ');
  await knock.click();
  await expect(page.getByText('Name required')).toBeVisible();
  // Nobody is in the waiting room after this.
  await expect(anna.getByText(/person is waiting/)).toHaveCount(0);
  await knockByLink(page, 'Hanna <b>“&amp;”</b>');
  await letIn(anna, 'Hanna <b>“&amp;”</b>');
  await expectInRoom(page);
});

test('a person in the waiting room cannot open pages of the room or of the therapist', async ({ visit }) => {
  const anna = await openRoom(visit);
  const { page } = await visit(PHONE);
  await knockByLink(page, 'Curious');
  for (const address of ['/app/play-area-view', '/app/play-area', '/app/dashboard']) {
    await page.goto(address);
    // Wait for the redirect: opening the next address would cancel it.
    await page.waitForURL((url) => url.pathname.startsWith('/user/') || url.pathname.startsWith('/auth/'));
    await expect(page.locator('main, #root').first()).toBeVisible();
    await expect(page.getByTestId('field')).toHaveCount(0);
    await expect(page.getByTestId('room-code')).toHaveCount(0);
  }
  // The server does not trust ids that a page sends.
  await page.goto('/user/join/anna');
  await expect(page.getByText('Welcome, Curious')).toBeVisible();
  const answers = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}`, 'x-therapist-id': '1' };
    const therapistId = JSON.parse(localStorage.getItem('client') ?? 'null')?.therapist.id as number;
    const paths = [
      `/api/participant/all/${therapistId}`,
      '/api/room/state',
      '/api/getCurrentUserData/',
      `/api/svg_img/all/${therapistId}`,
    ];
    return Promise.all(
      paths.map(async (path) => ((await (await fetch(path, { headers })).json()) as { code: string }).code),
    );
  });
  expect(answers).toEqual(['not_admitted', 'forbidden', 'forbidden', 'not_admitted']);
  await letIn(anna, 'Curious');
  await expectInRoom(page);
});

test('a server restart during two drags loses no confirmed act, and both people reconnect without a reload', async ({
  visit,
  server,
}) => {
  const anna = await openRoom(visit);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna Restart' });
  await addFigure(anna, 'star', 'Hers');
  await dragBy(anna, 'Hers', 120, -60);
  await addFigure(anna, 'kiwi', 'Mine');
  await giveRole(anna, 'Hanna Restart', 'Hers');
  await expect(hanna.getByTestId('own-role')).toHaveText('Hers');
  for (const page of [anna, hanna]) await markLoaded(page);

  for (const ending of ['stop', 'kill'] as const) {
    const before = await storedField(anna);
    for (const [page, name] of [
      [anna, 'Mine'],
      [hanna, 'Hers'],
    ] as const) {
      const from = await reachable(page, name);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + 30, from.y + 20, { steps: 3 });
    }
    await server[ending]();
    for (const page of [anna, hanna]) await expect(page.getByText(/You’re offline/)).toBeVisible();
    for (const [page, name] of [
      [anna, 'Mine'],
      [hanna, 'Hers'],
    ] as const) {
      const at = await centerOf(page, name);
      await page.mouse.move(at.x + 12, at.y + 9, { steps: 2 });
      await page.mouse.up();
    }
    await server.start();
    for (const page of [anna, hanna])
      await expect(page.getByText(/You’re offline/)).toHaveCount(0, { timeout: 90_000 });
    // Both drops made during the restart arrive, and everybody sees the same.
    for (const name of ['Mine', 'Hers']) {
      const position = (field: typeof before) => {
        const found = field.find((entry) => entry.name === name);
        return found && [found.x, found.y];
      };
      await expect
        .poll(async () => position(await storedField(anna)), { message: `the drop of ${name} after ${ending}` })
        .not.toEqual(position(before));
    }
    expect((await storedField(anna)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await expect(async () => expect(await storedField(hanna)).toEqual(await storedField(anna))).toPass();
    await expectDrawnAsStored(anna, hanna);
    await expect(hanna.getByTestId('own-role')).toHaveText('Hers');
    await expect(anna.getByText('In the room · 1 of 24')).toBeVisible();
  }
  for (const page of [anna, hanna]) {
    await expect(figure(page, 'Hers')).toBeVisible();
    await expectNotReloaded(page);
  }
  // The server's log contains no personal data.
  for (const secret of [
    'Hanna Restart',
    'Hers',
    'anna@demo.example',
    await anna.evaluate(() => localStorage.getItem('token') ?? 'none'),
  ])
    expect(server.output().replace(/^ {2}demo practice .*$/gm, '')).not.toContain(secret);
});
