/** Calendar files by RFC 5545 and 5546, read back by another library, and times across every change of the clock. */
import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { dayPlus } from '@fieldroom/contract/events';
import { LANGUAGES } from '@fieldroom/contract/text';
import type { EventRow, Host } from '../../events/index.ts';
import { createBookingCalendar } from './bookings.calendar.ts';

const host: Host = {
  id: 7,
  therapistName: 'anna',
  firstName: 'Anna',
  lastName: 'Berg',
  picture: null,
  line: '',
  about: '',
  email: 'anna@practice.example',
  language: 'en',
  timeZone: 'Europe/Budapest',
  isProven: true,
};
const at = new Date('2027-01-02T03:04:05.678Z');
const anEvent = (wish: Partial<EventRow> = {}): EventRow => ({
  id: 31,
  seriesId: 31,
  therapistId: 7,
  status: 'PUBLISHED',
  type: 'GROUP',
  isOnline: false,
  name: 'Open evening',
  location: 'Studio',
  address: 'Main street 1',
  description: '',
  dates: ['2027-05-03'],
  startTime: '18:00:00',
  endTime: '20:30:00',
  timeZone: 'Europe/Budapest',
  startsAt: new Date('2027-05-03T16:00:00Z'),
  endsAt: new Date('2027-05-03T18:30:00Z'),
  repetitionRule: null,
  priceMinor: 2500,
  currency: 'EUR',
  places: 8,
  imageFile: null,
  searchText: '',
  sequence: 0,
  cancelReason: null,
  cancelledAt: null,
  deletedAt: null,
  createdAt: at,
  updatedAt: at,
  ...wish,
});
type Wish = Partial<Parameters<ReturnType<typeof createBookingCalendar>['published']>[0]>;
const calendarFiles = createBookingCalendar({ publicUrl: 'https://field.example:8443' });
const given = (event: EventRow) => ({ bookingId: 12, sequence: 3, event, host, language: 'en' as const, at });
const made = (event: EventRow, wish: Wish = {}) => calendarFiles.published({ ...given(event), ...wish });

/**
 * Checks what ical.js lets pass, by the grammar of RFC 5545 (3.1, 3.2, 3.3.11, 3.4) and independently of the writer:
 * line ends, lengths, cut characters, control characters, the shape of a content line and unescaped separators. Throws
 * for everything else.
 */
function checkLines(bytes: Uint8Array): void {
  const raw = Buffer.from(bytes);
  const physical: Buffer[] = [];
  let from = 0;
  for (let index = 0; index < raw.length; index++) {
    if (raw[index] === 13 && raw[index + 1] === 10) {
      physical.push(raw.subarray(from, index));
      from = index + 2;
      index += 1;
    } else if ((raw[index]! < 32 && raw[index] !== 9) || raw[index] === 127)
      throw new Error(`a control character at ${index}`);
  }
  if (from !== raw.length) throw new Error('the last line has no end');
  // Each physical line must be complete UTF-8: no character is cut.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const logical: string[] = [];
  for (const line of physical) {
    if (line.length > 75) throw new Error(`a line of ${line.length} octets`);
    const text = decoder.decode(line);
    if (text.startsWith(' ')) logical.push(logical.pop()! + text.slice(1));
    else logical.push(text);
  }
  for (const line of logical) {
    const [, name, value] = /^([A-Z-]+)(?:;[A-Z-]+=(?:"[^"]*"|[^";:,]*))*:(.*)$/su.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no content line: ${line}`);
    if (['SUMMARY', 'LOCATION', 'DESCRIPTION'].includes(name) && !/^(?:[^\\;,]|\\[nN\\;,])*$/u.test(value))
      throw new Error(`no text: ${line}`);
  }
}
/** The only calendar of a file, as read by ical.js. */
function read(bytes: Uint8Array): ICAL.Component {
  checkLines(bytes);
  return new ICAL.Component(ICAL.parse(Buffer.from(bytes).toString()));
}
const one = (component: ICAL.Component, name: string): ICAL.Property => {
  const found = component.getAllProperties(name);
  if (found.length !== 1) throw new Error(`${found.length} times ${name}`);
  return found[0]!;
};
const entries = (calendar: ICAL.Component) => calendar.getAllSubcomponents('vevent');
const valueOf = (component: ICAL.Component, name: string): string => String(one(component, name).getFirstValue());
const valuesOf = (component: ICAL.Component) =>
  Object.fromEntries(component.getAllProperties().map(({ name }) => [name, valueOf(component, name)]));
/** The instant of a date, calculated only with the file's own VTIMEZONE. */
function instant(entry: ICAL.Component, name: 'dtstart' | 'dtend'): string {
  const property = one(entry, name);
  const time = property.getFirstValue() as ICAL.Time;
  const zone = property.getFirstParameter('tzid');
  if (zone ? entry.getTimeZoneByID(zone) === null : time.zone !== ICAL.Timezone.utcTimezone)
    throw new Error(`no VTIMEZONE for ${zone}`);
  return time.toJSDate().toISOString();
}
const instants = (event: EventRow) =>
  entries(read(made(event).bytes)).map((entry) => [instant(entry, 'dtstart'), instant(entry, 'dtend')]);

describe('a calendar file', () => {
  test('has what RFC 5545 and 5546 require, for each day', () => {
    const file = made(anEvent({ dates: ['2027-05-03', '2027-05-10'] }));
    expect(file).toMatchObject({
      filename: 'appointment.ics',
      contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
    });
    const calendar = read(file.bytes);
    expect(calendar.name).toBe('vcalendar');
    expect(valuesOf(calendar)).toEqual({
      version: '2.0',
      prodid: '-//Fieldroom//Bookings//EN',
      calscale: 'GREGORIAN',
      method: 'PUBLISH',
    });
    expect(entries(calendar).map(valuesOf)).toEqual(
      ['2027-05-03', '2027-05-10'].map((day, index) => ({
        uid: `booking-12-${index}@field.example`,
        dtstamp: '2027-01-02T03:04:05Z',
        sequence: '3',
        status: 'CONFIRMED',
        dtstart: `${day}T18:00:00`,
        dtend: `${day}T20:30:00`,
        summary: 'Open evening',
        location: 'Studio, Main street 1',
        url: 'https://field.example:8443/event/anna/31',
        organizer: 'https://field.example:8443/event/anna',
        class: 'PRIVATE',
        transp: 'OPAQUE',
      })),
    );
    expect(one(entries(calendar)[0]!, 'organizer').toJSON()[1]).toEqual({ cn: 'Anna Berg' });
    expect(one(entries(calendar)[0]!, 'dtstart').toJSON()[1]).toEqual({ tzid: 'Europe/Budapest' });
  });

  test('cancels every day in a separate file, under the UID and at the time it was published with (RFC 5546, 3.2.5)', () => {
    const event = anEvent({ dates: ['2027-03-22', '2027-03-29', '2027-05-10'] });
    const files = calendarFiles.cancelled({ ...given(event), sequence: 4 });
    expect(files.map(({ filename, contentType }) => [filename, contentType])).toEqual(
      event.dates.map((day) => [`appointment-${day}.ics`, 'text/calendar; charset=utf-8; method=CANCEL']),
    );
    const calendars = files.map(({ bytes }) => read(bytes));
    for (const calendar of calendars) {
      expect([valueOf(calendar, 'method'), entries(calendar).length]).toEqual(['CANCEL', 1]);
      const [entry] = entries(calendar);
      expect([
        valueOf(entry!, 'status'),
        valueOf(entry!, 'sequence'),
        valueOf(entry!, 'transp'),
        valueOf(entry!, 'organizer'),
      ]).toEqual(['CANCELLED', '4', 'TRANSPARENT', 'https://field.example:8443/event/anna']);
    }
    const what = (calendar: ICAL.Component) =>
      entries(calendar).map((entry) => [valueOf(entry, 'uid'), instant(entry, 'dtstart'), instant(entry, 'dtend')]);
    expect(calendars.flatMap(what)).toEqual(what(read(made(event).bytes)));
    expect(calendarFiles.cancelled(given(anEvent())).map(({ filename }) => filename)).toEqual(['appointment.ics']);
  });

  test('lists as cancelled the days that a change took away, by the clock they had', () => {
    const before = anEvent({
      dates: ['2027-05-03', '2027-05-10', '2027-05-17'],
      startTime: '09:00:00',
      endTime: '10:00:00',
      timeZone: 'America/New_York',
    });
    const calendar = read(made(anEvent({ dates: ['2027-06-01'] }), { before }).bytes);
    expect(
      entries(calendar).map((entry) => [valueOf(entry, 'uid'), valueOf(entry, 'status'), instant(entry, 'dtstart')]),
    ).toEqual([
      ['booking-12-0@field.example', 'CONFIRMED', '2027-06-01T16:00:00.000Z'],
      ['booking-12-1@field.example', 'CANCELLED', '2027-05-10T13:00:00.000Z'],
      ['booking-12-2@field.example', 'CANCELLED', '2027-05-17T13:00:00.000Z'],
    ]);
  });

  test.each(LANGUAGES)('says in %s that it is online, and never carries a private link', (language) => {
    const { bytes } = made(anEvent({ isOnline: true, location: '', address: '' }), { language });
    expect(valueOf(entries(read(bytes))[0]!, 'location')).toBe('Online');
    expect(valueOf(entries(read(bytes))[0]!, 'description').length).toBeGreaterThan(40);
    expect(Buffer.from(bytes).toString()).not.toMatch(/token|#|anna@practice/);
  });
});

describe('times', () => {
  test('follow the clock of Budapest over the change in spring', () => {
    expect(instants(anEvent({ dates: ['2027-03-27', '2027-03-28', '2027-03-29'] })).map(([start]) => start)).toEqual([
      '2027-03-27T17:00:00.000Z',
      '2027-03-28T16:00:00.000Z',
      '2027-03-29T16:00:00.000Z',
    ]);
  });

  test('and over the one in autumn, even on that morning', () => {
    expect(instants(anEvent({ dates: ['2027-10-30', '2027-10-31', '2027-11-01'] })).map(([start]) => start)).toEqual([
      '2027-10-30T16:00:00.000Z',
      '2027-10-31T17:00:00.000Z',
      '2027-11-01T17:00:00.000Z',
    ]);
    expect(instants(anEvent({ dates: ['2027-10-31'], startTime: '01:30:00', endTime: '03:30:00' }))).toEqual([
      ['2027-10-30T23:30:00.000Z', '2027-10-31T02:30:00.000Z'],
    ]);
    expect(instants(anEvent({ dates: ['2027-03-28'], startTime: '01:30:00', endTime: '03:30:00' }))).toEqual([
      ['2027-03-28T00:30:00.000Z', '2027-03-28T01:30:00.000Z'],
    ]);
  });

  test('are right on 29 February', () => {
    expect(instants(anEvent({ dates: ['2028-02-28', '2028-02-29', '2028-03-01'] })).map(([start]) => start)).toEqual([
      '2028-02-28T17:00:00.000Z',
      '2028-02-29T17:00:00.000Z',
      '2028-03-01T17:00:00.000Z',
    ]);
  });

  test('name summer and winter time, each with its onset in the previous local time', () => {
    const zones = read(made(anEvent({ dates: ['2027-11-15', '2027-03-01'] })).bytes).getAllSubcomponents('vtimezone');
    expect(zones.map((zone) => valueOf(zone, 'tzid'))).toEqual(['Europe/Budapest']);
    expect(zones[0]!.getAllSubcomponents().map((child) => [child.name, ...Object.values(valuesOf(child))])).toEqual([
      ['standard', '2026-10-25T03:00:00', '+02:00', '+01:00'],
      ['daylight', '2027-03-28T02:00:00', '+01:00', '+02:00'],
      ['standard', '2027-10-31T03:00:00', '+02:00', '+01:00'],
    ]);
  });

  test('contain no change after the last day', () => {
    const onsets = (dates: string[]) =>
      read(made(anEvent({ dates })).bytes)
        .getFirstSubcomponent('vtimezone')!
        .getAllSubcomponents()
        .map((child) => String(valueOf(child, 'dtstart')).slice(0, 10));
    // Summer time begins on 28 March 2027.
    expect(onsets(['2027-03-27'])).toEqual(['2026-10-25']);
    expect(onsets(['2027-03-28'])).toEqual(['2026-10-25', '2027-03-28']);
  });

  test('are right in zones with half hours, on the other hemisphere, and with no or half-hour summer time', () => {
    const start = (timeZone: string, day: string) => instants(anEvent({ timeZone, dates: [day] }))[0]![0];
    expect(start('Asia/Kathmandu', '2027-05-03')).toBe('2027-05-03T12:15:00.000Z');
    expect(start('Australia/Sydney', '2027-01-15')).toBe('2027-01-15T07:00:00.000Z');
    expect(start('Australia/Lord_Howe', '2027-01-15')).toBe('2027-01-15T07:00:00.000Z');
    expect(start('Australia/Lord_Howe', '2027-07-15')).toBe('2027-07-15T07:30:00.000Z');
    expect(start('America/St_Johns', '2027-07-15')).toBe('2027-07-15T20:30:00.000Z');
    expect(start('UTC', '2027-05-03')).toBe('2027-05-03T18:00:00.000Z');
  });

  test('are what a zone’s clocks show, on any day', () => {
    const zones = [
      'UTC',
      'Europe/Budapest',
      'Europe/Dublin',
      'America/New_York',
      'America/St_Johns',
      'America/Santiago',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Tehran',
      'Pacific/Kiritimati',
      'Pacific/Apia',
    ];
    const readers = new Map(
      zones.map((zone) => [
        zone,
        new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }),
      ]),
    );
    const days = fc
      .uniqueArray(
        fc.integer({ min: 0, max: 700 }).map((after) => dayPlus('2026-06-01', after)),
        { minLength: 1, maxLength: 4 },
      )
      .map((some) => some.toSorted());
    fc.assert(
      fc.property(fc.constantFrom(...zones), days, (timeZone, dates) => {
        const shown = instants(anEvent({ timeZone, dates, startTime: '12:00:00', endTime: '23:30:00' })).map((pair) =>
          pair.map((instant) => readers.get(timeZone)!.format(new Date(instant))),
        );
        expect(shown).toEqual(dates.map((day) => [`${day} 12:00`, `${day} 23:30`]));
      }),
      { numRuns: 150 },
    );
  });

  test('have one constant offset if a zone has not changed for long', () => {
    const [zone] = read(made(anEvent({ timeZone: 'Africa/Monrovia' })).bytes).getAllSubcomponents('vtimezone');
    expect(zone!.getAllSubcomponents().map((child) => [child.name, ...Object.values(valuesOf(child))])).toEqual([
      ['standard', '1970-01-01T00:00:00', '+00:00', '+00:00'],
    ]);
  });

  test('refuse an invalid zone name', () =>
    expect(() => made(anEvent({ timeZone: 'Europe/Budapest\r\nX-EVIL:1' }))).toThrow());
});

describe('texts', () => {
  test('are read back as they were typed, whatever they contain', () => {
    const typed = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom(...'\\;,:"\n ', 'ő', 'ș', '😀', '👩‍👧', 'é'),
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        ),
        maxLength: 120,
      })
      // eslint-disable-next-line no-control-regex
      .filter((text) => !/[\u0000-\u0009\u000B-\u001F\u007F]/.test(text) && text.isWellFormed());
    fc.assert(
      fc.property(typed, typed, (name, location) => {
        const [entry] = entries(read(made(anEvent({ name, location, address: '' })).bytes));
        expect(valueOf(entry!, 'summary')).toBe(name);
        // An event without a place has no such line.
        expect(entry!.getFirstPropertyValue('location') ?? '').toBe(location);
      }),
      { numRuns: 300 },
    );
  });

  test('are folded at 75 octets, between characters', () => {
    const name = 'ő'.repeat(120);
    const text = Buffer.from(made(anEvent({ name })).bytes).toString();
    expect(text).toMatch(/SUMMARY:ő+\r\n ő+\r\n ő+/);
    expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(valueOf(entries(read(Buffer.from(text)))[0]!, 'summary')).toBe(name);
    // The space at the beginning of a continued line counts; the test sees that if every octet is a character.
    expect(entries(read(made(anEvent({ name: 'a'.repeat(300) })).bytes))).toHaveLength(1);
  });

  test('keep their line ends, of any kind', () =>
    expect(valueOf(entries(read(made(anEvent({ name: 'a\r\nb\rc\nd' })).bytes))[0]!, 'summary')).toBe('a\nb\nc\nd'));

  test('cannot add a line, property or parameter', () => {
    const evil = 'a\r\nX-EVIL:1\r\nEND:VEVENT\rBEGIN:VALARM\nATTACH:http://evil\u0000\u000B';
    const mean: Host = {
      ...host,
      firstName: 'An"na;CUTYPE=ROOM\r\nX-EVIL:1',
      lastName: '":x:y',
      therapistName: 'an/na?\r\n#',
    };
    const calendar = read(made(anEvent({ name: evil, location: evil, address: evil }), { host: mean }).bytes);
    expect(calendar.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone', 'vevent']);
    const [entry] = entries(calendar);
    expect(entry!.getAllSubcomponents()).toEqual([]);
    expect(entry!.getAllProperties('x-evil')).toEqual([]);
    expect(Object.keys(one(entry!, 'organizer').toJSON()[1])).toEqual(['cn']);
    expect(valueOf(entry!, 'url')).toBe('https://field.example:8443/event/an%2Fna%3F%0D%0A%23/31');
  });
});
