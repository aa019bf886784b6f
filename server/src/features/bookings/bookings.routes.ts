/** The calls about bookings, each one call of a service. Specification `events-and-booking` 7, and our own. */
import * as calls from '@fieldroom/contract/bookings';
import type { FastifyRequest } from 'fastify';
import type { Http } from '../../platform/http/http.ts';
import type { Handles } from './bookings.handles.ts';
import type { BookingsService } from './bookings.service.ts';

export function bookingsRoutes(http: Http, { service, handles }: { service: BookingsService; handles: Handles }): void {
  // A browser that opens the address itself is led to the page with the button, before anything of it is looked at.
  http.fastify.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === calls.confirmBooking.path && isOpenedAsPage(request))
      return reply.header('cache-control', 'no-store').redirect(pageOf(request), 303);
  });

  http.handle(calls.listBookings, ({ params }) => service.list(params.eventId));
  http.handle(calls.addParticipant, ({ access, params, body }) => service.add(access.account.id, params.eventId, body));
  http.handle(calls.bookEvent, ({ params, body, ip }) => handles.book(params.eventId, body, ip));
  http.handle(calls.deleteParticipant, ({ params, body }) =>
    service.remove(params.eventId, body.participant.email, body.reason ?? ''),
  );
  http.handle(calls.confirmBooking, ({ query }) => service.confirm(query.token));
  http.handle(calls.declineBooking, ({ query }) => service.decline(query.token));

  http.handle(calls.resendHold, ({ body, ip }) => handles.resend(body.handle, ip));
  http.handle(calls.correctHold, ({ body, ip }) => handles.correct(body.handle, body.email, ip));
  http.handle(calls.lookAtLetter, ({ body }) => service.lookAtLetter(body.token));
  http.handle(calls.viewBooking, ({ body }) => service.view(body.token));
  http.handle(calls.cancelBooking, ({ body }) => service.cancel(body.token));
  http.handle(calls.bookingCalendar, async ({ body }) => {
    const { filename, bytes } = await service.calendarFile(body.token);
    // What the file does (METHOD) stands in it; the contract's type is the bare one.
    return {
      contentType: 'text/calendar',
      bytes,
      headers: { 'content-disposition': `attachment; filename="${filename}"` },
    };
  });
  http.handle(calls.enterBookedRoom, ({ body }) => service.enter(body.token));
}

/** A GET that asks for a page and does not come from our page's code. */
function isOpenedAsPage({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'GET' && headers[calls.CONFIRM_HEADER] === undefined && (headers.accept ?? '').includes('text/html')
  );
}

/** The page behind the letter; its token moves from the query to the fragment, which no log and no referrer sees. */
function pageOf({ query }: FastifyRequest): string {
  const token = (query as { token?: unknown }).token;
  return typeof token === 'string' && /^[\w-]{1,200}$/.test(token) ? `/event/confirm#token=${token}` : '/event/confirm';
}
