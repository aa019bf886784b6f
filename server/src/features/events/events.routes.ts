/** The calls about events, each one call of the service. */
import type { Http } from '../../access.ts';
import * as calls from '@fieldroom/contract/events';
import { addressBlock } from '../../platform/limits.ts';
import type { EventPictures } from './pictures/events.pictures.ts';
import type { EventLists } from './lists/events.lists.ts';
import type { EventsService } from './events.service.ts';

/** Mounts the calls about events. The gates have checked whose event a call is about. */
export function eventsRoutes(
  http: Http,
  { service, lists, pictures }: { service: EventsService; lists: EventLists; pictures: EventPictures },
): void {
  http.handle(calls.saveEvent, ({ access, body }) => service.save(access.account.id, body), {
    bodyLimit: calls.EVENT_BODY_BYTES_MAX,
  });
  http.handle(calls.upcomingEvents, ({ access, params, query, body }) =>
    lists.upcoming(params.therapistName, body ?? {}, query, access.owner?.id ?? null),
  );
  http.handle(calls.cancelEvent, ({ body }) =>
    service.cancel(body.eventId, body.reason, body.cancelRepetitions ?? false),
  );
  http.handle(calls.deleteEvent, ({ params, query }) => service.remove(params.id, query.deleteRepetitions === 'true'));
  http.handle(calls.uploadEventImage, ({ access, params, query, file }) =>
    pictures.upload(access.account.id, params.eventId, file!.bytes, query.scope),
  );
  http.handle(calls.eventImage, ({ params, principal, ip }) =>
    pictures.show(params.eventId, params.fileName, {
      askerId: principal?.kind === 'account' ? principal.id : null,
      block: addressBlock(ip),
    }),
  );
  http.handle(calls.eventImages, ({ access }) => lists.pictures(access.id));
  http.handle(calls.distinctAddresses, ({ params }) => lists.distinctAddresses(params.id));
  http.handle(calls.distinctNames, ({ params }) => lists.distinctNames(params.id));
  http.handle(calls.latestEvent, ({ params }) => lists.latest(params.id));

  http.handle(calls.myEvents, ({ access, query, body: { list, ...filter } }) =>
    lists.mine(access.id, list, filter, query),
  );
  http.handle(calls.myEvent, ({ params }) => lists.own(params.eventId));
  http.handle(calls.previewEvent, ({ body }) => service.preview(body), { bodyLimit: calls.EVENT_BODY_BYTES_MAX });
  http.handle(calls.eventDefaults, ({ access }) => lists.defaults(access.id));
  http.handle(calls.publicTherapistPage, ({ params }) => lists.host(params.therapistName));
  http.handle(calls.publicEvent, ({ params }) => lists.publicEvent(params.therapistName, params.eventId));
}
