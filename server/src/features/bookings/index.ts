/** Bookings of events. */
import { createSecretKey } from 'node:crypto';
import type { Gates } from '../../access.ts';
import type { Feature } from '../../feature.ts';
import { createAfterAnswer } from '../../platform/scheduling/after-answer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Log } from '../../platform/monitoring/log.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { once } from '../../platform/small.ts';
import { createTurns } from '../../platform/scheduling/turns.ts';
import { type Clients, createThrottle } from '../clients/index.ts';
import type { BookingsOf, Events } from '../events/index.ts';
import { gates } from './bookings.gates.ts';
import { type Book, createBook } from './taking/bookings.book.ts';
import { createHolds } from './taking/bookings.holds.ts';
import { createKnownAddresses } from './taking/bookings.known-addresses.ts';
import { createPlaces } from './taking/bookings.places.ts';
import { createNotices, createUnprovenLimits } from './emails/bookings.email-limits.ts';
import { createLinksByAddress } from './emails/bookings.links-by-address.ts';
import { createLinks, type LinkThrottle } from './bookings.links.ts';
import { readLatest } from './lists/bookings.latest.store.ts';
import { bookingsRoutes } from './bookings.routes.ts';
import { attendeeSearch } from './lists/bookings.search.store.ts';
import { createBookingsService } from './bookings.service.ts';
import * as store from './bookings.store.ts';
import type { PersonActListener } from './bookings.types.ts';
import { createBookingCalendar } from './calendar/bookings.calendar.ts';
import { type BookingEmailsParts, createBookingEmails } from './emails/bookings.emails.ts';

/** Then their personal data is erased (docs/product.md#12.4). */
const ENDED_KEPT_DAYS = 30;
const HANDLES_KEPT_DAYS = 1;

export interface BookingsParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  events: Pick<Events, 'find' | 'lock' | 'host' | 'inviter' | 'onCancelling' | 'onChanging'>;
  outbox: Pick<Outbox, 'prepareWords' | 'prepareAddress' | 'withdraw' | 'states'> & BookingEmailsParts['outbox'];
  limits: Pick<
    Limits,
    'take' | 'allows' | 'counter' | 'allowsTogether' | 'takeTogether' | 'countTogether' | 'addressBlock'
  >;
  config: Pick<Config, 'limits' | 'databaseTimeoutMs' | 'publicUrl'>;
  secrets: Secrets;
  clients: Pick<Clients, 'enterBooked'>;
  log: Log;
  /** Slows down people who guess links. The default has the configured limits. */
  throttle?: LinkThrottle;
}

export interface Bookings extends Required<Pick<Feature, 'routes' | 'search' | 'metrics' | 'stopTaking' | 'stop'>> {
  /** Books a place: see `taking/bookings.book.ts`. */
  readonly book: Book;
  /** The live bookings of events, for answers to their owner. */
  readonly ofEvents: BookingsOf;
  readonly gates: Pick<Gates, 'anyoneThrottled' | 'fromOurPage'>;
  /** Calls a listener inside the transaction in which a person confirms a booking, or cancels a confirmed one. */
  onPersonActed(listener: PersonActListener): void;
  /** Erases personal data of bookings that ended 30 days ago, and removes handles after a day. Returns the numbers. */
  eraseOutdated(): Promise<{ endedBookings: number; bookingHandles: number }>;
  /** Resolves when nobody waits for a place or an email. */
  idle(): Promise<void>;
}

/** The number of acts on one event that have a connection at the same time. All of them wait for the event's row. */
const TURNS = 3;

/**
 * Creates bookings from the platform, events and clients. Rules: docs/product.md#9 and #13.
 */
export function createBookings({
  db,
  clock,
  events,
  outbox,
  limits,
  config,
  secrets,
  clients,
  log,
  throttle = createThrottle({ limits, limit: config.limits.wrongCode, roomsLimit: config.limits.wrongCodeRooms }),
}: BookingsParts): Bookings {
  const { publicUrl } = config;
  const calendar = createBookingCalendar({ publicUrl });
  const mail = createBookingEmails({ outbox, publicUrl, calendar, clock });
  const turns = createTurns({ together: TURNS, waitMs: config.databaseTimeoutMs });
  const links = createLinks({ db, limits, throttle });
  const listeners: PersonActListener[] = [];
  const service = createBookingsService({
    db,
    turns,
    clock,
    events,
    outbox,
    mail,
    links,
    calendar,
    limits,
    notices: createNotices({ limits, config }),
    clients,
    async personActed(...told) {
      for (const listener of listeners) await listener(...told);
    },
  });
  const places = createPlaces({ db, clock, events, outbox, mail, openHolds: config.limits.openHolds.max });
  const unprovenLimits = createUnprovenLimits({ limits, config });
  const knownAddresses = createKnownAddresses({ db, events, outbox, mail, unprovenLimits, log });
  const afterAnswer = createAfterAnswer(log);
  const sendLinks = createLinksByAddress({ db, events, mail, limits, config, unprovenLimits, afterAnswer });
  const secret = once(async () => createSecretKey(await secrets.get('bookings')));
  const book = createBook({ limits, config, unprovenLimits, places, knownAddresses, secret });
  const holds = createHolds({
    db,
    turns,
    clock,
    events,
    outbox,
    mail,
    limits,
    config,
    unprovenLimits,
    places,
    links,
  });
  events.onCancelling(service.onEventsCancelling);
  events.onChanging(service.onEventsChanging);
  async function eraseOutdated(): Promise<{ endedBookings: number; bookingHandles: number }> {
    const endedBookings = await db.transaction((tx) => store.eraseEnded(tx, ENDED_KEPT_DAYS));
    return { endedBookings, bookingHandles: await store.removeHandles(db, HANDLES_KEPT_DAYS) };
  }
  async function idle(): Promise<void> {
    await places.idle();
    await knownAddresses.idle();
    await afterAnswer.idle();
  }
  return {
    book,
    ofEvents: service.ofEvents,
    gates,
    onPersonActed: (listener) => void listeners.push(listener),
    routes: (http) =>
      bookingsRoutes(http, { book, holds, service, sendLinks, latest: (therapistId) => readLatest(db, therapistId) }),
    search: [attendeeSearch(db)],
    metrics: [{ name: 'bookings_held', help: 'Places held and not confirmed yet', read: () => store.countHeld(db) }],
    eraseOutdated,
    idle,
    stopTaking: () => throttle.stop(),
    async stop() {
      await afterAnswer.stop();
      await idle();
    },
  };
}
