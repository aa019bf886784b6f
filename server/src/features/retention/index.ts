/**
 * How long personal data is kept: the therapist's period, and the hourly work that erases what is older
 * (docs/product.md#12.4).
 */
import { getRetention, setRetention } from '@fieldroom/contract/retention';
import { Temporal } from 'temporal-polyfill';
import { erasing, type Feature } from '../../feature.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Log } from '../../platform/log.ts';
import * as store from './retention.store.ts';

/** What one run erased, as numbers. */
interface Erased {
  attendances: number;
  /** Live sessions in whose stored field the figures lost their names. */
  namedFields: number;
  attendees: number;
  clients: number;
  waiting: number;
}

export interface Retention extends Required<Pick<Feature, 'routes' | 'jobs'>> {
  /** Erases what is older than promised. */
  erase(): Promise<Erased>;
}

/** Returns the instant at which a day began in a time zone. Takes an instant of that day. */
function dayBegan(at: Date, timeZone: string): Date {
  return new Date(
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).startOfDay().epochMilliseconds,
  );
}

/** Makes the retention of personal data. Takes database, the product's clock, and the log for what was erased. */
export function createRetention({
  db,
  clock,
  log,
}: {
  db: Db;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'info'>;
}): Retention {
  /** Erases what is older than promised. */
  async function erase(): Promise<Erased> {
    const now = await clock.now();
    const [attendances, namedFields, attendees, clients] = [
      await store.eraseAttendances(db),
      await store.eraseFigureNames(db),
      await store.eraseAttendees(db),
      await store.removeClients(db),
    ];
    let waiting = 0;
    for (const zone of await store.zonesWithWaiting(db))
      waiting += await store.removeWaiting(db, zone, dayBegan(now, zone));
    return { attendances, namedFields, attendees, clients, waiting };
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
    jobs: [erasing({ name: 'retention.erase', erase, log })],
  };
}
