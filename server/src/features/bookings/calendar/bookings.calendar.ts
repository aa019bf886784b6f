/**
 * Calendar files of bookings: iCalendar (RFC 5545) with the methods PUBLISH and CANCEL (RFC 5546), one VEVENT per day,
 * written by ical-generator. A PUBLISH holds all days (3.2.1); of a CANCEL all entries have to be of one UID (3.2.5),
 * so each day is a separate file. What the library cannot write is here and in decision 0007: the organizer without an
 * address, and the zones.
 *
 * Times are wall-clock times under the event's zone (TZID), so that they stay right when a country changes its rules
 * after the file was made; programs know the zone by its IANA name. They are given as Temporal values, because the
 * library would read a `Date` in the machine's own zone.
 *
 * Calendars are shared: no file carries a private link, entries are CLASS:PRIVATE, and the organizer is a name and a
 * public page, because the therapist's address is a sign-in name.
 */
import type { Language } from '@fieldroom/contract/text';
import { hostPage } from '@fieldroom/contract/pages';
import ical, { ICalCalendarMethod, ICalEventClass, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import type { EventRow } from '../../events/index.ts';
import { COMMON } from '../emails/bookings.emails.words.ts';
import type { BookingCalendar } from '../bookings.types.ts';
import { zoneComponent } from './bookings.calendar.zone.ts';

const FILENAMES: Readonly<Record<Language, string>> = {
  en: 'appointment',
  de: 'termin',
  hu: 'idopont',
  ro: 'programare',
};

type Given = Omit<Parameters<BookingCalendar['published']>[0], 'before'>;
/** A day in the calendar, by the clock of the event before or after a change. */
interface Entry {
  /** Which of the booking's days it is; for the UID. */
  readonly index: number;
  readonly day: string;
  readonly clock: EventRow;
  readonly isCancelled: boolean;
}

/**
 * Creates the maker of calendar files. UIDs contain the host of the service's address, so they stay the same as long as
 * it does.
 */
export function createBookingCalendar({ publicUrl }: { publicUrl: string }): BookingCalendar {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');

  function write(
    { bookingId, sequence, event, host: inviter, language, at }: Given,
    method: ICalCalendarMethod.PUBLISH | ICalCalendarMethod.CANCEL,
    entries: readonly Entry[],
  ): Uint8Array {
    const page = `${publicUrl}${hostPage(inviter.therapistName)}`;
    const words = (text: string) => withoutControls(inviter.isProven ? text : unlinked(text));
    const isCancel = method === ICalCalendarMethod.CANCEL;
    const calendar = ical({
      prodId: { company: 'Fieldroom', product: 'Bookings' },
      scale: 'GREGORIAN',
      method,
      // Without a time zone of the calendar: each entry has its own.
      timezone: {
        name: null,
        generator: (zone) =>
          zoneComponent(
            zone,
            entries.filter(({ clock }) => clock.timeZone === zone).map(({ day }) => day),
          ),
      },
    });
    for (const { index, day, clock, isCancelled } of entries) {
      const entry = calendar.createEvent({
        id: `booking-${bookingId}-${index}@${host}`,
        stamp: Temporal.Instant.fromEpochMilliseconds(at.getTime()),
        sequence,
        status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
        timezone: clock.timeZone,
        start: onTheWall(day, clock.startTime, clock.timeZone),
        end: onTheWall(day, clock.endTime, clock.timeZone),
        summary: words(event.name),
        location: words(
          event.isOnline
            ? COMMON[language].online
            : [event.location, event.address].filter((text) => text !== '').join(', '),
        ),
        description: event.isOnline && !isCancelled ? COMMON[language].calendarRoom : null,
        url: `${page}/${event.id}`,
        class: ICalEventClass.PRIVATE,
        transparency: isCancel ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
      });
      // For an organizer without an address the library writes the name and an empty value, which is no address (RFC
      // 5545, 3.8.4.3), and the custom properties that it accepts have no parameters. It folds the lines of an entry
      // only when all of it is written.
      const written = entry.toString.bind(entry);
      entry.toString = () =>
        written().replace(
          /END:VEVENT\r\n$/,
          () => `ORGANIZER;CN="${quoted(words(`${inviter.firstName} ${inviter.lastName}`))}":${page}\r\nEND:VEVENT\r\n`,
        );
    }
    // The library leaves out the end of the last line, which RFC 5545, 3.4 requires.
    return new TextEncoder().encode(`${calendar.toString()}\r\n`);
  }

  return {
    published({ before, ...given }) {
      const { event, language } = given;
      const entries = [
        ...event.dates.map((day, index) => ({ index, day, clock: event, isCancelled: false })),
        ...(before?.dates ?? [])
          .map((day, index) => ({ index, day, clock: before!, isCancelled: true }))
          .slice(event.dates.length),
      ];
      return {
        filename: `${FILENAMES[language]}.ics`,
        contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
        bytes: write(given, ICalCalendarMethod.PUBLISH, entries),
      };
    },

    cancelled(given) {
      const { event, language } = given;
      return event.dates.map((day, index) => ({
        filename: event.dates.length === 1 ? `${FILENAMES[language]}.ics` : `${FILENAMES[language]}-${day}.ics`,
        contentType: 'text/calendar; charset=utf-8; method=CANCEL',
        bytes: write(given, ICalCalendarMethod.CANCEL, [{ index, day, clock: event, isCancelled: true }]),
      }));
    },
  };
}

const onTheWall = (day: string, time: string, zone: string) =>
  Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone);

/**
 * Removes control characters, which no content line may contain (RFC 5545, 3.1). The library escapes line ends only.
 */
// eslint-disable-next-line no-control-regex
const withoutControls = (text: string): string => text.replace(/[\u0000-\u0009\u000B\u000C\u000E-\u001F\u007F]+/g, ' ');

/**
 * Text inside the quotes of a parameter (RFC 5545, 3.2). A quote cannot be escaped there; not every program reads RFC
 * 6868.
 */
const quoted = (text: string): string => withoutControls(text.replace(/"/g, '’').replace(/[\r\n]+/g, ' '));
