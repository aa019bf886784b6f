import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '@fieldroom/contract/text';
import type { EventRow, Host } from '../events/index.ts';
import { createBookingCalendar } from './bookings.calendar.ts';

const host: Host = { id: 7, therapistName: 'anna', firstName: 'Anna', lastName: 'Berg', picture: null, email: 'anna@practice.example', language: 'en', timeZone: 'Europe/Budapest' };
const at = new Date('2027-01-02T03:04:05.678Z');
const anEvent = (wish: Partial<EventRow> = {}): EventRow => ({
  id: 31, seriesId: 31, therapistId: 7, status: 'PUBLISHED', type: 'GROUP', isOnline: false, name: 'Open evening', location: 'Studio', address: 'Main street 1', description: '', dates: ['2027-05-03'],
  startTime: '18:00:00', endTime: '20:30:00', timeZone: 'Europe/Budapest', startsAt: new Date('2027-05-03T16:00:00Z'), endsAt: new Date('2027-05-03T18:30:00Z'), repetitionRule: null, priceMinor: 2500, currency: 'EUR',
  places: 8, imageFile: null, searchText: '', sequence: 0, cancelReason: null, cancelledAt: null, deletedAt: null, createdAt: at, updatedAt: at, ...wish,
});
type Wish = Partial<Parameters<ReturnType<typeof createBookingCalendar>['file']>[0]>;
function made(event: EventRow, wish: Wish = {}) {
  const calendar = createBookingCalendar({ publicUrl: 'https://field.example:8443' });
  return calendar.file({ bookingId: 12, sequence: 3, event, host, language: 'en', method: 'PUBLISH', at, ...wish });
}

interface Line { name: string; params: Record<string, string>; value: string }
interface Component { name: string; lines: Line[]; children: Component[] }

/** A strict reader of RFC 5545, written from its grammar (3.1, 3.2, 3.6) and without a look at the writer: whatever is outside of it throws. */
function read(bytes: Uint8Array): Component {
  const raw = Buffer.from(bytes);
  const physical: Buffer[] = [];
  let from = 0;
  for (let index = 0; index < raw.length; index++) {
    if (raw[index] === 13 && raw[index + 1] === 10) {
      physical.push(raw.subarray(from, index));
      from = index + 2;
      index += 1;
    } else if (raw[index]! < 32 && raw[index] !== 9) throw new Error(`a control character at ${index}`);
  }
  if (from !== raw.length) throw new Error('the last line has no end');
  // Each physical line has to be whole UTF-8 by itself: no character is cut.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const logical: string[] = [];
  for (const line of physical) {
    if (line.length > 75) throw new Error(`a line of ${line.length} octets`);
    const text = decoder.decode(line);
    if (text.startsWith(' ')) logical.push(logical.pop()! + text.slice(1));
    else logical.push(text);
  }
  const root: Component = { name: 'ROOT', lines: [], children: [] };
  const open = [root];
  for (const text of logical) {
    const shape = /^([A-Z-]+)((?:;[A-Z-]+=(?:"[^"]*"|[^";:,]*))*):(.*)$/u.exec(text);
    if (!shape) throw new Error(`no content line: ${text}`);
    const params = Object.fromEntries([...shape[2]!.matchAll(/;([A-Z-]+)=(?:"([^"]*)"|([^";:,]*))/gu)].map(([, key, quoted, bare]) => [key, quoted ?? bare!]));
    const line = { name: shape[1]!, params, value: shape[3]! };
    if (line.name === 'BEGIN') {
      const child: Component = { name: line.value, lines: [], children: [] };
      open.at(-1)!.children.push(child);
      open.push(child);
    } else if (line.name === 'END') {
      if (open.pop()!.name !== line.value) throw new Error(`${line.value} ends what it did not begin`);
    } else open.at(-1)!.lines.push(line);
  }
  if (open.length !== 1 || root.children.length !== 1 || root.lines.length > 0) throw new Error('not one whole calendar');
  return root.children[0]!;
}
const one = (component: Component, name: string): Line => {
  const found = component.lines.filter((line) => line.name === name);
  if (found.length !== 1) throw new Error(`${found.length} times ${name}`);
  return found[0]!;
};
const entries = (calendar: Component) => calendar.children.filter(({ name }) => name === 'VEVENT');
function textOf({ value }: Line): string {
  if (/(^|[^\\])(\\\\)*[;,]/.test(value)) throw new Error(`something unescaped in ${value}`);
  return value.replace(/\\(.)/gu, (_, character: string) => {
    if (!'nN\\;,'.includes(character)) throw new Error(`an unknown escape: \\${character}`);
    return character === 'n' || character === 'N' ? '\n' : character;
  });
}

const seconds = (offset: string) => (offset.startsWith('-') ? -1 : 1) * (Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(3, 5)) * 60 + Number(offset.slice(5, 7) || '0'));
const wall = (value: string) => {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/.exec(value)!.slice(1).map(Number) as [number, number, number, number, number, number];
  return Date.UTC(parts[0], parts[1] - 1, parts[2], parts[3], parts[4], parts[5]);
};
/** The instant of a date with TZID, by the file's own VTIMEZONE alone: the observance with the latest onset not after it (RFC 5545, 3.6.5). */
function instant(calendar: Component, { params, value }: Line): string {
  const zone = calendar.children.find((child) => child.name === 'VTIMEZONE' && one(child, 'TZID').value === params['TZID']);
  if (!zone) throw new Error(`no VTIMEZONE for ${params['TZID']}`);
  const onsets = zone.children.map((child) => ({ at: wall(one(child, 'DTSTART').value), to: seconds(one(child, 'TZOFFSETTO').value) })).toSorted((a, b) => a.at - b.at);
  const inForce = onsets.findLast(({ at: onset }) => onset <= wall(value));
  if (!inForce) throw new Error('a time before every observance');
  return new Date(wall(value) - inForce.to * 1000).toISOString();
}
const instants = (event: EventRow) => {
  const calendar = read(made(event).bytes);
  return entries(calendar).map((entry) => [instant(calendar, one(entry, 'DTSTART')), instant(calendar, one(entry, 'DTEND'))]);
};

describe('a calendar file', () => {
  test('has what RFC 5545 and 5546 want, for each day', () => {
    const file = made(anEvent({ dates: ['2027-05-03', '2027-05-10'] }));
    expect(file).toMatchObject({ filename: 'appointment.ics', contentType: 'text/calendar; charset=utf-8; method=PUBLISH' });
    const calendar = read(file.bytes);
    expect(calendar.name).toBe('VCALENDAR');
    expect(Object.fromEntries(calendar.lines.map(({ name, value }) => [name, value]))).toEqual({ VERSION: '2.0', PRODID: '-//Fieldroom//Bookings//EN', CALSCALE: 'GREGORIAN', METHOD: 'PUBLISH' });
    expect(entries(calendar).map((entry) => Object.fromEntries(entry.lines.map((line) => [line.name, line.value])))).toEqual(
      ['20270503', '20270510'].map((day, index) => ({
        UID: `booking-12-${index}@field.example`, DTSTAMP: '20270102T030405Z', SEQUENCE: '3', STATUS: 'CONFIRMED', DTSTART: `${day}T180000`, DTEND: `${day}T203000`,
        SUMMARY: 'Open evening', LOCATION: 'Studio\\, Main street 1', URL: 'https://field.example:8443/event/anna/31', ORGANIZER: 'https://field.example:8443/event/anna', CLASS: 'PRIVATE', TRANSP: 'OPAQUE',
      })),
    );
    expect(one(entries(calendar)[0]!, 'ORGANIZER').params).toEqual({ CN: 'Anna Berg' });
    expect(one(entries(calendar)[0]!, 'DTSTART').params).toEqual({ TZID: 'Europe/Budapest' });
  });

  test('cancels every day under the same UID', () => {
    const event = anEvent({ dates: ['2027-05-03', '2027-05-10'] });
    const file = made(event, { method: 'CANCEL', sequence: 4 });
    expect(file.contentType).toBe('text/calendar; charset=utf-8; method=CANCEL');
    const calendar = read(file.bytes);
    expect(one(calendar, 'METHOD').value).toBe('CANCEL');
    const uids = (bytes: Uint8Array) => entries(read(bytes)).map((entry) => one(entry, 'UID').value);
    expect(uids(file.bytes)).toEqual(uids(made(event).bytes));
    for (const entry of entries(calendar)) expect([one(entry, 'STATUS').value, one(entry, 'SEQUENCE').value]).toEqual(['CANCELLED', '4']);
  });

  test('lists as cancelled the days that a change took away, by the clock they had', () => {
    const before = anEvent({ dates: ['2027-05-03', '2027-05-10', '2027-05-17'], startTime: '09:00:00', endTime: '10:00:00', timeZone: 'America/New_York' });
    const calendar = read(made(anEvent({ dates: ['2027-06-01'] }), { before }).bytes);
    expect(entries(calendar).map((entry) => [one(entry, 'UID').value, one(entry, 'STATUS').value, instant(calendar, one(entry, 'DTSTART'))])).toEqual([
      ['booking-12-0@field.example', 'CONFIRMED', '2027-06-01T16:00:00.000Z'],
      ['booking-12-1@field.example', 'CANCELLED', '2027-05-10T13:00:00.000Z'],
      ['booking-12-2@field.example', 'CANCELLED', '2027-05-17T13:00:00.000Z'],
    ]);
  });

  test.each(LANGUAGES)('says in %s that it is online, and never carries a private link', (language) => {
    const text = Buffer.from(made(anEvent({ isOnline: true, location: '', address: '' }), { language }).bytes).toString();
    expect(textOf(one(entries(read(Buffer.from(text)))[0]!, 'LOCATION'))).toBe('Online');
    expect(textOf(one(entries(read(Buffer.from(text)))[0]!, 'DESCRIPTION')).length).toBeGreaterThan(40);
    expect(text).not.toMatch(/token|#|anna@practice/);
  });
});

describe('times', () => {
  test('keep to the clock of Budapest over the change in spring', () => {
    expect(instants(anEvent({ dates: ['2027-03-27', '2027-03-28', '2027-03-29'] })).map(([start]) => start)).toEqual(['2027-03-27T17:00:00.000Z', '2027-03-28T16:00:00.000Z', '2027-03-29T16:00:00.000Z']);
  });

  test('and over the one in autumn, on the very morning too', () => {
    expect(instants(anEvent({ dates: ['2027-10-30', '2027-10-31', '2027-11-01'] })).map(([start]) => start)).toEqual(['2027-10-30T16:00:00.000Z', '2027-10-31T17:00:00.000Z', '2027-11-01T17:00:00.000Z']);
    expect(instants(anEvent({ dates: ['2027-10-31'], startTime: '01:30:00', endTime: '03:30:00' }))).toEqual([['2027-10-30T23:30:00.000Z', '2027-10-31T02:30:00.000Z']]);
    expect(instants(anEvent({ dates: ['2027-03-28'], startTime: '01:30:00', endTime: '03:30:00' }))).toEqual([['2027-03-28T00:30:00.000Z', '2027-03-28T01:30:00.000Z']]);
  });

  test('know 29 February', () => {
    expect(instants(anEvent({ dates: ['2028-02-28', '2028-02-29', '2028-03-01'] })).map(([start]) => start)).toEqual(['2028-02-28T17:00:00.000Z', '2028-02-29T17:00:00.000Z', '2028-03-01T17:00:00.000Z']);
  });

  test('name summer and winter time, each with its onset by the clock before it', () => {
    const calendar = read(made(anEvent({ dates: ['2027-03-01', '2027-11-15'] })).bytes);
    const zone = calendar.children.find(({ name }) => name === 'VTIMEZONE')!;
    expect(zone.children.map((child) => [child.name, ...child.lines.map(({ value }) => value)])).toEqual([
      ['STANDARD', '20261025T030000', '+0200', '+0100'],
      ['DAYLIGHT', '20270328T020000', '+0100', '+0200'],
      ['STANDARD', '20271031T030000', '+0200', '+0100'],
    ]);
  });

  test('are right in zones with half hours, other hemispheres, none and half-hour summers', () => {
    const start = (timeZone: string, day: string) => instants(anEvent({ timeZone, dates: [day] }))[0]![0];
    expect(start('Asia/Kathmandu', '2027-05-03')).toBe('2027-05-03T12:15:00.000Z');
    expect(start('Australia/Sydney', '2027-01-15')).toBe('2027-01-15T07:00:00.000Z');
    expect(start('Australia/Lord_Howe', '2027-01-15')).toBe('2027-01-15T07:00:00.000Z');
    expect(start('Australia/Lord_Howe', '2027-07-15')).toBe('2027-07-15T07:30:00.000Z');
    expect(start('America/St_Johns', '2027-07-15')).toBe('2027-07-15T20:30:00.000Z');
    expect(start('UTC', '2027-05-03')).toBe('2027-05-03T18:00:00.000Z');
  });

  test('refuse a zone that is no name', () => expect(() => made(anEvent({ timeZone: 'Europe/Budapest\r\nX-EVIL:1' }))).toThrow());
});

describe('texts', () => {
  test('come back as they were typed, whatever they hold', () => {
    const typed = fc.string({ unit: fc.oneof(fc.constantFrom(...'\\;,:"\n ', 'ő', 'ș', '😀', '👩‍👧', 'é'), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })), maxLength: 120 })
      // eslint-disable-next-line no-control-regex
      .filter((text) => !/[\u0000-\u0009\u000B-\u001F\u007F]/.test(text) && text.isWellFormed());
    fc.assert(fc.property(typed, typed, (name, location) => {
      const [entry] = entries(read(made(anEvent({ name, location, address: '' })).bytes));
      expect(textOf(one(entry!, 'SUMMARY'))).toBe(name);
      expect(textOf(one(entry!, 'LOCATION'))).toBe(location);
    }), { numRuns: 300 });
  });

  test('are folded at 75 octets, between characters', () => {
    const name = 'ő'.repeat(120);
    const text = Buffer.from(made(anEvent({ name })).bytes).toString();
    expect(text).toMatch(/SUMMARY:ő+\r\n ő+\r\n ő+/);
    expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(textOf(one(entries(read(Buffer.from(text)))[0]!, 'SUMMARY'))).toBe(name);
    // The space at the beginning of a further line counts, which shows where every octet is a character.
    expect(entries(read(made(anEvent({ name: 'a'.repeat(300) })).bytes))).toHaveLength(1);
  });

  test('keep their line ends, of whatever kind', () => expect(textOf(one(entries(read(made(anEvent({ name: 'a\r\nb\rc\nd' })).bytes))[0]!, 'SUMMARY'))).toBe('a\nb\nc\nd'));

  test('add no line, property or parameter', () => {
    const evil = 'a\r\nX-EVIL:1\r\nEND:VEVENT\rBEGIN:VALARM\nATTACH:http://evil\u0000\u000B';
    const mean: Host = { ...host, firstName: 'An"na;CUTYPE=ROOM\r\nX-EVIL:1', lastName: '":x:y', therapistName: 'an/na?\r\n#' };
    const calendar = read(made(anEvent({ name: evil, location: evil, address: evil }), { host: mean }).bytes);
    expect(calendar.children.map(({ name }) => name)).toEqual(['VTIMEZONE', 'VEVENT']);
    const [entry] = entries(calendar);
    expect(entry!.children).toEqual([]);
    expect(entry!.lines.map(({ name }) => name)).not.toContain('X-EVIL');
    expect(Object.keys(one(entry!, 'ORGANIZER').params)).toEqual(['CN']);
    expect(one(entry!, 'URL').value).toBe('https://field.example:8443/event/an%2Fna%3F%0D%0A%23/31');
  });
});
