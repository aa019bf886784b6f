/** People of the traffic who book and confirm, and what must be true of their bookings and emails in the end. */
import { setTimeout as passed } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { maxHeld } from '@fieldroom/contract/bookings';
import { anEvent } from '../../../../src/builders/events.builders.ts';
import { aNewEmail, book, confirm, countsOf } from '../../../../src/features/bookings/bookings.fixture.ts';
import { createClock } from '../../../../src/platform/clock.ts';
import type { FakeSmtp } from '../../programs/fake-smtp.ts';
import { createCaller } from '../../test-app.ts';
import { PAUSE_MS, type Tries, WAIT } from './tries.ts';

/** One event after the other gets so many bookings: fewer than it has room for, even twice. */
const EVENTS = 30;
const BOOKINGS_EACH = 100;
const PLACES = 500;
/** Longer than any pause that sending makes after a mail server could not be used (product time). */
const MAIL_PAUSE_SECONDS = 35;

export interface Booker {
  readonly confirms: boolean;
  done: number;
  refused: number;
  doing: string;
}

export interface TrafficBookings {
  readonly bookers: readonly Booker[];
  /** The event at which people book now. */
  eventId(): number;
  /** Everybody goes on until the traffic ends. */
  run(): Promise<unknown>;
  /** Compares what they were told with the database. */
  expectBookings(): Promise<void>;
  /** Waits until no email waits any more. Compares those that arrived with the database. */
  expectEmails(): Promise<void>;
}

/** Makes them. Takes whose events they are, and the mail server, if there is one. */
export async function openTrafficBookings(
  tries: Tries,
  { therapistId, smtp }: { therapistId: number; smtp: FakeSmtp | null },
): Promise<TrafficBookings> {
  const { db } = tries;
  const eventIds: number[] = [];
  while (eventIds.length < EVENTS) eventIds.push((await anEvent(db, { therapistId, places: PLACES })).id);
  let bookings = 0;
  const eventId = () => eventIds[Math.floor(bookings / BOOKINGS_EACH) % EVENTS]!;
  /** Accepted bookings, by address. */
  const accepted = new Map<string, 'HELD' | 'CONFIRMED'>();
  const newBooker = (confirms: boolean): Booker => ({ confirms, done: 0, refused: 0, doing: '' });
  const bookers = [false, false, true].map(newBooker);

  /** The token in the email to an address, read past what fails: from the mail server, or before it is sent. */
  async function tokenTo(email: string): Promise<string> {
    const find = async () => {
      const arrived = smtp?.received.findLast(({ to }) => to.includes(email))?.mail.text;
      const { rows } = await db.execute<{ text: string }>(
        sql`SELECT text FROM outbox_emails WHERE to_address = ${email} AND kind = 'bookings.held'
             ORDER BY number DESC LIMIT 1`,
      );
      const tokens = [rows[0]?.text, arrived].map((text) => /#token=([\w-]{43})/.exec(text ?? '')?.[1]);
      return tokens.find((token) => token !== undefined) ?? null;
    };
    return vi.waitUntil(() => (tries.stopped ? '' : null) ?? find().catch(() => null), WAIT);
  }
  async function keepBooking(booker: Booker): Promise<void> {
    while (tries.going) {
      const email = aNewEmail('traffic');
      const at = eventId();
      bookings += 1;
      booker.doing = `books for ${email}`;
      await tries.untilDone(booker, (url) => book(createCaller(url), at, { email }));
      accepted.set(email, 'HELD');
      if (booker.confirms) {
        booker.doing = `waits for the email to ${email}`;
        const token = await tokenTo(email);
        booker.doing = `confirms for ${email}`;
        await tries.untilDone(booker, (url) => confirm(createCaller(url), token));
        accepted.set(email, 'CONFIRMED');
      }
      booker.done += 1;
      await passed(PAUSE_MS);
    }
  }

  interface SentEmail {
    address: string;
    kind: string;
    messageId: string;
    sent: boolean;
    waits: boolean;
  }
  const emailsOf = async () =>
    (
      await db.execute<SentEmail & Record<string, unknown>>(sql`
        SELECT to_address AS address, kind, message_id AS "messageId", sent_at IS NOT NULL AS sent,
               sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL AS waits
          FROM outbox_emails WHERE to_address = ANY (${sql.param([...accepted.keys()])}::text[])`)
    ).rows;

  return {
    ...{ bookers, eventId },
    run: () => Promise.all(bookers.map(keepBooking)),

    async expectBookings() {
      const { rows } = await db.execute<{ email: string; states: string[]; asked: boolean }>(sql`
      SELECT email, array_agg(state) AS states,
             bool_and(EXISTS (SELECT FROM outbox_emails o
                               WHERE o.about = 'booking ' || b.id AND o.kind = 'bookings.held')) AS asked
        FROM bookings b WHERE event_id = ANY (${sql.param(eventIds)}::bigint[]) GROUP BY email`);
      expect(rows.length, 'no booking that nobody was told of').toBe(accepted.size);
      for (const { email, states, asked } of rows)
        expect([states, asked], email).toEqual([[accepted.get(email)], true]);
      const counts = { held: 0, confirmed: 0 };
      for (const id of eventIds) {
        const { held, confirmed } = await countsOf({ db }, id);
        expect(held).toBeLessThanOrEqual(maxHeld(PLACES));
        counts.held += held;
        counts.confirmed += confirmed;
      }
      const states = [...accepted.values()];
      expect(counts).toEqual({
        held: states.filter((state) => state === 'HELD').length,
        confirmed: states.filter((state) => state === 'CONFIRMED').length,
      });
    },

    async expectEmails() {
      if (smtp === null) return;
      const clock = createClock(db);
      await vi.waitUntil(
        async () => {
          const isDone = (await emailsOf()).every(({ waits }) => !waits);
          // What waits for a pause of the queue does not wait here.
          if (!isDone) await clock.move(MAIL_PAUSE_SECONDS);
          return isDone;
        },
        { ...WAIT, interval: 3_000 },
      );
      const emails = await emailsOf();
      const arrived = new Set(
        smtp.received.filter(({ to }) => accepted.has(to[0]!)).map(({ mail }) => mail.messageId!),
      );
      const lost = emails.filter(({ sent, messageId }) => sent && !arrived.has(messageId));
      expect(lost, 'what counts as sent has arrived').toEqual([]);
      for (const { messageId } of emails) arrived.delete(messageId);
      expect([...arrived], 'a copy, sent because an answer was lost, has the id of the first').toEqual([]);
      for (const [email, state] of accepted) {
        const confirmations = emails.filter(({ address, kind }) => address === email && kind === 'bookings.confirmed');
        const expected = state === 'CONFIRMED' ? [true] : [];
        expect(
          confirmations.map((one) => one.sent),
          'a confirmed booking has one email that says so',
        ).toEqual(expected);
      }
    },
  };
}
