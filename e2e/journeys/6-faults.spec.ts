/**
 * What goes wrong, as people see it: names that cannot be, rooms that are not theirs, a server that restarts under
 * their hands.
 */
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
  storedField,
} from './people.ts';

test('a name that cannot be is refused beside its field, in words, and the next one is taken', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const { page } = await visit(PHONE);
  await page.goto('/user/join/anna');
  const name = page.getByLabel('Your name');
  const knock = page.getByRole('button', { name: 'Knock at the door' });
  await name.fill('Han\u202Ena');
  await knock.click();
  await expect(page.getByText('Please leave out special characters that can’t be displayed.')).toBeVisible();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await axeClean(page, 'a name with unsafe characters');
  await picture(page, 'join-unsafe-name-390-light-en');
  await name.fill('   ');
  await knock.click();
  await expect(page.getByText('Name required')).toBeVisible();
  // Nobody gets into the waiting room by any of it.
  await expect(anna.getByText(/person is waiting/)).toHaveCount(0);
  await knockByLink(page, 'Hanna <b>“&amp;”</b>');
  await letIn(anna, 'Hanna <b>“&amp;”</b>');
  await inRoom(page);
});

test('who waits or is a client opens no page of the room or of the therapist by its address', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const { page } = await visit(PHONE);
  await knockByLink(page, 'Curious');
  for (const address of ['/app/play-area-view', '/app/play-area', '/app/dashboard']) {
    await page.goto(address);
    // Sent away before the next address is tried: two ways gone at once would cut one another off.
    await page.waitForURL((url) => url.pathname.startsWith('/user/') || url.pathname.startsWith('/auth/'));
    await expect(page.locator('main, #root').first()).toBeVisible();
    await expect(page.getByTestId('field')).toHaveCount(0);
    await expect(page.getByTestId('room-code')).toHaveCount(0);
  }
  // The ids of the page's store are claims: nothing comes of changing them.
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
  await inRoom(page);
});

test('a server that restarts in the middle of two people’s drags: told, back by itself, nothing confirmed is lost, and nobody has to reload', async ({
  visit,
  server,
}) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const hanna = (await visit(DESK)).page;
  await knockByLink(hanna, 'Hanna Restart');
  await letIn(anna, 'Hanna Restart');
  await inRoom(hanna);
  await addFigure(anna, 'star', 'Hers');
  await dragBy(anna, 'Hers', 120, -60);
  await addFigure(anna, 'kiwi', 'Mine');
  await giveRole(anna, 'Hanna Restart', 'Hers');
  await expect(hanna.getByTestId('own-role')).toHaveText('Hers');
  for (const page of [anna, hanna])
    await page.evaluate(() => {
      (window as unknown as { notReloaded: boolean }).notReloaded = true;
    });

  for (const end of ['stop', 'kill'] as const) {
    const before = await storedField(anna);
    for (const [page, name] of [
      [anna, 'Mine'],
      [hanna, 'Hers'],
    ] as const) {
      const from = await centerOf(page, name);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + 30, from.y + 20, { steps: 3 });
    }
    await server[end]();
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
    // Both drops that were made meanwhile arrive, and all see the same.
    for (const name of ['Mine', 'Hers']) {
      const place = (field: typeof before) => {
        const found = field.find((entry) => entry.name === name);
        return found && [found.x, found.y];
      };
      await expect
        .poll(async () => place(await storedField(anna)), { message: `the drop of ${name} after ${end}` })
        .not.toEqual(place(before));
    }
    expect((await storedField(anna)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await expect(async () => expect(await storedField(hanna)).toEqual(await storedField(anna))).toPass();
    await expectDrawnAsStored(anna, hanna);
    await expect(hanna.getByTestId('own-role')).toHaveText('Hers');
    await expect(anna.getByText('In the room · 1 of 24')).toBeVisible();
  }
  for (const page of [anna, hanna]) {
    await expect(figure(page, 'Hers')).toBeVisible();
    expect(await page.evaluate(() => (window as unknown as { notReloaded?: boolean }).notReloaded)).toBe(true);
  }
  // Nothing personal in what the server wrote.
  for (const secret of [
    'Hanna Restart',
    'Hers',
    'anna@demo.example',
    await anna.evaluate(() => localStorage.getItem('token') ?? 'none'),
  ])
    expect(server.output().replace(/^ {2}demo practice .*$/gm, '')).not.toContain(secret);
});
