/** Notices (docs/product.md#11.20 to #11.26), over calls and real connections. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { completeRegistration } from '@fieldroom/contract/billing';
import { addAttendee, cancelBooking, removeAttendee } from '@fieldroom/contract/bookings';
import { enterRoom } from '@fieldroom/contract/clients';
import { cancelEvent } from '@fieldroom/contract/events';
import { findNotices, type Notice, NOTICES_KEPT, readAllNotices, readNotice } from '@fieldroom/contract/notices';
import { ownDestination } from '@fieldroom/contract/realtime';
import { aSignIn, aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aBill, aPerson, someUsage } from '../../builders/billing.builders.ts';
import { aBooking } from '../../builders/bookings.builders.ts';
import { aClient, inRoom } from '../../builders/clients.builders.ts';
import { anEvent } from '../../builders/events.builders.ts';
import { aNotice } from '../../builders/notices.builders.ts';
import { holdLock, untilLockWaits } from '../../../tests/support/locks.ts';
import { openScreen, openTherapistScreen, type Screen } from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { atOnce, confirm, outcome } from '../bookings/bookings.fixture.ts';
import { bookings } from '../bookings/bookings.tables.ts';
import { noticeLists, notices } from './notices.tables.ts';

const DAY = 86_400;

let t: TestApp;
let therapist: BuiltAccount;
const screens: Screen[] = [];
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  for (const screen of screens.splice(0)) await screen.leave();
  therapist = await aTherapist(t.db);
});

const as = ({ token }: { token: string } = therapist) => ({ token });
const list = (query: Record<string, number> = {}, whose = therapist) => t.api(findNotices, { query }, as(whose));
const kinds = async (whose = therapist) => (await list({}, whose)).content.map(({ kind }) => kind);
const lockList = (therapistId: number) =>
  holdLock(t.db, (tx) => tx.select().from(noticeLists).where(eq(noticeLists.therapistId, therapistId)).for('update'));

/** A page outside the room: it listens to the therapist's own destination and joins no room. */
async function aPage(whose = therapist): Promise<Screen> {
  const screen = await openScreen(t.url, whose.token);
  await screen.subscribe(ownDestination(whose.id));
  screens.push(screen);
  return screen;
}
/** The messages about notices that a page got, once nothing more is on its way. */
async function heardBy(page: Screen) {
  await page.send('/app/check.connection', {});
  return page.of('NOTICES').map(({ contents }) => contents);
}

async function held(wish: { firstName?: string; lastName?: string } = {}) {
  const event = await anEvent(t.db, { therapistId: therapist.id, name: 'An evening' });
  return { event, booking: await aBooking(t.db, { eventId: event.id, state: 'HELD', ...wish }) };
}

const stateOf = async ({ id }: { id: number }) =>
  (await t.db.select({ state: bookings.state }).from(bookings).where(eq(bookings.id, id)))[0]!.state;

describe('11.20 a notice', () => {
  test('is written when somebody has confirmed a booking, and when somebody has cancelled one', async () => {
    const { event, booking } = await held({ firstName: 'Réka', lastName: 'Oláh' });
    expect(await kinds()).toEqual([]);
    const { bookingToken } = await confirm(t, booking.emailToken);
    const about = {
      person: { firstName: 'Réka', lastName: 'Oláh' },
      event: { id: event.id, name: 'An evening', startsOn: event.startsAt.toISOString(), timeZone: event.timeZone },
    };
    expect(await list()).toMatchObject({
      unread: 1,
      more: false,
      content: [{ kind: 'booked', read: false, ...about }],
    });
    await t.api(cancelBooking, { body: { token: bookingToken } });
    expect(await list()).toMatchObject({
      unread: 2,
      content: [
        { kind: 'cancelled', read: false, ...about },
        { kind: 'booked', read: false, ...about },
      ],
    });
  });

  test('is not written for acts of the therapist, nor for a hold that ends', async () => {
    const { event, booking } = await held();
    const { emailToken, email } = booking;
    // The therapist confirms the hold by adding the person, who then clicks too.
    await t.api(
      addAttendee,
      { params: { eventId: event.id }, body: { firstName: 'Réka', lastName: 'Oláh', email, phoneNumber: '' } },
      as(),
    );
    await confirm(t, emailToken);
    const participant = { email, phone: '' };
    await t.api(removeAttendee, { params: { eventId: event.id }, body: { participant, reason: 'Moved' } }, as());
    const still = await aBooking(t.db, { eventId: event.id, state: 'HELD' });
    await t.api(cancelBooking, { body: { token: still.privateToken } });
    await aBooking(t.db, { eventId: event.id });
    await t.api(cancelEvent, { body: { eventId: event.id, reason: 'Ill', cancelRepetitions: false } }, as());
    expect(await kinds()).toEqual([]);
  });

  test('is written when somebody waits while the therapist is not in the room; in the room the page itself shows it', async () => {
    await aClient(t.app, therapist, { name: 'Bori' });
    expect((await list()).content).toMatchObject([{ kind: 'arrival', name: 'Bori', others: 0 }]);
    await t.api(readAllNotices, { body: { upTo: (await list()).revision } }, as());
    const room = await openTherapistScreen(t.url, therapist);
    await aClient(t.app, therapist, { name: 'Mihai' });
    expect(await kinds()).toEqual(['arrival']);
    await room.leave();
    await expect.poll(async () => (await t.app.room.row(therapist.id)).therapistAwaySince).not.toBeNull();
    await aClient(t.app, therapist, { name: 'Clara' });
    expect((await list()).content).toMatchObject([{ kind: 'arrival', name: 'Clara' }, { name: 'Bori' }]);
  });

  test('is written for a bill', async () => {
    await t.api(completeRegistration, { body: aPerson() }, as());
    const now = await t.clock.now();
    // In the middle of last month, so that it is one bill.
    const [from, until] = [10, 11].map(
      (hour) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, hour)),
    );
    await someUsage(t.db, { therapistId: therapist.id, from: from!, until: until! });
    await t.db.execute(sql`UPDATE billing_customers SET created_at = created_at - interval '3 months'`);
    const page = await aPage();
    await t.app.billing.makeMonthlyBills();
    await t.app.billing.makeMonthlyBills();
    const { content } = await list();
    expect(content).toEqual([
      {
        ...{ id: expect.any(Number), revision: 1, at: expect.any(String), read: false, kind: 'bill' },
        ...{ billId: expect.any(Number), number: expect.stringMatching(/^FR-\d{4}-\d{6}$/) },
        month: expect.stringMatching(/^\d{4}-\d\d$/),
      },
    ]);
    expect(await heardBy(page)).toEqual([{ unread: 1, revision: 1 }]);
  });
});

describe('11.21 a notice and its event', () => {
  test('two simultaneous confirmations of one booking make one notice', async () => {
    const { event, booking } = await held();
    const page = await aPage();
    const act = () => confirm(t, booking.emailToken);
    expect(await atOnce(t, event.id, [act, act, act], 3)).toEqual(['done', 'done', 'done']);
    expect(await kinds()).toEqual(['booked']);
    expect(await heardBy(page)).toEqual([{ unread: 1, revision: 1 }]);
  });

  test('a notice that cannot be written leaves the booking unchanged', async () => {
    const { booking } = await held();
    await t.db.execute(
      sql`ALTER TABLE notices ADD CONSTRAINT none CHECK (therapist_id <> ${sql.raw(String(therapist.id))})`,
    );
    await expect(confirm(t, booking.emailToken)).rejects.toMatchObject({ code: 'unknown_fault' });
    await t.db.execute(sql`ALTER TABLE notices DROP CONSTRAINT none`);
    expect([await stateOf(booking), await kinds()]).toEqual(['HELD', []]);
  });

  test('a failed commit leaves neither, and announces nothing', async () => {
    const { booking } = await held();
    const page = await aPage();
    await t.db.execute(sql`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'at the commit'; END $$`);
    await t.db.execute(sql`
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON notices DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await expect(confirm(t, booking.emailToken)).rejects.toMatchObject({ code: 'unknown_fault' });
    await t.db.execute(sql`DROP FUNCTION refuse CASCADE`);
    expect([await stateOf(booking), await kinds(), await heardBy(page)]).toEqual(['HELD', [], []]);
  });

  test('two simultaneous bookings of events make two notices, each with its own revision', async () => {
    const [first, second] = [await held(), await held()];
    await aNotice(t.db, { therapistId: therapist.id, kind: 'arrival', read: true });
    const page = await aPage();
    const lock = await lockList(therapist.id);
    const both = [confirm(t, first.booking.emailToken), confirm(t, second.booking.emailToken)];
    await lock.waited(2);
    await lock.release();
    await Promise.all(both);
    expect((await list()).content.map(({ revision }) => revision)).toEqual([3, 2, 1]);
    const heard = await heardBy(page);
    expect(heard.toSorted((a, b) => a.revision - b.revision)).toEqual([
      { unread: 1, revision: 2 },
      { unread: 2, revision: 3 },
    ]);
  });
});

describe('11.22 live updates', () => {
  test('reach all pages of a therapist, and nobody else', async () => {
    const other = await aTherapist(t.db);
    const [desk, phone, foreign] = [await aPage(), await aPage(), await aPage(other)];
    const { booking } = await held();
    await confirm(t, booking.emailToken);
    const [notice] = (await list()).content;
    expect(await t.api(readNotice, { params: { noticeId: notice!.id } }, as())).toEqual({ unread: 0, revision: 2 });
    for (const page of [desk, phone])
      expect(await heardBy(page)).toEqual([
        { unread: 1, revision: 1 },
        { unread: 0, revision: 2 },
      ]);
    expect(await heardBy(foreign)).toEqual([]);
  });

  test('reach a page outside the room without opening or joining a live session, and its end makes nobody wait', async () => {
    const client = await inRoom(t.app, therapist);
    const room = await openTherapistScreen(t.url, therapist);
    screens.push(room);
    const page = await aPage();
    await page.leave();
    expect((await t.app.room.row(therapist.id)).therapistAwaySince).toBeNull();
    expect((await t.app.clients.people(therapist.id)).map(({ id }) => id)).toContain(client.id);
    expect(room.isOpen()).toBe(true);
  });
});

describe('11.23 read and unread', () => {
  const three = async () => {
    for (const minutesAgo of [30, 20, 10])
      await aNotice(t.db, { therapistId: therapist.id, kind: 'arrival', minutesAgo });
    return (await list()).content as readonly Notice[];
  };

  test('marking one twice changes and announces nothing the second time', async () => {
    const [, second] = await three();
    const page = await aPage();
    const params = { noticeId: second!.id };
    expect(await t.api(readNotice, { params }, as())).toEqual({ unread: 2, revision: 4 });
    expect(await t.api(readNotice, { params }, as())).toEqual({ unread: 2, revision: 4 });
    expect((await list()).content.map(({ read }) => read)).toEqual([false, true, false]);
    expect(await heardBy(page)).toHaveLength(1);
  });

  test('all that the page had shown are marked; later ones stay unread', async () => {
    await three();
    const { revision } = await list();
    await aNotice(t.db, { therapistId: therapist.id, kind: 'arrival' });
    expect(await t.api(readAllNotices, { body: { upTo: revision } }, as())).toEqual({ unread: 1, revision: 5 });
    expect((await list()).content.map(({ read }) => read)).toEqual([false, true, true, true]);
    expect(await t.api(readAllNotices, { body: { upTo: revision } }, as())).toEqual({ unread: 1, revision: 5 });
  });

  test('if two tabs mark the same at once, it is marked once', async () => {
    const [first] = await three();
    const page = await aPage();
    const lock = await lockList(therapist.id);
    const both = [1, 2].map(() => t.api(readNotice, { params: { noticeId: first!.id } }, as()));
    await lock.waited(2);
    await lock.release();
    expect(await Promise.all(both)).toEqual([
      { unread: 2, revision: 4 },
      { unread: 2, revision: 4 },
    ]);
    expect(await heardBy(page)).toEqual([{ unread: 2, revision: 4 }]);
  });

  test('a booking that arrives while all are marked stays unread', async () => {
    await three();
    const { revision } = await list();
    const { booking } = await held();
    const lock = await lockList(therapist.id);
    const booked = confirm(t, booking.emailToken);
    await lock.waited(1);
    const marked = t.api(readAllNotices, { body: { upTo: revision } }, as());
    await lock.waited(2);
    await lock.release();
    await Promise.all([booked, marked]);
    expect(await list()).toMatchObject({ unread: 1, content: [{ kind: 'booked', read: false }, {}, {}, {}] });
  });

  test('the list comes in pages, and the number counts all', async () => {
    await three();
    const first = await list({ size: 2 });
    expect(first).toMatchObject({ unread: 3, more: true, content: [{ revision: 3 }, { revision: 2 }] });
    expect(await list({ size: 2, before: 2 })).toMatchObject({ unread: 3, more: false, content: [{ revision: 1 }] });
  });
});

describe('11.24 ownership', () => {
  test('another therapist can neither see nor mark them', async () => {
    const other = await aTherapist(t.db);
    const noticeId = await aNotice(t.db, { therapistId: therapist.id, kind: 'arrival' });
    expect(await list({}, other)).toEqual({ unread: 0, revision: 0, content: [], more: false });
    expect(await outcome(t.api(readNotice, { params: { noticeId } }, as(other)))).toBe('not_found');
    expect(await t.api(readAllNotices, { body: { upTo: 99 } }, as(other))).toEqual({ unread: 0, revision: 0 });
    expect(await list()).toMatchObject({ unread: 1 });
  });

  test('names disappear with those of the booking and the client; the notices stay', async () => {
    const { booking } = await held();
    const { bookingToken } = await confirm(t, booking.emailToken);
    await t.api(cancelBooking, { body: { token: bookingToken } });
    await aClient(t.app, therapist, { name: 'Bori' });
    await t.app.sessions.open(therapist.id);
    await t.app.sessions.end(therapist.id, 'ended');
    const people = async () =>
      (await list()).content.map((one) =>
        'person' in one ? (one.person?.lastName ?? null) : 'name' in one && one.name,
      );
    await t.app.retention.erase();
    expect(await people()).toEqual(['Bori', 'Oláh', 'Oláh']);
    await t.move(31 * DAY);
    await t.app.retention.erase();
    therapist = { ...therapist, ...(await anotherSignIn()) };
    expect(await people()).toEqual([null, null, null]);
    const { rows } = await t.db.execute(sql`SELECT to_jsonb(n)::text AS row FROM notices n`);
    expect(JSON.stringify(rows)).not.toMatch(/Bori|Réka|Oláh/);
  });

  test('the message to pages contains only numbers', async () => {
    const page = await aPage();
    const { booking } = await held();
    await confirm(t, booking.emailToken);
    expect((await page.next('NOTICES')).contents).toEqual({ unread: 1, revision: 1 });
  });
});

describe('11.25 their lifetime', () => {
  test('after 90 days they are neither shown nor counted, and the hourly work deletes them', async () => {
    const noticeId = await aNotice(t.db, { therapistId: therapist.id, kind: 'arrival', minutesAgo: 90 * 24 * 60 - 1 });
    expect(await list()).toMatchObject({ unread: 1, content: [{ id: noticeId }] });
    await t.move(120);
    expect(await list()).toMatchObject({ unread: 0, content: [] });
    expect(await outcome(t.api(readNotice, { params: { noticeId } }, as()))).toBe('not_found');
    const [, purge] = t.app.retention.scheduled;
    expect(purge!.type).toBe('PURGE_LOGS');
    expect((await purge!.run()).notices).toBeGreaterThanOrEqual(1);
    expect(await t.db.select().from(notices).where(eq(notices.id, noticeId))).toEqual([]);
  });

  test(`the newest ${NOTICES_KEPT} stay`, async () => {
    const other = await aTherapist(t.db);
    await aNotice(t.db, { therapistId: other.id, kind: 'arrival' });
    await t.db.transaction(async (tx) => {
      for (let nth = 0; nth < NOTICES_KEPT; nth += 1)
        await aNotice(tx, { therapistId: therapist.id, kind: 'arrival', read: true });
    });
    const { booking } = await held();
    await confirm(t, booking.emailToken);
    const kept = await t.db.select().from(notices).where(eq(notices.therapistId, therapist.id));
    expect([kept.length, Math.min(...kept.map(({ revision }) => revision))]).toEqual([NOTICES_KEPT, 2]);
    expect(await kinds(other)).toEqual(['arrival']);
  });

  test('they are deleted with the account, the booking and the bill', async () => {
    const { booking } = await held();
    await aNotice(t.db, { therapistId: therapist.id, kind: 'booked', bookingId: booking.id });
    await aNotice(t.db, {
      therapistId: therapist.id,
      kind: 'bill',
      billId: await aBill(t.db, { therapistId: therapist.id }),
    });
    await t.db.execute(sql`DELETE FROM bookings WHERE id = ${booking.id}`);
    expect(await kinds()).toEqual(['bill']);
    await t.db.execute(sql`DELETE FROM accounts WHERE id = ${therapist.id}`);
    for (const table of [notices, noticeLists])
      expect(await t.db.select().from(table).where(eq(table.therapistId, therapist.id))).toEqual([]);
  });
});

describe('11.26 arrivals', () => {
  test('people who come within an hour join the unread notice, which moves to the top', async () => {
    await aClient(t.app, therapist, { name: 'Bori' });
    const { booking } = await held();
    await confirm(t, booking.emailToken);
    await t.move(3000);
    await aClient(t.app, therapist, { name: 'Mihai' });
    await t.move(3000);
    await aClient(t.app, therapist, { name: 'Clara' });
    expect(await list()).toMatchObject({
      unread: 2,
      revision: 4,
      content: [{ kind: 'arrival', name: 'Bori', others: 2, revision: 4 }, { kind: 'booked' }],
    });
    await t.move(3660);
    await aClient(t.app, therapist, { name: 'Jonas' });
    expect(await kinds()).toEqual(['arrival', 'arrival', 'booked']);
  });

  test('once it is read, the next arrival is a new notice', async () => {
    await aClient(t.app, therapist, { name: 'Bori' });
    const { content } = await list();
    await t.api(readNotice, { params: { noticeId: content[0]!.id } }, as());
    await aClient(t.app, therapist, { name: 'Mihai' });
    expect((await list()).content).toMatchObject([
      { name: 'Mihai', read: false, others: 0 },
      { name: 'Bori', read: true },
    ]);
  });

  test('the same browser that enters again is one person', async () => {
    const { token } = await aClient(t.app, therapist, { name: 'Bori' });
    await t.api(enterRoom, { body: { joinLink: therapist.joinLink, name: 'Bori' } }, { token });
    expect((await list()).content).toMatchObject([{ kind: 'arrival', others: 0 }]);
  });

  test('two simultaneous arrivals make one notice', async () => {
    let arriving: Promise<unknown>[] = [];
    await t.db.transaction(async (tx) => {
      await t.app.room.lock(tx, therapist.id);
      arriving = [aClient(t.app, therapist), aClient(t.app, therapist)];
      await untilLockWaits(t.db, 1);
    });
    await Promise.all(arriving);
    expect((await list()).content).toMatchObject([{ kind: 'arrival', others: 1 }]);
  });
});

/** Sign-ins end after a week, so tests that move far need another one. */
async function anotherSignIn(): Promise<{ token: string }> {
  return { token: await aSignIn(t.db, therapist.id) };
}
