/** Bookings of events: the door. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { AccessValues, Principal } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Gates, Http } from '../../platform/http/http.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import { secretBytes } from '../accounts/index.ts';
import type { Clients } from '../clients/index.ts';
import type { BookingsOf, Events } from '../events/index.ts';
import { gates } from './bookings.gates.ts';
import { createHandles } from './bookings.handles.ts';
import { createHolds } from './bookings.holds.ts';
import { createKnown } from './bookings.known.ts';
import { bookingsRoutes } from './bookings.routes.ts';
import { createBookingsService } from './bookings.service.ts';
import * as store from './bookings.store.ts';
import type { BookingCalendar, BookingMail } from './bookings.types.ts';

export { createBookingCalendar } from './bookings.calendar.ts';
export { createBookingMail } from './bookings.mail.ts';
export type { BookingCalendar, BookingMail } from './bookings.types.ts';

/** PRODUCT 12. */
const ENDED_KEPT_DAYS = 30;
const HANDLES_KEPT_DAYS = 1;

export interface BookingsParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  events: Pick<Events, 'find' | 'lock' | 'host' | 'inviter' | 'onCancelling' | 'onChanging'>;
  outbox: Pick<Outbox, 'row' | 'withdraw'>;
  mail: BookingMail;
  calendar: BookingCalendar;
  limits: Pick<Limits, 'take' | 'allows' | 'giveBack' | 'addressBlock'>;
  config: Pick<Config, 'limits'>;
  clients: Pick<Clients, 'enterBooked'>;
  log: Log;
}

export interface Bookings {
  /** The live bookings of events, for answers to their owner. */
  readonly ofEvents: BookingsOf;
  readonly gates: Pick<Gates<Principal, AccessValues>, 'anyone, throttled' | 'token, only from our page'>;
  routes(http: Http): void;
  /** Takes personal data away where its time is over (PRODUCT 12); for a job every hour. */
  eraseOutdated(): Promise<void>;
  /** Resolves when everybody who waits was served and told; before the database closes. */
  idle(): Promise<void>;
}

/** Makes bookings. In: the platform's parts, events, letters, calendar files, clients. Source: PRODUCT 9, specification `events-and-booking`, SAFE. */
export function createBookings({
  db,
  clock,
  events,
  outbox,
  mail,
  calendar,
  limits,
  config,
  clients,
  log,
}: BookingsParts): Bookings {
  const service = createBookingsService({ db, clock, events, outbox, mail, calendar, limits, clients });
  const holds = createHolds({ db, clock, events, outbox, mail, openHolds: config.limits.openHolds.max });
  const known = createKnown({ db, events, outbox, mail, log });
  let secret: Promise<KeyObject> | null = null;
  const handles = createHandles({
    db,
    clock,
    events,
    outbox,
    mail,
    limits,
    config,
    holds,
    known,
    secret: () =>
      (secret ??= secretBytes(db, 'bookings')
        .then((bytes) => createSecretKey(bytes))
        .catch((fault: unknown) => {
          secret = null;
          throw fault;
        })),
  });
  events.onCancelling(service.onEventCancelling);
  events.onChanging(service.onEventChanging);
  return {
    ofEvents: service.ofEvents,
    gates,
    routes: (http) => bookingsRoutes(http, { service, handles }),
    async eraseOutdated() {
      await db.transaction((tx) => store.eraseEnded(tx, ENDED_KEPT_DAYS));
      await store.removeHandles(db, HANDLES_KEPT_DAYS);
    },
    async idle() {
      await holds.idle();
      await known.idle();
    },
  };
}
