/**
 * A generated history: many people book, confirm, decline, correct, cancel and arrive too late; therapists add, delete,
 * change places and cancel events. It uses two nodes on one database, with several acts at the same time, while the
 * clock goes on. During the history and afterwards, the database is checked against the invariants of the contract. A
 * failure prints the seed; FIELDROOM_SEED repeats it, FIELDROOM_LONG=1 runs longer.
 */
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { cancelEvent, saveEvent } from '@fieldroom/contract/events';
import { createApp } from '../../app.ts';
import { createLog } from '../../platform/monitoring/log.ts';
import { anEvent } from '../../builders/events.builders.ts';
import { aTherapist } from '../../builders/accounts.builders.ts';
import { createCaller, testApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { EventRow } from '../events/index.ts';
import {
  BEHIND_PROXY,
  book,
  cancel,
  confirm,
  correct,
  decline,
  GUESSES_UNCOUNTED,
  outcome,
  resend,
} from './bookings.fixture.ts';

const LONG = process.env['FIELDROOM_LONG'] === '1';
const SEED = Number(process.env['FIELDROOM_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const STEPS = LONG ? 400 : 40;
/** Number of concurrent acts. */
const WIDTH = 12;
const PEOPLE = 30;
/** What must have happened for a history to be worth checking. */
const KINDS_OF_ACTS = [
  'book done',
  'book event_full',
  'book too_few_places',
  'confirm done',
  'decline done',
  'add done',
  'delete done',
  'correct done',
  'resend done',
  'places done',
];

/** mulberry32: small, and the same everywhere. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the violated invariants, as sentences. */
async function faults(t: Pick<TestApp, 'db'>): Promise<string[]> {
  const found: string[] = [];
  const look = async (sentence: string, query: ReturnType<typeof sql>) => {
    const { rows } = await t.db.execute<{ id: number }>(query);
    if (rows.length > 0) found.push(`${sentence}: ${rows.map(({ id }) => id).join(', ')}`);
  };
  await look(
    'more places taken than there are',
    sql`SELECT e.id FROM events e JOIN bookings b ON b.event_id = e.id WHERE b.state = 'CONFIRMED' OR (b.state = 'HELD' AND b.held_until > product_now()) GROUP BY e.id HAVING sum(b.places) > e.places`,
  );
  await look(
    'counted other than the sum of the places',
    sql`SELECT e.id FROM events e, booking_counts(e.id) c WHERE c.held + c.confirmed <> (SELECT coalesce(sum(b.places), 0) FROM bookings b WHERE b.event_id = e.id AND (b.state = 'CONFIRMED' OR (b.state = 'HELD' AND b.held_until > product_now())))`,
  );
  await look(
    'two live bookings of one person',
    sql`SELECT min(id) AS id FROM bookings WHERE state = 'CONFIRMED' OR (state = 'HELD' AND held_until > product_now()) GROUP BY event_id, email_normalized HAVING count(*) > 1`,
  );
  await look(
    'a live booking of a cancelled event',
    sql`SELECT b.id FROM bookings b JOIN events e ON e.id = b.event_id WHERE e.status = 'CANCELLED' AND (b.state = 'CONFIRMED' OR (b.state = 'HELD' AND b.held_until > product_now()))`,
  );
  await look(
    'a held booking without the email of its statement',
    sql`SELECT b.id FROM bookings b WHERE NOT b.added_by_therapist AND NOT EXISTS (SELECT FROM outbox_emails l WHERE l.about = 'booking ' || b.id AND l.kind = 'bookings.held' AND l.created_at = b.created_at)`,
  );
  // Corrected ones have lost their tokens; all others have one for each email, also those of people who tried twice.
  await look(
    'other tokens than emails that ask',
    sql`
    SELECT b.id FROM bookings b WHERE b.ended_by IS DISTINCT FROM 'correction'
       AND (SELECT count(*) FROM outbox_emails l WHERE l.about = 'booking ' || b.id AND l.kind = 'bookings.held') <> (SELECT count(*) FROM booking_tokens k WHERE k.booking_id = b.id AND k.purpose = 'email')`,
  );
  await look(
    'an email in the language or to the address of somebody else',
    sql`SELECT b.id FROM bookings b JOIN outbox_emails l ON l.about = 'booking ' || b.id AND l.kind IN ('bookings.held', 'bookings.alreadyBooked') WHERE NOT b.added_by_therapist AND (l.to_address <> b.email OR l.language <> b.language)`,
  );
  await look(
    'a decoy that lasts longer than a hold',
    sql`SELECT event_id AS id FROM booking_handles WHERE booking_id IS NULL AND used_at IS NULL AND held_until > product_now() + interval '10 minutes'`,
  );
  await look(
    'a confirmed booking without an email that says so',
    sql`SELECT b.id FROM bookings b WHERE b.confirmed_at IS NOT NULL AND NOT EXISTS (SELECT FROM outbox_emails l WHERE l.about = 'booking ' || b.id AND l.kind IN ('bookings.confirmed', 'bookings.added'))`,
  );
  await look(
    'told twice that it is confirmed',
    sql`SELECT b.id FROM bookings b WHERE (SELECT count(*) FROM outbox_emails l WHERE l.about = 'booking ' || b.id AND l.kind IN ('bookings.confirmed', 'bookings.added')) > 1`,
  );
  await look(
    'told that it is confirmed, and was not',
    sql`SELECT b.id FROM bookings b WHERE b.confirmed_at IS NULL AND EXISTS (SELECT FROM outbox_emails l WHERE l.about = 'booking ' || b.id AND l.kind IN ('bookings.confirmed', 'bookings.added'))`,
  );
  await look(
    'a cancellation told other than once',
    sql`
    SELECT b.id FROM bookings b
     WHERE (SELECT count(*) FROM outbox_emails l WHERE l.about = 'booking ' || b.id AND l.to_address = b.email AND l.kind IN ('bookings.cancelledByClient', 'bookings.cancelledByTherapist', 'bookings.eventCancelled'))
        <> CASE WHEN b.state = 'CANCELLED' AND b.ended_by <> 'correction' AND (b.ended_by <> 'client' OR b.confirmed_at IS NOT NULL) THEN 1 ELSE 0 END`,
  );
  await look(
    'an end without its time, or a time without its end',
    sql`SELECT id FROM bookings WHERE (state IN ('EXPIRED', 'DECLINED', 'CANCELLED')) <> (ended_at IS NOT NULL)`,
  );
  await look(
    'expired before its time',
    sql`SELECT id FROM bookings WHERE state = 'EXPIRED' AND held_until > product_now()`,
  );
  await look(
    'two emails of one Message-ID',
    sql`SELECT 0 AS id FROM outbox_emails GROUP BY message_id HAVING count(*) > 1`,
  );
  await look(
    'a handle that was used and has no successor',
    sql`SELECT event_id AS id FROM booking_handles h WHERE used_at IS NOT NULL AND NOT EXISTS (SELECT FROM booking_handles n WHERE n.event_id = h.event_id AND n.source = h.source AND n.handle_hash <> h.handle_hash)`,
  );
  return found;
}

test(`whatever happens, the invariants hold (seed ${SEED})`, { timeout: LONG ? 1_200_000 : 180_000 }, async () => {
  const env = {
    ...BEHIND_PROXY,
    ...GUESSES_UNCOUNTED,
    DATABASE_CONNECTIONS: '16',
    LIMIT_BOOKING: '100000/60',
    LIMIT_OPEN_HOLDS: '9000/60',
    LIMIT_FORM_EMAILS: '100000/60',
    LIMIT_ADDRESS_EMAILS: '100000/60',
  };
  const t = await testApp({ env });
  const second = await createApp(
    { ...t.app.config, port: 0 },
    { longRunning: false, log: createLog({ logLevel: 'silent', production: true }) },
  );
  try {
    const nodes = [t, createCaller(await second.listen())] as const;
    const random = chance(SEED);
    const below = (most: number) => Math.floor(random() * most);
    const one = <T>(items: readonly T[]): T | undefined => items[below(items.length)];

    const therapist = await aTherapist(t.db);
    const as = { token: therapist.token };
    const rows: EventRow[] = [];
    for (const [places, startsInMinutes] of [
      [1, 40],
      [2, 10_000],
      [4, 10_000],
      [6, 55],
      [9, 10_000],
      [3, 10_000],
    ] as const)
      rows.push(
        await anEvent(t.db, {
          therapistId: therapist.id,
          places,
          startsInMinutes,
          type: places === 1 ? 'ONE_ON_ONE' : 'GROUP',
        }),
      );
    const handles: string[] = [];
    const booked: { id: number; email: string }[] = [];
    const privateTokens: string[] = [];
    const counted = new Map<string, number>();
    const email = () => `person-${below(PEOPLE)}@mail.example`;
    const emailToken = async (): Promise<string> => {
      const { rows: emails } = await t.db.execute<{ text: string }>(
        sql`SELECT text FROM outbox_emails WHERE kind = 'bookings.held' ORDER BY number DESC LIMIT 60`,
      );
      return /#token=([\w-]{43})/.exec(one(emails)?.text ?? '')?.[1] ?? 'none';
    };

    /** One act of a person, chosen now and run together with others. */
    function act(): [string, () => Promise<unknown>] {
      const node = nodes[below(2)]!;
      const event = one(rows)!;
      const who = email();
      const dice = random();
      if (dice < 0.34) {
        const places = random() < 0.5 ? 1 : 1 + below(calls.PLACES_OF_BOOKING_MAX);
        const [email, language] = [
          random() < 0.2 ? who.toUpperCase() : who,
          (['en', 'de', 'hu', 'ro'] as const)[below(4)]!,
        ];
        return [
          'book',
          async () => {
            handles.push((await book(node, event.id, { email, language, places })).handle);
            booked.push({ id: event.id, email });
          },
        ];
      }
      if (dice < 0.54)
        return ['confirm', async () => void privateTokens.push((await confirm(node, await emailToken())).bookingToken)];
      if (dice < 0.61) return ['decline', async () => decline(node, await emailToken())];
      if (dice < 0.67) return ['cancel', () => cancel(node, one(privateTokens) ?? 'none')];
      if (dice < 0.73) {
        const { id, email } = one(booked.slice(-20)) ?? { id: event.id, email: who };
        return [
          'delete',
          () =>
            node.api(
              calls.removeAttendee,
              { params: { eventId: id }, body: { participant: { email }, reason: 'R' } },
              as,
            ),
        ];
      }
      if (dice < 0.8)
        return [
          'add',
          () =>
            node.api(
              calls.addAttendee,
              { params: { eventId: event.id }, body: { firstName: 'A', lastName: 'B', email: who } },
              as,
            ),
        ];
      if (dice < 0.86)
        return ['resend', async () => void handles.push((await resend(node, one(handles) ?? 'x'.repeat(43))).handle)];
      if (dice < 0.93)
        return [
          'correct',
          async () => void handles.push((await correct(node, one(handles) ?? 'x'.repeat(43), who)).handle),
        ];
      if (dice < 0.985) {
        const maximumParticipant = event.type === 'ONE_ON_ONE' ? 1 : 1 + below(9);
        return [
          'places',
          () =>
            node.api(
              saveEvent,
              {
                body: {
                  id: event.id,
                  eventName: event.name,
                  type: event.type,
                  isOnline: true,
                  description: '',
                  dates: event.dates,
                  startTime: event.startTime,
                  endTime: event.endTime,
                  timeZone: event.timeZone,
                  price: '1',
                  currency: 'EUR',
                  maximumParticipant,
                },
              },
              as,
            ),
        ];
      }
      return ['cancel event', () => node.api(cancelEvent, { body: { eventId: event.id, reason: 'R' } }, as)];
    }

    // Chance may leave out an act, or cancel so many events that none is left to change: then the history continues.
    for (let step = 0; step < STEPS || (step < STEPS * 3 && KINDS_OF_ACTS.some((kind) => !counted.has(kind))); step++) {
      const round = Array.from({ length: WIDTH }, act);
      const moving = random() < 0.35 ? t.move(below(500)) : null;
      const got = await Promise.all(round.map(async ([name, run]) => `${name} ${await outcome(run())}`));
      await moving;
      for (const what of got) counted.set(what, (counted.get(what) ?? 0) + 1);
      // Add an event from time to time, because the others begin, fill up and are cancelled.
      if (step % 5 === 4)
        rows[below(rows.length)] = await anEvent(t.db, {
          therapistId: therapist.id,
          places: 2 + below(7),
          startsInMinutes: 30 + below(5000),
        });
      if (step % 5 === 4) expect(await faults(t), `seed ${SEED}, step ${step}`).toEqual([]);
    }
    await t.app.bookings.idle();
    await second.bookings.idle();
    expect(await faults(t), `seed ${SEED}, at the end`).toEqual([]);
    // The history was worth checking: all of it happened.
    for (const what of KINDS_OF_ACTS)
      expect(counted.get(what) ?? 0, `${what}, of ${JSON.stringify([...counted])}`).toBeGreaterThan(0);
  } finally {
    await second.close();
    await t.close();
  }
});
