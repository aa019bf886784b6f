/**
 * People who book for a long time, over several nodes: they hold a place, read the email, confirm, cancel, decline, or
 * do nothing. At the end it checks that no place was lost, doubled or oversold, and no email lost or sent twice.
 */
import type pg from 'pg';
import {
  bookEvent,
  type BookingState,
  cancelBooking,
  CONFIRM_HEADER,
  confirmBooking,
  declineBooking,
  maxHeld,
} from '@fieldroom/contract/bookings';
import type { FakeSmtp } from '../../server/tests/support/programs/fake-smtp.ts';
import { taken } from './service/database.ts';
import type { Fieldroom } from './service/fieldroom.ts';
import { sleep, until } from './service/processes.ts';
import type { Tally } from './tally.ts';

/** The outcomes of bookings, in turns: most are cancelled, so that places become free again. */
const FATES = ['CANCELLED', 'DECLINED', 'CANCELLED', 'CONFIRMED', 'CANCELLED', 'HELD', 'CANCELLED'] as const;
/** An event that nobody can book at the moment is no fault. */
const RIGHT_REFUSALS = new Set(['event_full', 'event_holds_full']);
const PATIENCE_MS = 120_000;

interface BookingLoad {
  /** Starts everybody, also again after `stop`. */
  start(): void;
  /** Checks whether an event has more people than places at this moment. */
  look(pool: pg.Pool): Promise<void>;
  /** Nobody starts anything more. Resolves when everybody has finished. */
  stop(): Promise<void>;
  /** Compares the answers that people got with the database and the mailbox, once every email has been sent. */
  check(pool: pg.Pool): Promise<void>;
}

interface BookingLoadParts {
  readonly nodes: readonly Fieldroom[];
  readonly smtp: FakeSmtp;
  readonly eventIds: readonly number[];
  /** The number of places of each event. */
  readonly places: number;
  readonly people: number;
  /** The pause between two bookings of one person. */
  readonly pauseMs: number;
  readonly tally: Tally;
}

/** Creates the load. Nobody books before `start`. */
export function createBookingLoad({
  nodes,
  smtp,
  eventIds,
  places,
  people,
  pauseMs,
  tally,
}: BookingLoadParts): BookingLoad {
  /** The expected state of each booking, by its email address. */
  const wanted = new Map<string, { eventId: number; state: BookingState }>();
  /** The token of the first email to an address that waits to be read. */
  const tokens = new Map<string, string>();
  const messageIds = new Set<string>();
  let count = 0;
  let going = false;
  let working: Promise<unknown> = Promise.resolve();

  const onNode = (n: number) => nodes[n % nodes.length]!;

  /** Reads the emails that arrived. */
  function readMail(): void {
    for (const { to, mail } of smtp.take()) {
      tally.count('emails');
      const { messageId = '' } = mail;
      if (messageIds.has(messageId)) tally.broken('an email came twice');
      messageIds.add(messageId);
      const token = /#token=([\w-]{43})/.exec(mail.text ?? '')?.[1];
      const [address] = to;
      if (address !== undefined && token !== undefined && !tokens.has(address)) tokens.set(address, token);
    }
  }
  async function tokenTo(address: string): Promise<string> {
    await until(
      'the email of a hold',
      () => {
        readMail();
        return tokens.has(address);
      },
      PATIENCE_MS,
      50,
    );
    const token = tokens.get(address)!;
    // Later emails to it are not read.
    tokens.set(address, '');
    return token;
  }

  async function bookOnce(person: number): Promise<void> {
    const n = (count += 1);
    const eventId = eventIds[n % eventIds.length]!;
    const email = `booker${person}-${n}@bench.example`;
    const body = { firstName: 'Bench', lastName: `Booker ${n}`, email, phoneNumber: '+36 1 234 5678' };
    const refusal = await refusalOf(onNode(n).call(bookEvent, { params: { eventId }, body }));
    if (refusal !== null) {
      tally.count(`bookings refused: ${refusal}`);
      if (!RIGHT_REFUSALS.has(refusal)) tally.broken(`somebody could not book: ${refusal}`);
      return;
    }
    const wish: { eventId: number; state: BookingState } = { eventId, state: 'HELD' };
    wanted.set(email, wish);
    tally.count('places held');
    const token = await tokenTo(email);
    const fate = FATES[n % FATES.length]!;
    if (fate === 'HELD') return;
    if (fate === 'DECLINED') {
      await onNode(n + 1).call(declineBooking, { query: { token } });
      wish.state = 'DECLINED';
      return;
    }
    const headers = { [CONFIRM_HEADER]: '1' };
    const { bookingToken } = await onNode(n + 1).call(confirmBooking, { query: { token }, headers });
    wish.state = 'CONFIRMED';
    tally.count('places confirmed');
    if (fate === 'CONFIRMED') return;
    await onNode(n).call(cancelBooking, { body: { token: bookingToken } });
    wish.state = 'CANCELLED';
  }

  async function goOn(person: number): Promise<void> {
    while (going) {
      await bookOnce(person).catch((error: unknown) => tally.broken(`somebody could not go on: ${String(error)}`));
      await sleep(pauseMs);
    }
  }

  async function look(pool: pg.Pool): Promise<void> {
    for (const eventId of eventIds) {
      const { held, confirmed } = await taken(pool, [eventId]);
      if (held + confirmed > places || held > maxHeld(places)) tally.broken('an event is oversold');
    }
  }

  return {
    start() {
      going = true;
      working = Promise.all(Array.from({ length: people }, (_, person) => goOn(person)));
    },
    look,
    async stop() {
      going = false;
      await working;
    },
    async check(pool) {
      await until(
        'the last emails',
        async () => {
          const { rows } = await pool.query<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM outbox_emails
              WHERE sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL`,
          );
          return rows[0]!.waiting === 0;
        },
        PATIENCE_MS,
        200,
      );
      readMail();
      const { rows } = await pool.query<{ email: string; event_id: string; states: BookingState[]; asked: boolean }>(
        `SELECT email, min(event_id) AS event_id, array_agg(state) AS states,
                bool_and(EXISTS (SELECT FROM outbox_emails o
                                  WHERE o.about = 'booking ' || b.id AND o.kind = 'bookings.held'
                                    AND o.sent_at IS NOT NULL)) AS asked
           FROM bookings b WHERE event_id = ANY($1) GROUP BY email`,
        [eventIds],
      );
      const stored = new Map(rows.map((row) => [row.email, row]));
      for (const [email, { eventId, state }] of wanted) {
        const row = stored.get(email);
        if (row === undefined) tally.broken('a booking that was accepted is lost');
        else if (row.states.length !== 1 || Number(row.event_id) !== eventId) tally.broken('a booking is doubled');
        else if (!(row.states[0] === state || (state === 'HELD' && row.states[0] === 'EXPIRED')))
          tally.broken(`a booking is ${row.states[0]} and should be ${state}`);
        else if (!row.asked) tally.broken('a booking has no email');
      }
      if (stored.size !== wanted.size) tally.broken('there is a booking that nobody was told of');
      const { rows: lost } = await pool.query(
        `SELECT 1 FROM outbox_emails
          WHERE failed_at IS NOT NULL OR (sent_at IS NOT NULL AND NOT message_id = ANY($1))`,
        [[...messageIds]],
      );
      if (lost.length > 0) tally.broken('an email was given up, or counts as sent and did not come');
      await look(pool);
    },
  };
}

/** The code of a refused call, or null. Other faults are thrown. */
async function refusalOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    const code = /"code":"(\w+)"/.exec(String(error))?.[1];
    if (code === undefined) throw error;
    return code;
  }
}
