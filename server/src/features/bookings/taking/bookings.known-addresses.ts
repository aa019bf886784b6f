/**
 * Informs the owner of an address with a live booking when somebody tries to book with it. They get the email of the
 * hold again, or one that says that the place is theirs already. Nobody else learns anything. If a place is taken, the
 * statement writes that email; if the event is full, it is written here, after the answer (rules 4 to 6).
 */
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Log } from '../../../platform/monitoring/log.ts';
import type { NewEmail, Outbox } from '../../../platform/mail/outbox.ts';
import { newToken } from '../../../platform/tokens.ts';
import type { EventRow, Events, Host } from '../../events/index.ts';
import { expire } from '../bookings.store.ts';
import * as store from './bookings.taking.store.ts';
import type { BookingEmails, Recipient } from '../bookings.types.ts';
import type { UnprovenLimits } from '../emails/bookings.email-limits.ts';

/** A crowd at a full event must not fill the memory: beyond this number nothing is remembered. */
const WAITING_MAX = 20_000;
/** Attempts that are looked up together. */
const BATCH_SIZE = 2_000;
/** Minimum time between two look-ups, so that a crowd causes only a few. Nobody waits for these emails. */
const APART_MS = 100;

type Emails = Pick<BookingEmails, 'heldEmail' | 'alreadyBookedEmail'>;

/** One person at one event, as a key. */
export const personOf = ({ eventId, emailNormalized }: Attempt): string => `${eventId} ${emailNormalized}`;

/** The end of a hold; null for a confirmed booking. */
export const endOf = ({ heldUntil }: Pick<store.LiveBooking, 'heldUntil'>): Date | null =>
  heldUntil === null ? null : new Date(heldUntil);

/**
 * Composes the email that fits: to confirm a hold, or (`heldUntil` null) that the place is theirs already. It is not
 * written yet, and about no booking yet.
 */
export function emailFor(
  mail: Emails,
  {
    heldUntil,
    ...given
  }: {
    event: EventRow;
    host: Host;
    to: Recipient;
    places: number;
    token: string;
    heldUntil: Date | null;
  },
): NewEmail {
  return heldUntil === null ? mail.alreadyBookedEmail(given) : mail.heldEmail({ ...given, heldUntil });
}

/** The person who gets an email again, from a live booking; or somebody who has none (`id` null). */
export type Whom = Pick<store.LiveBooking, 'email' | 'language' | 'places' | 'heldUntil'> & {
  readonly id: number | null;
};

/**
 * Writes the email about somebody's live booking again, with a new token, in one statement. If there is none, the same
 * is composed and sent to the database, which writes nothing, so that the time reveals nothing.
 */
export async function writeAgain(
  tx: Tx,
  { mail, outbox }: { mail: Emails; outbox: Pick<Outbox, 'prepareWords' | 'prepareAddress'> },
  { event, host, whom }: { event: EventRow; host: Host; whom: Whom },
): Promise<void> {
  const { token, hash } = newToken();
  const heldUntil = endOf(whom);
  const words = outbox.prepareWords(
    emailFor(mail, { event, host, to: whom, places: whom.places, token, heldUntil }),
    token,
  );
  await store.insertEmailAbout(
    tx,
    whom.id,
    { ...outbox.prepareAddress(whom.email), words },
    { token, tokenHash: hash, purpose: heldUntil === null ? 'private' : 'email' },
  );
}

/** One person at one event. */
interface Attempt {
  readonly eventId: number;
  readonly emailNormalized: string;
}

/** One person with attempts that wait, or are being looked up. */
interface OpenPerson extends Attempt {
  readonly key: string;
  attempts: number;
  /** The person got a place after these attempts. */
  isOvertaken: boolean;
}

export interface KnownAddresses {
  /**
   * Somebody tried to book a full event with this address. Returns at once. Waiting emails are lost when the process
   * ends; nobody was promised one.
   */
  tell(one: Attempt): void;
  /**
   * This person has got a place. Their earlier attempts were refused while they had none, so no email is written about
   * those. Takes the event and the address.
   */
  forget(person: Attempt): void;
  /** Resolves when nothing is left to write. */
  idle(): Promise<void>;
}

/** Makes the writer of these emails. It writes them one after the other. */
export function createKnownAddresses({
  db,
  events,
  outbox,
  mail,
  unprovenLimits,
  log,
}: {
  db: Db;
  events: Pick<Events, 'lock' | 'host'>;
  outbox: Pick<Outbox, 'prepareWords' | 'prepareAddress'>;
  mail: Emails;
  /** Counts the emails. Asked only if the address has a live booking. */
  unprovenLimits: Pick<UnprovenLimits, 'allows'>;
  log: Log;
}): KnownAddresses {
  /** The people whose attempts wait, once for each attempt: in a rush an object for each would outlive two
   * collections. */
  const waiting: OpenPerson[] = [];
  /** People about whose attempts an email may still be written, by key. */
  const open = new Map<string, OpenPerson>();
  let running: Promise<void> | null = null;
  let lookedUpMs = -Infinity;
  /** Callers that wait for the end; while there are any, no look-up waits for more attempts. */
  let idlers = 0;
  let endPause = () => {};

  const failed = (error: unknown) =>
    log.error({ err: error }, 'an email about another attempt to book could not be written');

  /** Writes the email that fits now, if there is one and the address may get it. */
  function write(one: OpenPerson): Promise<void> {
    return db.transaction(async (tx) => {
      const event = await events.lock(tx, one.eventId);
      if (one.isOvertaken) return;
      const host = event === null ? null : await events.host(event.therapistId, tx);
      if (event === null || host === null) return;
      await expire(tx, one.eventId);
      const [live] = await store.findLiveOf(tx, [one]);
      if (live === undefined || !(await unprovenLimits.allows(tx, one.eventId, one.emailNormalized))) return;
      await writeAgain(tx, { mail, outbox }, { event, host, whom: live });
    });
  }

  async function writeAll(some: readonly OpenPerson[]): Promise<void> {
    const known = new Set((await store.readLiveOf(db, [...new Set(some)])).map(personOf));
    // One that fails, because its event is locked for long, must not keep the others.
    for (const one of some) if (!one.isOvertaken && known.has(one.key)) await write(one).catch(failed);
  }

  /** No email is written about this attempt any more. */
  function close(person: OpenPerson): void {
    person.attempts -= 1;
    if (person.attempts === 0 && open.get(person.key) === person) open.delete(person.key);
  }

  /** Waits until the last look-up is long enough ago, unless enough attempts for one wait already. */
  async function pause(): Promise<void> {
    const restMs = lookedUpMs + APART_MS - performance.now();
    if (restMs <= 0 || idlers > 0 || waiting.length >= BATCH_SIZE) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, restMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      await pause();
      lookedUpMs = performance.now();
      const some = waiting.splice(0, BATCH_SIZE).filter((person) => !person.isOvertaken);
      if (some.length > 0) await writeAll(some).catch(failed);
      some.forEach(close);
    }
    running = null;
  }

  return {
    tell({ eventId, emailNormalized }) {
      if (waiting.length >= WAITING_MAX) return;
      const key = personOf({ eventId, emailNormalized });
      let person = open.get(key);
      if (person === undefined)
        open.set(key, (person = { eventId, emailNormalized, key, attempts: 0, isOvertaken: false }));
      person.attempts += 1;
      waiting.push(person);
      // In a later turn, so that the answer goes out first.
      running ??= new Promise((resolve) => setImmediate(() => resolve(work())));
    },
    forget(person) {
      const key = personOf(person);
      const known = open.get(key);
      if (known === undefined) return;
      known.isOvertaken = true;
      open.delete(key);
    },
    async idle() {
      idlers += 1;
      endPause();
      while (running) await running;
      idlers -= 1;
    },
  };
}
