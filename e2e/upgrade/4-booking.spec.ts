/** Bookings while two versions take calls: forms of one are sent to the other, and links in emails open on both. */
import { expect } from '../journey.ts';
import { book, fillBooking, openPublicEvent } from '../journeys/events.ts';
import { expectDrawnAsStored, linkIn, nextEmail, openRoom } from '../journeys/people.ts';
import { confirm, EVENING, eventOn, expectBooked, expectPrivatePage, JONAS, KARIM, MIRELA } from './bookers.ts';
import { expectWebOf, readerOf } from './pages.ts';
import { drain, test, withoutNodes } from './service.ts';

test.skip(withoutNodes() !== null, withoutNodes() ?? '');

test('forms and links of each version work on the other', async ({ visit, server, service }) => {
  const { balancer } = service;
  const seen = new Set<string>();
  const linkOf = async (email: string, page: string) => linkIn(await nextEmail(server, email, seen), page);
  const older = await service.start('older');
  balancer.routeTo(older.port);
  const [{ page: jonas }, { page: mirela }, { page: karim }] = [await visit(), await visit(), await visit()];
  for (const page of [jonas, mirela]) await openPublicEvent(page, EVENING);
  const eventId = eventOn(jonas);
  await expectWebOf(jonas, older);
  const sendJonas = await fillBooking(jonas, JONAS);
  await book(mirela, MIRELA);
  const heldOnOlder = await linkOf(MIRELA.email, '/event/confirm');

  const today = await service.start('today');
  balancer.routeTo(today.port);
  const booking = `POST /api/event-booking/user/${eventId} 200`;
  await sendJonas.click();
  await expect(jonas.getByRole('heading', { name: 'Your place is held' })).toBeVisible();
  expect(balancer.answeredBy(today.port)).toContain(booking);
  const heldOnToday = await linkOf(JONAS.email, '/event/confirm');
  await openPublicEvent(karim, EVENING);
  await expectWebOf(karim, today);
  const sendKarim = await fillBooking(karim, KARIM);
  await confirm(mirela, heldOnOlder);
  const ownOfToday = await linkOf(MIRELA.email, '/event/booking');

  balancer.routeTo(older.port);
  const before = balancer.answeredBy(older.port).filter((call) => call === booking).length;
  await sendKarim.click();
  await expect(karim.getByRole('heading', { name: 'Your place is held' })).toBeVisible();
  expect(balancer.answeredBy(older.port).filter((call) => call === booking)).toHaveLength(before + 1);
  const heldOnOlderByToday = await linkOf(KARIM.email, '/event/confirm');
  await confirm(jonas, heldOnToday);
  const ownOfOlder = await linkOf(JONAS.email, '/event/booking');
  await mirela.goto(ownOfToday);
  await expectPrivatePage(mirela, MIRELA);

  await drain(service, older, today);
  await confirm(karim, heldOnOlderByToday);
  await jonas.goto(ownOfOlder);
  await expectPrivatePage(jonas, JONAS);
  const anna = await openRoom(visit);
  await expectBooked(today, await readerOf(anna), eventId, [JONAS, MIRELA, KARIM]);
  await expectDrawnAsStored(anna);
});
