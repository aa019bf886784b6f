/** Two versions at a time: today's node joins, the older one leaves, and the room goes on (docs/operate.md). */
import { expect } from '../journey.ts';
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
  markLoaded,
  openField,
  openRoom,
  storedField,
} from '../journeys/people.ts';
import {
  expectMessages,
  expectTimerRuns,
  expectWebOf,
  openMessages,
  putDown,
  scriptAt,
  scriptOf,
  take,
  write,
} from './pages.ts';
import { drain, expectSocketsAt, test, withoutNodes } from './service.ts';
import { migrationsOf } from './versions.ts';

test.skip(withoutNodes() !== null, withoutNodes() ?? '');

test('a room with figures in hands moves from the older node to today’s', async ({ visit, service }) => {
  const older = await service.start('older');
  service.balancer.routeTo(older.port);
  const anna = await openRoom(visit);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna' });
  await addFigure(anna, 'star', 'Hers');
  await dragBy(anna, 'Hers', 120, -60);
  await addFigure(anna, 'kiwi', 'Mine');
  await giveRole(anna, 'Hanna', 'Hers');
  await expect(hanna.getByTestId('own-role')).toHaveText('Hers');
  for (const page of [anna, hanna]) await openMessages(page);
  await write(hanna, 'Said on the older node');
  await expectMessages(['Said on the older node'], anna, hanna);
  await expectTimerRuns(anna, hanna);
  const webs = [await scriptOf(anna), await scriptOf(hanna)];
  for (const page of [anna, hanna]) await markLoaded(page);

  const today = await service.start('today');
  // The older node runs on over a database that has been brought up to date.
  const joined = await storedField(anna);
  await dragBy(hanna, 'Hers', 20, 30);
  await expect.poll(() => storedField(anna)).not.toEqual(joined);
  await expectDrawnAsStored(anna, hanna);
  if (migrationsOf('older') < migrationsOf('today'))
    expect(await service.refused('older')).toContain('used by a newer version of Fieldroom');

  const before = await storedField(anna);
  const held = [
    { page: anna, name: 'Mine' },
    { page: hanna, name: 'Hers' },
  ];
  for (const { page, name } of held) await take(page, name);
  await drain(service, older, today);
  await expectSocketsAt(service, today, 2, older);
  for (const { page, name } of held) await putDown(page, 12, 9, await centerOf(page, name));
  for (const { name } of held) {
    const place = (field: typeof before) => field.filter((one) => one.name === name).map(({ x, y }) => [x, y]);
    await expect.poll(async () => place(await storedField(anna)), `the drop of ${name}`).not.toEqual(place(before));
  }
  expect((await storedField(anna)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  for (const page of [anna, hanna]) await expect(page.getByText(/You’re offline/)).toHaveCount(0);

  // Both still have the older web, and see what the other does.
  await write(anna, 'Said on the node of today');
  await write(hanna, 'And answered');
  await expectMessages(['Said on the older node', 'Said on the node of today', 'And answered'], anna, hanna);
  await addFigure(anna, 'star', 'Later');
  await expect(figure(hanna, 'Later')).toBeVisible();
  await dragBy(hanna, 'Hers', -40, 20);
  await expectDrawnAsStored(anna, hanna);
  await expectTimerRuns(anna, hanna);
  expect([await scriptOf(anna), await scriptOf(hanna)]).toEqual(webs);
  for (const page of [anna, hanna]) await expectNotReloaded(page);

  const newer = anna.getByText('There is a new version of Fieldroom. Please reload this page after the session.');
  if (webs[0] !== (await scriptAt(today, anna))) await expect(newer).toBeVisible();
  await openField(anna);
  await expectWebOf(anna, today);
  await expect(newer).toHaveCount(0);
  await hanna.reload();
  await expectInRoom(hanna);
  await expectWebOf(hanna, today);
  for (const page of [anna, hanna]) await openMessages(page);
  await expectMessages(['Said on the older node', 'Said on the node of today', 'And answered'], anna, hanna);
  await expectTimerRuns(anna, hanna);
  await expect(hanna.getByTestId('own-role')).toHaveText('Hers');
  await dragBy(hanna, 'Hers', 30, -30);
  await expectDrawnAsStored(anna, hanna);
});
