/** Pages of today's web whose calls and sockets reach the older node, which is led to again (docs/product.md#2.14). */
import { admit as admitCall } from '@fieldroom/contract/clients';
import { expect } from '../journey.ts';
import {
  addFigure,
  admit,
  dragBy,
  expectDrawnAsStored,
  expectInRoom,
  expectNotReloaded,
  figure,
  giveRole,
  letIn,
  markLoaded,
  openRoom,
  storedField,
} from '../journeys/people.ts';
import {
  expectMessages,
  expectTimerRuns,
  expectWebOf,
  openMessages,
  post,
  scriptOf,
  sendUnknown,
  write,
} from './pages.ts';
import { drain, expectSocketsAt, test, withoutNodes } from './service.ts';

test.skip(withoutNodes() !== null, withoutNodes() ?? '');

test('a room on today’s web goes on over the older node, and back on today’s', async ({ visit, service }) => {
  const older = await service.start('older');
  const first = await service.start('today');
  service.balancer.routeTo(first.port);
  const anna = await openRoom(visit);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna' });
  await expectWebOf(anna, first);
  await addFigure(anna, 'star', 'Hers');
  await dragBy(anna, 'Hers', 120, -60);
  await giveRole(anna, 'Hanna', 'Hers');
  await openMessages(anna);
  await write(anna, 'Said on the node of today');
  // A page that has come from today's node, and has asked it nothing else yet.
  const { page: mirela } = await visit();
  await mirela.goto('/user/join/anna');
  await expect(mirela.getByLabel('Your name')).toBeVisible();
  await expectWebOf(mirela, first);
  const webs = [await scriptOf(anna), await scriptOf(hanna)];
  for (const page of [anna, hanna]) await markLoaded(page);

  await drain(service, first, older);
  await expectSocketsAt(service, older, 2, first);
  // Scripts that today's web loads only when they are wanted come from the older node.
  await openMessages(hanna);
  await write(hanna, 'And answered on the older one');
  await expectMessages(['Said on the node of today', 'And answered on the older one'], anna);
  await mirela.getByLabel('Your name').fill('Mirela');
  await mirela.getByRole('button', { name: 'Knock at the door' }).click();
  await letIn(anna, 'Mirela');
  await expectInRoom(mirela);
  await expectSocketsAt(service, older, 3, first);
  await addFigure(anna, 'kiwi', 'Mine');
  for (const page of [hanna, mirela]) await expect(figure(page, 'Mine')).toBeVisible();
  await dragBy(hanna, 'Hers', -60, 30);
  // An act that changes nothing, then one that is taken back.
  await dragBy(anna, 'Mine', 40, 40);
  await expectDrawnAsStored(anna, hanna, mirela);
  const moved = await storedField(anna);
  await anna.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(() => storedField(anna)).not.toEqual(moved);
  await expectTimerRuns(anna, hanna, mirela);

  await test.step('what the older node does not know is refused by name', async () => {
    expect(await sendUnknown(hanna)).toBe('destination_unknown');
    expect(await post(anna, '/api/room/weather', {})).toEqual([404, 'not_found']);
    expect(await post(anna, admitCall.path, { clientIds: 'all', gently: true })).toEqual([400, 'invalid_input']);
  });
  await expectDrawnAsStored(anna, hanna, mirela);
  for (const page of [anna, hanna]) await expectNotReloaded(page);

  const second = await service.start('today');
  await drain(service, older, second);
  await expectSocketsAt(service, second, 3, older, first);
  await write(hanna, 'And again on today’s');
  await expectMessages(['Said on the node of today', 'And answered on the older one', 'And again on today’s'], anna);
  await dragBy(hanna, 'Hers', 30, 30);
  await addFigure(anna, 'star', 'Later');
  for (const page of [hanna, mirela]) await expect(figure(page, 'Later')).toBeVisible();
  await expectTimerRuns(anna, hanna, mirela);
  expect([await scriptOf(anna), await scriptOf(hanna)]).toEqual(webs);
  for (const page of [anna, hanna]) await expectNotReloaded(page);
  await expectDrawnAsStored(anna, hanna, mirela);
});
