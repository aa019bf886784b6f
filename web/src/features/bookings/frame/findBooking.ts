/** The page of one's own booking for people who have no link: it sends the links again. */
import { OWN_BOOKING_PAGE } from '@fieldroom/contract/pages';

const FIND = 'find';

export const FIND_BOOKING_PAGE = `${OWN_BOOKING_PAGE}?${FIND}`;

/** Whether an address asks for it. Takes its query; programs that pass an address on may have added parameters. */
export const looksForBooking = (query: string): boolean => new URLSearchParams(query).has(FIND);
