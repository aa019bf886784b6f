import type { Booking } from '@fieldroom/contract/bookings';
import { describe, expect, test } from 'vitest';
import { attendeesCsv, registrationDate } from './attendeesCsv.ts';

const booking = (participant: Partial<Booking['participant']>): Booking => ({
  id: 1,
  participant: { name: 'Réka', familyName: 'Szőllősi', email: 'reka@mail.example', phone: '+36 1 000', ...participant },
  places: 1,
  bookingDate: '2026-12-08T18:14:00Z',
  state: 'CONFIRMED',
  heldUntil: null,
  addedByTherapist: false,
  emailState: null,
  doubleApproval: false,
});
const csv = (...people: Booking[]) =>
  attendeesCsv(
    ['Name', 'Family name', 'Email', 'Phone', 'Registered', 'State', 'Places'],
    people,
    ({ state }) => state,
    {
      timeZone: 'Europe/Vienna',
    },
  );

/** The cells of a line as read by a spreadsheet (RFC 4180) that splits cells at a separator. */
function cellsOf(line: string, mark: string): string[] {
  const cells = [''];
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    if (quoted && letter === '"' && line[at + 1] === '"') at += 1;
    else if (letter === '"') {
      quoted = !quoted;
      continue;
    } else if (letter === mark && !quoted) {
      cells.push('');
      continue;
    }
    cells[cells.length - 1] += letter;
  }
  return cells;
}

describe('registration date', () => {
  test.each([
    ['2026-12-08T18:14:00Z', 'Europe/Vienna', '12/08/2026 7:14 PM'],
    ['2026-12-07T23:05:00Z', 'Europe/Vienna', '12/08/2026 12:05 AM'],
    ['2026-06-01T10:00:00Z', 'Europe/Vienna', '06/01/2026 12:00 PM'],
    ['2026-03-29T01:30:00Z', 'Europe/Budapest', '03/29/2026 3:30 AM'],
  ])('%s in %s reads %s', (instant, zone, text) => expect(registrationDate(instant, zone)).toBe(text));
});

describe('participants as a file', () => {
  test('has a byte order mark, a heading, CR LF and the spec’s columns', () => {
    expect(csv(booking({}))).toBe(
      '\uFEFFName,Family name,Email,Phone,Registered,State,Places\r\nRéka,Szőllősi,reka@mail.example,+36 1 000,12/08/2026 7:14 PM,CONFIRMED,1\r\n',
    );
  });
  test.each(['=HYPERLINK("http://x")', '+cmd|calc', '-2+3a', '@SUM(A1)', '\tx'])(
    '%s does not become a formula',
    (name) => {
      const line = csv(booking({ name })).split('\r\n')[1]!;
      expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
    },
  );
  test('quotes, separators and line breaks stay in their cell', () => {
    expect(csv(booking({ name: 'A "B", C', familyName: 'D\nE' }))).toContain('"A ""B"", C","D\nE",');
    expect(attendeesCsv(['a;b'], [], () => '', { separator: ';' })).toBe('\uFEFF"a;b"\r\n');
  });
  test.each([',', ';'])(
    'in a file with %s no cell becomes a formula, whatever separator a spreadsheet uses',
    (separator) => {
      const person = booking({
        name: "x,=cmd|'/C calc'!A0,y",
        familyName: 'x;=1+1;y',
        email: 'x\t=1+1',
        phone: '"=1+1',
      });
      const line = attendeesCsv(['a'], [person], () => '', { separator }).split('\r\n')[1]!;
      for (const mark of [',', ';', '\t'])
        expect(
          cellsOf(line, mark).filter((text) => text.startsWith('=')),
          `parted at ${JSON.stringify(mark)}`,
        ).toEqual([]);
      expect(cellsOf(line, separator).slice(0, 4)).toEqual(["x,=cmd|'/C calc'!A0,y", 'x;=1+1;y', 'x\t=1+1', '"=1+1']);
    },
  );
  test('a phone number keeps its plus', () =>
    expect(csv(booking({ phone: '+43 (660) 1-2' }))).toContain('+43 (660) 1-2'));
});
