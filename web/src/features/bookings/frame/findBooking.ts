/**
 * Behind the address of one's own booking: somebody looks for it, and has no link. The page sends the links again.
 */
import { OWN_BOOKING_PAGE } from '@fieldroom/contract/pages';

const FIND = 'find';

export const FIND_BOOKING_PAGE = `${OWN_BOOKING_PAGE}?${FIND}`;

/** Whether an address asks for it. Takes its query; programs that pass an address on may have added something. */
export const looksForBooking = (query: string): boolean => new URLSearchParams(query).has(FIND);
