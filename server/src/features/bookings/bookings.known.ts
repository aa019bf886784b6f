/**
 * Telling the owner of an address, after the answer was given, that somebody tried to book with it: by the letter of the hold
 * again, or by one that says that the place is theirs already. Nothing of it may show to whoever asked: the answer is out
 * before we look. What waits here is lost with the process; the letter of the booking itself is not.
 */
import type { Db } from '../../platform/db/db.ts';
import type { Log } from '../../platform/log.ts';
import { newToken } from '../accounts/index.ts';
import type { Events } from '../events/index.ts';
import * as store from './bookings.store.ts';
import type { BookingMail } from './bookings.types.ts';

/** A storm on a full event must not fill the memory: beyond this nothing is remembered. */
const WAITING_MAX = 20_000;
const TOGETHER = 500;

export interface Try {
  readonly eventId: number;
  readonly emailNormalized: string;
  /** Whether a letter may go out; a function is asked only for somebody who is known. */
  readonly letter: boolean | (() => Promise<boolean>);
}

export interface Known {
  /** Somebody tried to book with this address. Returns at once. */
  tell(one: Try): void;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
}

/** Makes it. In: the platform's parts, events and letters. */
export function createKnown({ db, events, mail, log }: { db: Db; events: Pick<Events, 'lock' | 'host'>; mail: BookingMail; log: Log }): Known {
  const waiting: Try[] = [];
  let running: Promise<void> | null = null;

  /** Writes the letter that fits what stands now. */
  async function write({ eventId, emailNormalized }: Try): Promise<void> {
    await db.transaction(async (tx) => {
      const event = await events.lock(tx, eventId);
      if (event === null) return;
      await store.expire(tx, eventId);
      const booking = await store.findLive(tx, eventId, emailNormalized);
      const host = booking === null ? null : await events.host(event.therapistId, tx);
      if (booking === null || host === null) return;
      const { token, hash } = newToken();
      if (booking.state === 'HELD') {
        await store.insertToken(tx, hash, booking.id, 'letter');
        await mail.held(tx, { booking, event, host, token, heldUntil: booking.heldUntil! });
      } else {
        await store.insertToken(tx, hash, booking.id, 'private');
        await mail.alreadyBooked(tx, { booking, event, host, privateToken: token });
      }
    });
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.splice(0, TOGETHER);
      try {
        const key = ({ eventId, emailNormalized }: { eventId: number; emailNormalized: string }) => `${eventId} ${emailNormalized}`;
        const known = new Set((await store.knownAmong(db, some)).map(key));
        for (const one of some) {
          if (!known.has(key(one))) continue;
          if (one.letter === false || (typeof one.letter === 'function' && !(await one.letter()))) continue;
          await write(one);
        }
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
