/**
 * The calls of the public pages, without schemas. Nobody's sign-in goes along: whoever opens these pages, a therapist too,
 * sees and does what everybody may.
 */
import type { getPublicConfig } from '@fieldroom/contract/accounts';
import type {
  bookEvent,
  bookingCalendar,
  cancelBooking,
  confirmBooking,
  contact,
  correctHold,
  declineBooking,
  enterBookedRoom,
  lookAtLetter,
  resendHold,
  viewBooking,
} from '@fieldroom/contract/bookings';
import type { publicEvent, PublicHost, publicTherapistPage, upcomingEvents } from '@fieldroom/contract/events';
import { address } from '../../platform/api/address.ts';
import { type Api, createApi } from '../../platform/api/api.ts';
import { createStore } from '../../platform/storage.ts';

/** Method and path of each call; calls.test.ts compares them with the contract. */
export const CALLS = {
  publicEvent: address<typeof publicEvent>('GET', '/api/public/event/{therapistName}/{eventId}'),
  therapistPage: address<typeof publicTherapistPage>('GET', '/api/public/events/{therapistName}'),
  upcoming: address<typeof upcomingEvents>('POST', '/api/event/upcoming/{therapistName}'),
  book: address<typeof bookEvent>('POST', '/api/event-booking/user/{eventId}'),
  resend: address<typeof resendHold>('POST', '/api/public/booking/resend'),
  correct: address<typeof correctHold>('POST', '/api/public/booking/correct'),
  look: address<typeof lookAtLetter>('POST', '/api/public/booking/look'),
  confirm: address<typeof confirmBooking>('GET', '/api/event-booking/confirm'),
  decline: address<typeof declineBooking>('POST', '/api/event-booking/decline'),
  view: address<typeof viewBooking>('POST', '/api/public/booking/view'),
  cancel: address<typeof cancelBooking>('POST', '/api/public/booking/cancel'),
  calendar: address<typeof bookingCalendar>('POST', '/api/public/booking/calendar'),
  enter: address<typeof enterBookedRoom>('POST', '/api/public/booking/enter'),
  contact: address<typeof contact>('POST', '/api/support/contact'),
  config: address<typeof getPublicConfig>('GET', '/api/public/config'),
};

/** A store of nobody: no token goes out, and nothing is kept. */
function nobody() {
  const closed = (): Storage => {
    throw new Error('closed');
  };
  return createStore(closed, closed);
}

export const api: Api = createApi({ store: nobody() });

/** Confirms by a letter's token. The header says that our page's code asks, after its button was pressed (SAFE). */
const confirming = createApi({
  store: nobody(),
  fetch: (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), 'x-fieldroom-confirm': '1' } }),
});
export const confirmByLetter = (token: string) => confirming.call(CALLS.confirm, { query: { token } });

/** Writes to a therapist: the header decides who gets it, the names have to match (PRODUCT 9). */
export function writeTo(host: PublicHost, letter: { email: string; message: string }): Promise<void> {
  const store = nobody();
  store.set('therapist', { id: host.id, roles: [], joinLink: host.therapistName });
  return createApi({ store }).call(CALLS.contact, {
    body: { ...letter, firstName: host.firstName, lastName: host.lastName },
  });
}

/** Where a picture of an event is shown from. */
export const pictureOf = (event: { id: number; files: readonly string[] }): string | null =>
  event.files[0] === undefined ? null : `/api/event/image/${event.id}/${encodeURIComponent(event.files[0])}`;
