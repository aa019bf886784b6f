/**
 * How long personal data is kept: the therapist's period, and the hourly work that erases what is older
 * (docs/product.md#12.4).
 */
import { getRetention, setRetention } from '@fieldroom/contract/retention';
import { Temporal } from 'temporal-polyfill';
import type { Feature } from '../../feature.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import * as store from './retention.store.ts';

/** What one run erased, as numbers. */
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
 * Makes the retention of personal data. Takes database, the product's clock, what erases ended bookings, and what other
 * parts remove of their own: each returns how many.
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
    const now = await clock.now();
    const [attendances, namedFields, lookBacks, attendees, clients] = [
      await store.eraseAttendances(db),
      await store.eraseFigureNames(db),
      await store.eraseLookBacks(db),
      await store.eraseAttendees(db),
      await store.removeClients(db),
    ];
    let waiting = 0;
    for (const zone of await store.zonesWithWaiting(db))
      waiting += await store.removeWaiting(db, zone, dayBegan(now, zone));
    return { attendances, namedFields, lookBacks, attendees, clients, waiting, ...(await eraseBookings()) };
  }

  /** Removes what only served a moment: solved captchas, old tokens and sign-ins, emails of last month. */
  async function purge(): Promise<Record<string, number>> {
    const removed: Record<string, number> = {};
    for (const one of purges) Object.assign(removed, await one());
    return removed;
  }

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
