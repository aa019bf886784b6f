/**
 * Who tries to book with an address that has a live booking: the owner of that address is told by letter, that of the hold
 * again or one that says that the place is theirs already, and nobody else learns anything. Where a place is asked for and
 * given, that letter is written with the answer; where an event is full, after it (rules 4 to 6 of the README).
 */
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Log } from '../../platform/log.ts';
import type { NewLetter, Outbox } from '../../platform/mail/outbox.ts';
import { newToken } from '../accounts/index.ts';
import type { EventRow, Events, Host } from '../events/index.ts';
import * as store from './bookings.store.ts';
import type { BookingMail, Recipient } from './bookings.types.ts';

/** A storm on a full event must not fill the memory: beyond this nothing is remembered. */
const WAITING_MAX = 20_000;
const TOGETHER = 500;

type Letters = Pick<BookingMail, 'heldLetter' | 'alreadyBookedLetter'>;

/** One person at one event, as a key. */
export const personOf = ({ eventId, emailNormalized }: { eventId: number; emailNormalized: string }): string =>
  `${eventId} ${emailNormalized}`;

/** Until when a live booking is held; null for a confirmed one. */
export const endOf = ({ heldUntil }: Pick<store.LiveBooking, 'heldUntil'>): Date | null =>
  heldUntil === null ? null : new Date(heldUntil);

/** The letter that fits: to confirm a hold, or (`heldUntil` null) that the place is theirs already. Not written yet, and about no booking yet. */
export function letterFor(
  mail: Letters,
  { heldUntil, ...given }: { event: EventRow; host: Host; to: Recipient; token: string; heldUntil: Date | null },
): NewLetter {
  return heldUntil === null ? mail.alreadyBookedLetter(given) : mail.heldLetter({ ...given, heldUntil });
}

/** Whose letter is written again: a live booking, or somebody who has none (`id` null). */
export type Whom = Pick<store.LiveBooking, 'email' | 'language' | 'heldUntil'> & { readonly id: number | null };

/**
 * Writes the letter about somebody's live booking once more, with a token of its own, in one statement. Where there is none the
 * same is put together and sent to the database, and it writes nothing: how long it takes tells nobody which it was.
 */
export async function writeAgain(
  tx: Tx,
  { mail, outbox }: { mail: Letters; outbox: Pick<Outbox, 'row'> },
  { event, host, whom }: { event: EventRow; host: Host; whom: Whom },
): Promise<void> {
  const { token, hash } = newToken();
  const heldUntil = endOf(whom);
  const letter = outbox.row(letterFor(mail, { event, host, to: whom, token, heldUntil }));
  await store.insertLetterAbout(tx, whom.id, letter, {
    tokenHash: hash,
    purpose: heldUntil === null ? 'private' : 'letter',
  });
}

export interface Try {
  readonly eventId: number;
  readonly emailNormalized: string;
  /** Whether a letter may go out; asked only for somebody who is known. */
  readonly mayWrite: () => Promise<boolean>;
}

export interface Known {
  /**
   * Somebody tried to book a full event with this address. Returns at once: a refusal costs a storm nothing that lasts, and what
   * waits here is lost with the process. Nobody was promised anything by it.
   */
  tell(one: Try): void;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
}

/** Makes it. In: the platform's parts, events and letters. */
export function createKnown({
  db,
  events,
  outbox,
  mail,
  log,
}: {
  db: Db;
  events: Pick<Events, 'lock' | 'host'>;
  outbox: Pick<Outbox, 'row'>;
  mail: Letters;
  log: Log;
}): Known {
  const waiting: Try[] = [];
  let running: Promise<void> | null = null;

  /** Writes the letter that fits what stands now. */
  async function write(one: Try): Promise<void> {
    await db.transaction(async (tx) => {
      const event = await events.lock(tx, one.eventId);
      const host = event === null ? null : await events.host(event.therapistId, tx);
      if (event === null || host === null) return;
      await store.expire(tx, one.eventId);
      const [live] = await store.findLiveOf(tx, [one]);
      if (live) await writeAgain(tx, { mail, outbox }, { event, host, whom: live });
    });
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.splice(0, TOGETHER);
      try {
        const known = new Set((await store.readLiveOf(db, some)).map(personOf));
        for (const one of some) if (known.has(personOf(one)) && (await one.mayWrite())) await write(one);
      } catch (error) {
        log.error({ err: error }, 'somebody who is booked could not be told of another try');
      }
    }
    running = null;
  }

  return {
    tell(one) {
      if (waiting.length >= WAITING_MAX) return;
      waiting.push(one);
      // In a turn of its own: the answer goes out first.
      running ??= new Promise((resolve) => setImmediate(() => resolve(work())));
    },
    async idle() {
      while (running) await running;
    },
  };
}
