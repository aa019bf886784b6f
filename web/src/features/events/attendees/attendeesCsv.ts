/** The participant list as a file for spreadsheets (RFC 4180), and how its dates read (docs/product.md#9.20). */
import type { Booking } from '@fieldroom/contract/bookings';
import { csvText } from '@fieldroom/contract/csv';
import { browserZone, fixedDateFormat } from '../../../platform/i18n/formats.ts';

const two = (number: number) => String(number).padStart(2, '0');

/**
 * `MM/dd/yyyy h:mm a`, by the clock of a zone. Takes an instant as ISO text. Returns, for example, `12/08/2026 7:14
 * PM`.
 */
export function registrationDate(instant: string, timeZone = browserZone()): string {
  const parts = Object.fromEntries(
    fixedDateFormat('en-US', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: 'numeric',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    })
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  );
  const hours = Number(parts['hour']);
  return `${parts['month']}/${parts['day']}/${parts['year']} ${hours % 12 === 0 ? 12 : hours % 12}:${two(Number(parts['minute']))} ${hours < 12 ? 'AM' : 'PM'}`;
}

/**
 * The list as text. Takes headings in order (name, family name, email, phone, registered, state, places), the bookings,
 * the word for a state, and the separator that the language's spreadsheets expect. Returns CSV with a byte order mark,
 * so that ő and ș survive.
 */
export function attendeesCsv(
  headings: readonly string[],
  bookings: readonly Booking[],
  stateWord: (booking: Booking) => string,
  { separator = ',', timeZone }: { separator?: string; timeZone?: string } = {},
): string {
  const rows = bookings.map((booking) => [
    booking.participant.name,
    booking.participant.familyName,
    booking.participant.email,
    booking.participant.phone,
    registrationDate(booking.bookingDate, timeZone),
    stateWord(booking),
    String(booking.places),
  ]);
  return csvText([headings, ...rows], separator);
}
