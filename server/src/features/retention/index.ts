/**
 * How long personal data is kept: the therapist's period, and the hourly work that erases what is older
 * (docs/product.md#12.4).
 */
import { getRetention, setRetention } from '@fieldroom/contract/retention';
import { isTimeZone } from '@fieldroom/contract/text/timeZones';
import { Temporal } from 'temporal-polyfill';
import type { Feature } from '../../feature.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import * as store from './retention.store.ts';

/** The results of one run, as numbers. */
interface Erased {
  attendances: number;
  /** Live sessions in whose stored field the figures lost their names. */
  namedFields: number;
  /** Live sessions that lost their moments and moves. */
  lookBacks: number;
  attendees: number;
  clients: number;
  waiting: number;
  /** Bookings that ended without a visit, and the handles of holds. */
  endedBookings: number;
  bookingHandles: number;
}

export interface Retention extends Required<Pick<Feature, 'routes' | 'scheduled'>> {
  /** Erases what is older than promised. */
  erase(): Promise<Erased>;
}

/** Returns the instant at which a day began in a time zone. Takes an instant of that day. */
function dayBegan(at: Date, timeZone: string): Date {
  return new Date(
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).startOfDay().epochMilliseconds,
  );
}

/**
 * Does all of the work, one piece after the other, and joins the numbers. A piece that fails does not stop the rest:
 * the first fault is thrown at the end.
 */
async function all(works: readonly (() => Promise<object>)[]): Promise<object> {
  const counts = {};
  const faults: unknown[] = [];
  for (const work of works) {
    try {
      Object.assign(counts, await work());
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
  return counts;
}

/**
 * Makes the retention of personal data. Takes database, the product's clock, the function that erases ended bookings,
 * and those by which other parts remove their own data: each returns a number.
 */
export function createRetention({
  db,
  clock,
  eraseBookings,
  purges,
}: {
  db: Db;
  clock: Pick<Clock, 'now'>;
  eraseBookings: () => Promise<Pick<Erased, 'endedBookings' | 'bookingHandles'>>;
  purges: readonly (() => Promise<object>)[];
}): Retention {
  /** Erases what is older than promised. */
  async function erase(): Promise<Erased> {
    const works: readonly (() => Promise<Partial<Erased>>)[] = [
      async () => ({ attendances: await store.eraseAttendances(db) }),
      async () => ({ namedFields: await store.eraseFigureNames(db) }),
      async () => ({ lookBacks: await store.eraseLookBacks(db) }),
      async () => ({ attendees: await store.eraseAttendees(db) }),
      async () => ({ clients: await store.removeClients(db) }),
      async () => ({ waiting: await removeWaiting() }),
      eraseBookings,
    ];
    return (await all(works)) as Erased;
  }

  async function removeWaiting(): Promise<number> {
    const now = await clock.now();
    let removed = 0;
    // A zone that was stored before its name was refused must not stop the erasure for all others.
    for (const zone of await store.zonesWithWaiting(db))
      removed += await store.removeWaiting(db, zone, dayBegan(now, isTimeZone(zone) ? zone : 'UTC'));
    return removed;
  }

  /** Removes short-lived data: solved captchas, old tokens and sign-ins, emails of last month. */
  const purge = async () => (await all(purges)) as Record<string, number>;

  return {
    routes(http) {
      http.handle(getRetention, async ({ access }) => ({ attendanceMonths: await store.readMonths(db, access.id) }));
      http.handle(setRetention, async ({ access, body }) => {
        await store.writeMonths(db, access.id, body.attendanceMonths);
        return body;
      });
    },
    erase,
    scheduled: [
      { type: 'RETENTION', schedule: '17 * * * *', timeZone: 'UTC', run: async () => ({ ...(await erase()) }) },
      { type: 'PURGE_LOGS', schedule: '47 * * * *', timeZone: 'UTC', run: purge },
    ],
  };
}
