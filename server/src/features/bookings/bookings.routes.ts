/** The calls about bookings, each one call of a service. */
import type { Http } from '../../access.ts';
import * as calls from '@fieldroom/contract/bookings';
import { CONFIRM_PAGE } from '@fieldroom/contract/pages';
import type { FastifyRequest } from 'fastify';
import type { LatestBooking } from '@fieldroom/contract/bookings';
import type { Book } from './taking/bookings.book.ts';
import type { Holds } from './taking/bookings.holds.ts';
import type { SendLinksByAddress } from './emails/bookings.links-by-address.ts';
import type { BookingsService } from './bookings.service.ts';

/**
 * Mounts the calls about bookings, and leads a browser that opens the address to confirm to the page with the button
 * (docs/product.md#9.8).
 */
export function bookingsRoutes(
  http: Http,
  {
    book,
    holds,
    service,
    sendLinks,
    latest,
  }: {
    book: Book;
    holds: Holds;
    service: BookingsService;
    sendLinks: SendLinksByAddress;
    latest: (therapistId: number) => Promise<LatestBooking[]>;
  },
): void {
  // A browser that opens the address itself is redirected to the page with the button before anything is looked up.
  http.fastify.addHook('onRequest', (request, reply, done) => {
    if (isOpenedAsPage(request) && request.routeOptions.url === calls.confirmBooking.path)
      void reply.header('cache-control', 'no-store').redirect(pageOf(request), 303);
    else done();
  });

  http.handle(calls.listBookings, ({ params }) => service.list(params.eventId));
  http.handle(calls.addAttendee, ({ access, params, body }) => service.add(access.account.id, params.eventId, body));
  http.handle(calls.bookEvent, ({ params, body, ip }) => book(params.eventId, body, ip));
  http.handle(calls.removeAttendee, ({ params, body }) =>
    service.remove(params.eventId, body.participant.email, body.reason ?? ''),
  );
  http.handle(calls.confirmBooking, ({ query, ip }) => service.confirm(query.token, ip));
  http.handle(calls.declineBooking, ({ query, ip }) => service.decline(query.token, ip));

  http.handle(calls.lookAtHold, ({ body, ip }) => holds.look(body.handle, ip));
  http.handle(calls.resendHold, ({ body, ip }) => holds.resend(body.handle, ip));
  http.handle(calls.correctHold, ({ body, ip }) => holds.correct(body.handle, body.email, ip));
  http.handle(calls.lookAtConfirmLink, ({ body, ip }) => service.lookAtConfirmLink(body.token, ip));
  http.handle(calls.viewBooking, ({ body, ip }) => service.view(body.token, ip));
  http.handle(calls.cancelBooking, ({ body, ip }) => service.cancel(body.token, ip));
  http.handle(calls.sendBookingLink, ({ body, ip }) => service.sendLink(body.token, ip));
  http.handle(calls.sendBookingLinks, ({ body, ip }) => sendLinks(body.email, ip));
  http.handle(calls.bookingCalendar, async ({ body, ip }) => {
    const { filename, bytes } = await service.calendarFile(body.token, ip);
    // The content type in the contract has no METHOD; the file itself contains it.
    return {
      contentType: 'text/calendar',
      bytes,
      headers: { 'content-disposition': `attachment; filename="${filename}"` },
    };
  });
  http.handle(calls.getLatestBookings, ({ access }) => latest(access.id));
  http.handle(calls.enterBookedRoom, ({ body, ip }) => service.enter(body.token, ip));
}

/** Whether this is a GET for a page that was not sent by our page's code. */
function isOpenedAsPage({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'GET' && headers[calls.CONFIRM_HEADER] === undefined && (headers.accept ?? '').includes('text/html')
  );
}

/** The page behind the email. Its token moves from the query to the fragment, which reaches no log and no referrer. */
function pageOf({ query }: FastifyRequest): string {
  const token = (query as { token?: unknown }).token;
  return typeof token === 'string' && /^[\w-]{1,200}$/.test(token) ? `${CONFIRM_PAGE}#token=${token}` : CONFIRM_PAGE;
}
