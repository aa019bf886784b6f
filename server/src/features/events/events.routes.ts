/** The calls about events, each one call of the service. Specification `events-and-booking` 7, and our own. */
import * as calls from '@fieldroom/contract/events';
import type { Http } from '../../platform/http/http.ts';
import type { EventsImages } from './events.images.ts';
import type { EventsReads } from './events.reads.ts';
import type { EventsService } from './events.service.ts';

export function eventsRoutes(
  http: Http,
  { service, reads, images }: { service: EventsService; reads: EventsReads; images: EventsImages },
): void {
  http.handle(calls.saveEvent, ({ access, body }) => service.save(access.account.id, body));
  http.handle(calls.upcomingEvents, ({ access, params, query, body }) =>
    reads.upcoming(params.therapistName, body ?? {}, query, access.owner?.id ?? null),
  );
  http.handle(calls.cancelEvent, ({ body }) =>
    service.cancel(body.eventId, body.reason, body.cancelRepetitions ?? false),
  );
  http.handle(calls.deleteEvent, ({ params, query }) => service.remove(params.id, query.deleteRepetitions === 'true'));
  http.handle(
    calls.uploadEventImage,
    ({ access, params, query, file }) => images.upload(access.account.id, params.eventId, file!.bytes, query.scope),
    { upload: { maxBytes: calls.IMAGE_BYTES_MAX } },
  );
  http.handle(calls.eventImage, ({ params, principal }) =>
    images.show(params.eventId, params.fileName, principal?.kind === 'account' ? principal.id : null),
  );
  http.handle(calls.eventImages, ({ access }) => reads.pictures(access.id));
  http.handle(calls.distinctAddresses, ({ params }) => reads.distinctAddresses(params.id));
  http.handle(calls.distinctNames, ({ params }) => reads.distinctNames(params.id));
  http.handle(calls.latestEvent, ({ params }) => reads.latest(params.id));

  http.handle(calls.myEvents, ({ access, query, body: { list, ...filter } }) =>
    reads.mine(access.id, list, filter, query),
  );
  http.handle(calls.myEvent, ({ params }) => reads.own(params.eventId));
  http.handle(calls.publicTherapistPage, ({ params }) => reads.host(params.therapistName));
  http.handle(calls.publicEvent, ({ params }) => reads.publicEvent(params.therapistName, params.eventId));
}
