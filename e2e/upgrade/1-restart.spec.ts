/** One server that is updated: it stops, or is killed, and today's version starts on its data. */
import { expect } from '../journey.ts';
import { book, fillBooking, openPublicEvent } from '../journeys/events.ts';
import {
  addFigure,
  admit,
  dragBy,
  expectDrawnAsStored,
  expectInRoom,
  expectNotReloaded,
  giveRole,
  linkIn,
  markLoaded,
  nextEmail,
  openField,
  openRoom,
  storedField,
} from '../journeys/people.ts';
import { confirm, EVENING, eventOn, expectBooked, expectPrivatePage, JONAS, KARIM, MIRELA } from './bookers.ts';
import { expectTimerRuns, expectWebOf, readerOf, scriptOf } from './pages.ts';
import { expectSocketsAt, test } from './service.ts';
import { lost, readLasting, readValues } from './values.ts';

test.use({ several: false });

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`today's server starts on the data of an older one that ended by ${signal}`, async ({
    visit,
    server,
    service,
  }) => {
    const older = await service.start('older');
    service.balancer.routeTo(older.port);
    const anna = await openRoom(visit);
    await expectWebOf(anna, older);
    const { page: hanna } = await admit(visit, anna, { name: 'Hanna' });
    await addFigure(anna, 'star', 'Hers');
    await dragBy(anna, 'Hers', 120, -60);
    await giveRole(anna, 'Hanna', 'Hers');

    const { page: jonas } = await visit();
    await openPublicEvent(jonas, EVENING);
    const eventId = eventOn(jonas);
    await book(jonas, JONAS);
    const seen = new Set<string>();
    await confirm(jonas, linkIn(await nextEmail(server, JONAS.email, seen), '/event/confirm'));
    const own = linkIn(await nextEmail(server, JONAS.email, seen), '/event/booking');
    const { page: mirela } = await visit();
    await openPublicEvent(mirela, EVENING);
    await book(mirela, MIRELA);
    const held = linkIn(await nextEmail(server, MIRELA.email, seen), '/event/confirm');
    const { page: karim } = await visit();
    await openPublicEvent(karim, EVENING);
    const sendForm = await fillBooking(karim, KARIM);

    const field = await storedField(anna);
    const reader = await readerOf(anna);
    const values = await readLasting(older, reader, eventId);
    // A reader that is refused everywhere would find everything unchanged.
    expect(Object.keys(values).length).toBeGreaterThan(25);
    expect(JSON.stringify(values)).toContain(JONAS.familyName);
    const web = await scriptOf(anna);
    for (const page of [anna, hanna]) await markLoaded(page);

    await older.stop(signal);
    const today = await service.start('today');
    service.balancer.routeTo(today.port);
    await expectSocketsAt(service, today, 2, older);
    expect(lost(values, await readValues(today, reader, eventId)), 'what was read before and is lost').toEqual([]);
    expect(await storedField(anna)).toEqual(field);
    await expectDrawnAsStored(anna, hanna);
    await expectTimerRuns(anna, hanna);
    for (const page of [anna, hanna]) await expectNotReloaded(page);
    expect(await scriptOf(anna)).toBe(web);

    // The sign-ins of both hold, also for today's web.
    await openField(anna);
    await expectWebOf(anna, today);
    await hanna.reload();
    await expectInRoom(hanna);
    await expectWebOf(hanna, today);
    await expect(hanna.getByTestId('own-role')).toHaveText('Hers');
    await dragBy(hanna, 'Hers', -80, 40);
    await expect.poll(() => storedField(anna)).not.toEqual(field);
    await expectDrawnAsStored(anna, hanna);

    // A form that was open is sent, and the links in emails of the older server lead where they did.
    await sendForm.click();
    await expect(karim.getByRole('heading', { name: 'Your place is held' })).toBeVisible();
    await confirm(karim, linkIn(await nextEmail(server, KARIM.email, seen), '/event/confirm'));
    await confirm(mirela, held);
    await jonas.goto(own);
    await expectPrivatePage(jonas, JONAS);
    await expectBooked(today, reader, eventId, [JONAS, MIRELA, KARIM]);
  });
