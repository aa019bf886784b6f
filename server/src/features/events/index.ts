/** Events that people book. */
import type { Clock } from '../../platform/clock.ts';
import type { Limit } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Files } from '../../platform/files/files.ts';
import type { Limits } from '../../platform/limits.ts';
import type { PictureWork } from '../../platform/files/picture-work.ts';
import { createGates } from './events.gates.ts';
import { renderJpeg, renderPicture } from '../../platform/files/pictures.ts';
import { createPictures } from './pictures/events.pictures.ts';
import { eventsPages } from './pages/events.pages.ts';
import { type BookingsOf, createEventLists } from './lists/events.lists.ts';
import { eventSearch } from './lists/events.search.store.ts';
import { eventsRoutes } from './events.routes.ts';
import { createEventsService } from './events.service.ts';
import * as store from './events.store.ts';
import type { CancelledEvents, EventChange, Events } from './events.types.ts';

export { listOf, nextFirst } from './lists/events.search.store.ts';
export type { BookingsOf } from './lists/events.lists.ts';
export type { CancelledEvents, EventChange, EventRow, Events, Host, Inviter } from './events.types.ts';

export interface EventsParts {
  db: Db;
  clock: Clock;
  files: Files;
  limits: Pick<Limits, 'take'>;
  pictureWork: PictureWork;
  /** Uploads per hour and therapist (`config.limits.uploads`). */
  uploadLimit: Limit;
  /** The service's address, for the head of public pages. */
  publicUrl: string;
  /** The live bookings of events, for their owner. Bookings import events, so `app.ts` passes this in. */
  bookingsOf: BookingsOf;
}

/**
 * Creates events from the platform and the bookings. Rules: docs/product.md#9.
 */
export function createEvents({
  db,
  clock,
  files,
  limits,
  pictureWork,
  uploadLimit,
  publicUrl,
  bookingsOf,
}: EventsParts): Events {
  const cancelling: ((tx: Tx, cancelled: CancelledEvents) => Promise<void>)[] = [];
  const changing: ((tx: Tx, changes: readonly EventChange[]) => Promise<number>)[] = [];
  const service = createEventsService({
    db,
    clock,
    files,
    limits,
    listeners: {
      async onCancelling(tx, cancelled) {
        for (const listener of cancelling) await listener(tx, cancelled);
      },
      async onChanging(tx, changes) {
        let emails = 0;
        for (const listener of changing) emails += await listener(tx, changes);
        return emails;
      },
    },
  });
  const lists = createEventLists({ db, bookingsOf });
  const pictures = createPictures({
    db,
    files,
    limits,
    pictureWork,
    uploadLimit,
    dropUnused: service.dropUnused,
    render: renderPicture,
    renderShare: renderJpeg,
  });
  return {
    find: (eventId, queries = db) => store.findEvent(queries, eventId),
    lock: store.lockEvent,
    host: (therapistId, queries = db) => store.findHost(queries, therapistId),
    inviter: (therapistId, queries = db) => store.findInviter(queries, therapistId),
    onCancelling: (listener) => void cancelling.push(listener),
    onChanging: (listener) => void changing.push(listener),
    cancel: service.cancel,
    gates: createGates({
      ownerOf: (eventId) => store.findOwner(db, eventId),
      hostIdOf: async (therapistName) => (await store.findHostByName(db, therapistName))?.id ?? null,
    }),
    pages: (http, web) => eventsPages(http, web, { lists, publicUrl }),
    search: [eventSearch(db)],
    routes: (http) => eventsRoutes(http, { service, lists, pictures }),
  };
}
