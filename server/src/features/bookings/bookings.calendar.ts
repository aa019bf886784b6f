/**
 * Calendar files of bookings: iCalendar (RFC 5545) with the methods PUBLISH and CANCEL (RFC 5546), one VEVENT a day.
 *
 * Times are wall-clock times under the event's zone (TZID), so that they stay right when a country changes its rules after
 * the file was made; programs know the zone by its IANA name. The VTIMEZONE beside it says what this machine knows: every
 * change of offset around the event's days, by itself and without a recurrence, so nothing is extrapolated. Nothing here goes
 * through a `Date` in the machine's own zone.
 *
 * Calendars are shared: no file carries a private link, entries are CLASS:PRIVATE, and the organizer is told by name and
 * public page, as the therapist's address is a sign-in name.
 */
import { dayPlus } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import { COMMON } from './bookings.letters.ts';
import type { BookingCalendar } from './bookings.types.ts';

const FILENAMES: Readonly<Record<Language, string>> = { en: 'appointment.ics', de: 'termin.ics', hu: 'idopont.ics', ro: 'programare.ics' };
const DAY_MS = 86_400_000;
/** Zones that change at all do so within this time, so the change that is in force is found by looking back so far. */
const LOOK_BACK_DAYS = 400;
/** Octets of a content line without its end (RFC 5545, 3.1). */
const LINE_OCTETS = 75;

/**
 * Makes the maker of calendar files. In: the address of the service, whose host stands in the UIDs: they are the same as long
 * as it is. A CANCEL of several days is one file with one entry a day, each with its own UID; RFC 5546, 3.2.5 would have one
 * file for each of them, which mailboxes would show as so many attachments, while calendars take both.
 */
export function createBookingCalendar({ publicUrl }: { publicUrl: string }): BookingCalendar {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return {
    file({ bookingId, sequence, event, host: inviter, language, method, at, before }) {
      const page = `${publicUrl}/event/${encodeURIComponent(inviter.therapistName)}`;
      const gone = (before?.dates ?? []).slice(event.dates.length);
      const entry = (day: string, index: number, { startTime, endTime, timeZone }: Pick<typeof event, 'startTime' | 'endTime' | 'timeZone'>, cancelled: boolean): string[] => [
        'BEGIN:VEVENT',
        `UID:booking-${bookingId}-${index}@${host}`,
        `DTSTAMP:${stamp(at.getTime())}Z`,
        `SEQUENCE:${sequence}`,
        `STATUS:${cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
        `DTSTART;TZID=${zoneId(timeZone)}:${wallClock(day, startTime)}`,
        `DTEND;TZID=${zoneId(timeZone)}:${wallClock(day, endTime)}`,
        `SUMMARY:${escaped(event.name)}`,
        `LOCATION:${escaped(event.isOnline ? COMMON[language].online : [event.location, event.address].filter((text) => text !== '').join(', '))}`,
        ...(event.isOnline && !cancelled ? [`DESCRIPTION:${escaped(COMMON[language].calendarRoom)}`] : []),
        `URL:${page}/${event.id}`,
        `ORGANIZER;CN="${quoted(`${inviter.firstName} ${inviter.lastName}`)}":${page}`,
        'CLASS:PRIVATE',
        `TRANSP:${cancelled ? 'TRANSPARENT' : 'OPAQUE'}`,
        'END:VEVENT',
      ];
      const daysByZone = new Map([[event.timeZone, [...event.dates]]]);
      if (before !== undefined && gone.length > 0) daysByZone.set(before.timeZone, [...(daysByZone.get(before.timeZone) ?? []), ...gone]);
      const lines = [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Fieldroom//Bookings//EN',
        'CALSCALE:GREGORIAN',
        `METHOD:${method}`,
        ...[...daysByZone].flatMap(([zone, days]) => zoneLines(zone, days.toSorted())),
        ...event.dates.flatMap((day, index) => entry(day, index, event, method === 'CANCEL')),
        ...gone.flatMap((day, index) => entry(day, event.dates.length + index, before!, true)),
        'END:VCALENDAR',
      ];
      return { filename: FILENAMES[language], contentType: `text/calendar; charset=utf-8; method=${method}`, bytes: new TextEncoder().encode(lines.map((line) => `${folded(line)}\r\n`).join('')) };
    },
  };
}

/** A TEXT value (RFC 5545, 3.3.11): one content line whatever was typed. */
function escaped(text: string): string {
  return withoutControls(text.replace(/\r\n?/g, '\n').replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n'));
}

/** Inside the quotes of a parameter (RFC 5545, 3.2), which know no escape for the quote itself. */
const quoted = (text: string): string => withoutControls(text.replace(/"/g, '’'));
// eslint-disable-next-line no-control-regex
const withoutControls = (text: string): string => text.replace(/[\u0000-\u001F\u007F]+/g, ' ');

/** Folds a content line so that none is longer than 75 octets and no character is cut (RFC 5545, 3.1). */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LINE_OCTETS) return line;
  let out = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      out += '\r\n ';
      // The space counts.
      octets = 1;
    }
    out += character;
    octets += size;
  }
  return out;
}

/** `2027-03-28`, `09:30:00` → `20270328T093000`. */
const wallClock = (day: string, time: string): string => `${day.replaceAll('-', '')}T${time.replaceAll(':', '').slice(0, 6).padEnd(6, '0')}`;
/** The clock of UTC at an instant, in milliseconds, as `20270328T010000`. */
const stamp = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '');

function zoneId(zone: string): string {
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) throw new Error('a zone has an IANA name');
  return zone;
}

/** The VTIMEZONE for these days (sorted, in order): the observance in force before the first, and every change until after the last. */
function zoneLines(zone: string, days: readonly string[]): string[] {
  const offsetAt = offsets(zone);
  const first = Date.parse(`${dayPlus(days[0]!, -1)}T00:00:00Z`);
  const last = Date.parse(`${dayPlus(days.at(-1)!, 2)}T00:00:00Z`);
  let inForce = { at: 0, from: offsetAt(first - LOOK_BACK_DAYS * DAY_MS), to: offsetAt(first - LOOK_BACK_DAYS * DAY_MS) };
  const changes: (typeof inForce)[] = [];
  for (let low = first - LOOK_BACK_DAYS * DAY_MS; low < last; low += DAY_MS) {
    const from = offsetAt(low);
    const to = offsetAt(low + DAY_MS);
    if (from === to) continue;
    let [left, right] = [low, low + DAY_MS];
    while (right - left > 1000) {
      const middle = Math.floor((left + right) / 2000) * 1000;
      if (offsetAt(middle) === from) left = middle;
      else right = middle;
    }
    const change = { at: right, from, to };
    if (right <= first) inForce = change;
    else changes.push(change);
  }
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zoneId(zone)}`,
    ...[inForce, ...changes].flatMap(({ at, from, to }) => {
      const kind = to > standardOffset(offsetAt, at === 0 ? first : at) ? 'DAYLIGHT' : 'STANDARD';
      // The onset is told by the clock as it was before it.
      return [`BEGIN:${kind}`, `DTSTART:${at === 0 ? '19700101T000000' : stamp(at + from)}`, `TZOFFSETFROM:${offsetText(from)}`, `TZOFFSETTO:${offsetText(to)}`, `END:${kind}`];
    }),
    'END:VTIMEZONE',
  ];
}

/** The smaller offset of a year's January and July. */
function standardOffset(offsetAt: (ms: number) => number, ms: number): number {
  const year = new Date(ms).getUTCFullYear();
  return Math.min(offsetAt(Date.UTC(year, 0, 1)), offsetAt(Date.UTC(year, 6, 1)));
}

/** How far a zone's clock is ahead of UTC at an instant; both in milliseconds, whole seconds. */
function offsets(zone: string): (ms: number) => number {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
  return (ms) => {
    const shown = Object.fromEntries(clock.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(shown['year']!, shown['month']! - 1, shown['day'], shown['hour'], shown['minute'], shown['second']) - Math.floor(ms / 1000) * 1000;
  };
}

/** A UTC-OFFSET value (RFC 5545, 3.3.14): `+0200`, with seconds where there are some. */
function offsetText(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${ms < 0 ? '-' : '+'}${(parts[2] === 0 ? parts.slice(0, 2) : parts).map((part) => String(part).padStart(2, '0')).join('')}`;
}
