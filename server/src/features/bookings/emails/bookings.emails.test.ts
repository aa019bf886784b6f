/** The composed emails of bookings: complete in every language, and safe against what people type. */
import type { Attachment } from '../../../platform/mail/outbox.ts';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '@fieldroom/contract/text';
import { FRAMES } from '../../../emails/emails.words.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { createOutbox, type NewEmail } from '../../../platform/mail/outbox.ts';
import type { EventRow, Host } from '../../events/index.ts';
import { createBookingCalendar } from '../calendar/bookings.calendar.ts';
import { COMMON, EMAILS, type BookingEmail, WORDS } from './bookings.emails.words.ts';
import { createBookingEmails } from './bookings.emails.ts';

const at = new Date('2027-05-01T08:00:00Z');
const PUBLIC = 'https://field.example';
const TOKEN = 'Tk'.padEnd(43, '-_x9');
/** 14:35 in Budapest in summer. */
const heldUntil = new Date('2027-05-03T12:35:00Z');
const aHost = (wish: Partial<Host> = {}): Host => ({
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
  ...wish,
});
const anEvent = (wish: Partial<EventRow> = {}): EventRow => ({
  id: 31,
  seriesId: 31,
  therapistId: 7,
  status: 'PUBLISHED',
  type: 'GROUP',
  isOnline: false,
  name: 'Open evening',
  location: 'Studio Nord',
  address: 'Main street 1',
  description: 'not in emails',
  dates: ['2027-05-03', '2027-05-10'],
  startTime: '18:00:00',
  endTime: '20:30:00',
  timeZone: 'Europe/Budapest',
  startsAt: new Date('2027-05-03T16:00:00Z'),
  endsAt: new Date('2027-05-10T18:30:00Z'),
  repetitionRule: null,
  priceMinor: 24_050,
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
const aBooking = (
  language: Language,
  wish: { places?: number; firstName?: string; lastName?: string; email?: string } = {},
) => ({
  id: 12,
  places: 1,
  firstName: 'Judit',
  lastName: 'Kovács',
  email: 'judit@mail.example',
  language,
  sequence: 2,
  heldUntil,
  ...wish,
});

function ground(preparedMax?: number) {
  const emails: NewEmail[] = [];
  const mail = createBookingEmails({
    outbox: {
      put: async (_, sent) => {
        emails.push(sent);
        return '';
      },
      putAll: async (_, sent) => void emails.push(...sent),
    },
    publicUrl: PUBLIC,
    calendar: createBookingCalendar({ publicUrl: PUBLIC }),
    clock: { now: async () => at },
    ...(preparedMax === undefined ? {} : { preparedMax }),
  });
  return { emails, mail };
}
const tx = {} as Tx;
const reason = 'First line.\nSecond <b>line</b>.';

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
/** The words of a page without its tags; just enough for what React writes. */
const wordsOf = (html: string) =>
  html.replace(/<[^>]*>/g, ' ').replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name]!);

interface Wish {
  event?: EventRow;
  host?: Host;
  booking?: ReturnType<typeof aBooking>;
  before?: EventRow;
  wasConfirmed?: boolean;
  reason?: string;
}
/** Writes an email of each kind. Returns the written emails, those to the person first. */
async function write(sent: BookingEmail, language: Language, wish: Wish = {}): Promise<NewEmail[]> {
  const { emails, mail } = ground();
  const given = {
    booking: wish.booking ?? aBooking(language),
    event: wish.event ?? anEvent(),
    host: wish.host ?? aHost({ language }),
  };
  const ended = { ...given, reason: wish.reason ?? reason, wasConfirmed: wish.wasConfirmed ?? true };
  const linked = { ...given, privateToken: TOKEN };
  const writing: Record<BookingEmail, () => Promise<void>> = {
    // The subject of an email is filled in when it is written.
    held: async () =>
      void emails.push({
        ...mail.heldEmail({ ...given, to: given.booking, places: given.booking.places, token: TOKEN, heldUntil }),
        about: 'booking 12',
      }),
    alreadyBooked: async () =>
      void emails.push({
        ...mail.alreadyBookedEmail({ ...given, to: given.booking, places: given.booking.places, token: TOKEN }),
        about: 'booking 12',
      }),
    confirmed: () => mail.confirmed(tx, linked),
    newBooking: () => mail.newBooking(tx, given),
    added: () => mail.added(tx, linked),
    linkAgain: () => mail.linkAgain(tx, linked),
    links: () => mail.links(tx, [{ ...given, token: TOKEN, purpose: 'private' }]),
    cancelledByClient: () => mail.cancelledByClient(tx, given),
    bookingCancelled: () => mail.cancelledByClient(tx, given),
    cancelledByTherapist: () => mail.ended(tx, 'therapist', [ended]),
    eventCancelled: () => mail.ended(tx, 'event', [ended]),
    eventChanged: () =>
      mail.eventsChanged(tx, [
        {
          ...linked,
          before:
            wish.before ??
            anEvent({ dates: ['2027-04-26'], startTime: '09:00:00', endTime: '10:00:00', location: 'Old hall' }),
          booking: { ...given.booking, state: (wish.wasConfirmed ?? true) ? 'CONFIRMED' : 'HELD' },
        },
      ]),
  };
  await writing[sent]();
  return emails;
}
async function theEmail(sent: BookingEmail, language: Language, wish: Wish = {}): Promise<NewEmail> {
  const found = (await write(sent, language, wish)).filter(({ kind }) => kind === `bookings.${sent}`);
  expect(found).toHaveLength(1);
  return found[0]!;
}
const plain = (text: string) => text.replace(/[\u00A0\u202F]/g, ' ');
const methodOf = ({ attachments = [] }: NewEmail) => attachments.map(({ contentType }) => contentType);

const DAYS: Record<Language, string[]> = {
  en: ['Monday, 3 May 2027', 'Monday, 10 May 2027', '€240.50', 'Central European Time'],
  de: ['Montag, 3. Mai 2027', 'Montag, 10. Mai 2027', '240,50 €', 'Mitteleuropäische Zeit'],
  hu: ['2027. május 3., hétfő', '2027. május 10., hétfő', '240,50 EUR', 'közép-európai idő'],
  ro: ['luni, 3 mai 2027', 'luni, 10 mai 2027', '240,50 EUR', 'Ora Europei Centrale'],
};
const TO_HOST = ['newBooking', 'bookingCancelled'];
const WITHOUT_NAME = ['held', 'alreadyBooked', 'added', 'links'];
const LINKS: Record<BookingEmail, string> = {
  held: `/event/confirm#token=${TOKEN}`,
  alreadyBooked: `/event/booking#token=${TOKEN}`,
  confirmed: `/event/booking#token=${TOKEN}`,
  newBooking: '/app/manage-events-client',
  added: `/event/booking#token=${TOKEN}`,
  linkAgain: `/event/booking#token=${TOKEN}`,
  links: `/event/booking#token=${TOKEN}`,
  cancelledByClient: '/event/anna',
  bookingCancelled: '/app/manage-events-client',
  cancelledByTherapist: '/event/anna',
  eventCancelled: '/event/anna',
  eventChanged: `/event/booking#token=${TOKEN}`,
};
const FILES: Record<BookingEmail, string | null> = {
  held: null,
  alreadyBooked: null,
  confirmed: 'PUBLISH',
  newBooking: null,
  added: 'PUBLISH',
  linkAgain: null,
  links: null,
  cancelledByClient: 'CANCEL',
  bookingCancelled: null,
  cancelledByTherapist: 'CANCEL',
  eventCancelled: 'CANCEL',
  eventChanged: 'PUBLISH',
};

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(EMAILS)('%s is complete, in text and HTML', async (kind) => {
    const sent = await theEmail(kind, language);
    expect(sent).toMatchObject({
      to: TO_HOST.includes(kind) ? 'anna@practice.example' : 'judit@mail.example',
      kind: `bookings.${kind}`,
      about: 'booking 12',
      language,
      subject: WORDS[language][kind].subject,
    });
    const seen = plain(wordsOf(sent.html));
    for (const form of [plain(sent.text), seen]) {
      for (const text of [
        ...DAYS[language].filter((_, index) => index !== 2),
        '18:00–20:30',
        'Europe/Budapest',
        'Studio Nord',
        'Main street 1',
        'Open evening',
      ])
        expect(form).toContain(text);
      if (kind !== 'eventChanged') expect(form).toContain(DAYS[language][2]);
      if (!TO_HOST.includes(kind)) expect(form).toContain(language === 'hu' ? 'Berg Anna' : 'Anna Berg');
      expect(form).not.toMatch(/\{\w+\}|undefined|null|NaN|\[object|token-|until-/);
      expect(form).not.toContain('not in emails');
      expect(form).toContain(FRAMES[language].closing);
      for (const words of [...WORDS[language][kind].before, ...WORDS[language][kind].after])
        for (const part of words.split(/\{\w+\}/)) expect(form).toContain(part);
      // Somebody who has not proven the address is not greeted by the name that was typed.
      if (WITHOUT_NAME.includes(kind)) expect(form).not.toMatch(/Judit|Kovács/);
      else if (!TO_HOST.includes(kind)) expect(form).toContain(language === 'hu' ? 'Kovács Judit' : 'Judit Kovács');
    }
    expect(sent.text).toContain(`\n${PUBLIC}${LINKS[kind]}\n`);
    // The button, and the address that is written out below it.
    const address = `${PUBLIC}${LINKS[kind]}`;
    expect([...sent.html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([address, address]);
    // The event has two days, and each cancelled day is a separate file.
    expect(methodOf(sent)).toEqual(
      FILES[kind] === null
        ? []
        : Array.from(
            { length: FILES[kind] === 'CANCEL' ? 2 : 1 },
            () => `text/calendar; charset=utf-8; method=${FILES[kind]}`,
          ),
    );
    if (FILES[kind] === 'CANCEL') expect(sent.text).toContain(COMMON[language].calendarGoneDays);
  });

  test('the email of a hold says how long it lasts, and that the data is shared', async () => {
    const { text } = await theEmail('held', language);
    expect(text).toContain('14:35');
    expect(text).toContain(DAYS[language][3]);
    expect(text).toContain(
      WORDS[language].held.after[0]!.replace('{host}', language === 'hu' ? 'Berg Anna' : 'Anna Berg'),
    );
  });

  test.each(['cancelledByTherapist', 'eventCancelled'] as const)(
    '%s contains the reason with its line breaks',
    async (kind) => {
      const sent = await theEmail(kind, language);
      expect(sent.text).toContain(`${COMMON[language].reason}:\n> First line.\n> Second <b>line</b>.`);
      expect(sent.html).toContain('First line.<br/>Second &lt;b&gt;line&lt;/b&gt;.');
      expect((await theEmail(kind, language, { reason: '  ' })).text).not.toContain(COMMON[language].reason);
    },
  );

  test('a changed event is shown before and after the change', async () => {
    const { text } = await theEmail('eventChanged', language);
    const [was, is] = [text.indexOf(COMMON[language].was), text.indexOf(COMMON[language].is)];
    expect(was).toBeGreaterThan(0);
    const [earlier, later] = [text.slice(was, is), text.slice(is)];
    expect(earlier).toContain('Old hall');
    expect(earlier).toContain('09:00–10:00');
    expect(earlier).not.toContain('Studio Nord');
    expect(later).toContain('Studio Nord');
    expect(later).not.toContain('Old hall');
  });

  test('online and free events say so', async () => {
    const { text } = await theEmail('confirmed', language, {
      event: anEvent({ isOnline: true, location: '', address: '', priceMinor: 0 }),
    });
    expect(text).toContain(`${COMMON[language].place}: ${COMMON[language].online}`);
    expect(text).toContain(`${COMMON[language].price}: ${COMMON[language].free}`);
    expect(text).toContain(COMMON[language].room);
  });
});

describe('typed text', () => {
  const bad = '<script>alert(1)</script>"\'{host}{until}&amp;';
  test.each(EMAILS)('stays plain text in %s', async (kind) => {
    const event = anEvent({ name: bad, location: bad, address: bad });
    const sent = await theEmail(kind, 'de', {
      event,
      before: event,
      host: aHost({ firstName: bad, language: 'de' }),
      reason: bad,
      booking: aBooking('de', { firstName: '<script>' }),
    });
    expect(sent.html).not.toMatch(/<script/i);
    expect(sent.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#x27;{host}{until}&amp;amp;');
    expect(sent.text).toContain(bad);
    expect(sent.subject).toBe(WORDS.de[kind].subject);
  });

  test('never becomes a link if it is a name', async () => {
    const booking = aBooking('en', {
      firstName: 'See https://evil.example/x',
      lastName: 'www.evil.example me@evil.example',
    });
    for (const sent of [
      ...(await write('newBooking', 'en', { booking })),
      ...(await write('confirmed', 'en', { booking })),
      ...(await write('cancelledByClient', 'en', { booking })),
    ]) {
      for (const form of [sent.text, sent.html]) expect(form).not.toMatch(/evil\.example|https:\/\/evil|@evil/);
      expect(sent.text).toContain('www. evil. example');
    }
  });

  test.each(EMAILS)('never becomes a link if the host’s account is new: %s', async (kind) => {
    const link = 'http://evil.example/x';
    const wish = {
      event: anEvent({ name: link, location: link, address: link }),
      before: anEvent({ location: link }),
      reason: `Pay at ${link}`,
    };
    for (const isProven of [true, false]) {
      for (const sent of await write(kind, 'en', { ...wish, host: aHost({ firstName: link, isProven }) })) {
        for (const form of [sent.text, sent.html])
          expect(form.includes('evil.example'), String(isProven)).toBe(isProven);
        for (const { bytes } of (sent.attachments ?? []) as Attachment[])
          expect(
            Buffer.from(bytes)
              .toString()
              .replace(/\r\n[ \t]/g, '')
              .includes('evil.example'),
          ).toBe(isProven);
      }
    }
  });

  test('keeps names with dots unchanged', async () => {
    const { text } = await theEmail('confirmed', 'en', {
      booking: aBooking('en', { firstName: 'J. R.', lastName: 'O’Neil-Szőke' }),
    });
    expect(text).toContain('Dear J. R. O’Neil-Szőke,');
  });

  test('leads to a greeting without a name if the name was erased', async () => {
    expect(
      (await theEmail('confirmed', 'de', { booking: aBooking('de', { firstName: '', lastName: '' }) })).text,
    ).toContain('\n\nGuten Tag,\n\n');
  });

  test('adds no header: the outbox accepts all emails, but none with a forged address', async () => {
    const outbox = createOutbox({
      db: {} as never,
      config: { smtpUrl: null, smtpRequireTls: false, mailFrom: 'a@b.example', publicUrl: PUBLIC, demo: true },
      log: {} as never,
      jobs: { every: () => undefined } as never,
    });
    for (const kind of EMAILS)
      for (const sent of await write(kind, 'hu', { event: anEvent({ name: 'a\r\nBcc: x@evil.example' }) }))
        expect({ ...outbox.prepareWords(sent, 'mark'), ...outbox.prepareAddress(sent.to) }.subject).not.toMatch(
          /[\r\n]/,
        );
    const [forged] = await write('held', 'hu', {
      booking: aBooking('hu', { email: 'a@b.example\r\nBcc: x@evil.example' }),
    });
    expect(() => outbox.prepareAddress(forged!.to)).toThrow();
  });

  test('never becomes part of an address', () => {
    const { mail } = ground();
    for (const token of ['', 'short', `${TOKEN}"><script>`, `${TOKEN}\r\nx`, `${TOKEN} x`])
      expect(() =>
        mail.heldEmail({ event: anEvent(), host: aHost(), to: aBooking('en'), places: 1, token, heldUntil }),
      ).toThrow();
  });
});

describe('recipients and parts', () => {
  test('a cancellation by the person informs both, each in their language; replies go to the person', async () => {
    const emails = await write('cancelledByClient', 'ro', { host: aHost({ language: 'hu' }) });
    expect(emails.map(({ to, language, kind, replyTo }) => ({ to, language, kind, replyTo }))).toEqual([
      { to: 'judit@mail.example', language: 'ro', kind: 'bookings.cancelledByClient', replyTo: undefined },
      { to: 'anna@practice.example', language: 'hu', kind: 'bookings.bookingCancelled', replyTo: 'judit@mail.example' },
    ]);
    // A Romanian keeps the order of her names in a Hungarian email.
    expect(emails[1]!.text).toContain('Foglaló neve: Judit Kovács');
  });

  test.each(['cancelledByTherapist', 'eventCancelled', 'eventChanged'] as const)(
    '%s to an unconfirmed person has no file and no name',
    async (kind) => {
      const sent = await theEmail(kind, 'en', { wasConfirmed: false });
      expect(methodOf(sent)).toEqual([]);
      expect(sent.text).not.toMatch(/Judit|calendar file/);
      if (kind === 'eventChanged')
        expect(sent.text).toContain('We’re holding your place until 14:35 (Central European Time)');
    },
  );

  test('the file of a changed event cancels the days that are gone', async () => {
    const sent = await theEmail('eventChanged', 'en', {
      event: anEvent({ dates: ['2027-06-01'] }),
      before: anEvent(),
    });
    const file = Buffer.from((sent.attachments as Attachment[])[0]!.bytes).toString();
    expect(file.match(/^STATUS:.*$/gm)).toEqual(['STATUS:CONFIRMED', 'STATUS:CANCELLED']);
    expect(file).toContain('DTSTAMP:20270501T080000Z');
    expect(file).toContain('SEQUENCE:2');
  });

  test('only emails with a private link contain a token', async () => {
    for (const kind of EMAILS)
      for (const sent of await write(kind, 'en'))
        if (!LINKS[sent.kind.slice(9) as BookingEmail].includes('#'))
          expect(sent.text + sent.html).not.toContain(TOKEN);
  });
});

describe('the email of a hold', () => {
  const asked = (wish: Partial<Parameters<ReturnType<typeof ground>['mail']['heldEmail']>[0]> = {}) => ({
    event: anEvent(),
    host: aHost(),
    to: aBooking('hu'),
    places: 1,
    token: TOKEN,
    heldUntil,
    ...wish,
  });

  test('is identical from the cache and composed directly', () => {
    const { mail } = ground();
    mail.heldEmail(
      asked({
        token: 'z'.repeat(43),
        heldUntil: new Date('2027-05-03T05:00:00Z'),
        to: aBooking('hu', { email: 'x@mail.example' }),
      }),
    );
    for (const language of LANGUAGES) {
      const wish = asked({ to: aBooking(language) });
      mail.heldEmail({ ...wish, token: 'y'.repeat(43) });
      expect(mail.heldEmail(wish)).toEqual(ground().mail.heldEmail(wish));
    }
  });

  test('is composed again when the event or its host has changed', () => {
    const { mail } = ground();
    mail.heldEmail(asked());
    expect(
      mail.heldEmail(asked({ event: anEvent({ name: 'Another name', updatedAt: new Date(at.getTime() + 1) }) })).text,
    ).toContain('Another name');
    expect(mail.heldEmail(asked({ event: anEvent({ id: 32, name: 'A third one' }) })).text).toContain('A third one');
    expect(mail.heldEmail(asked({ host: aHost({ lastName: 'Lund' }) })).text).toContain('Anna Lund');
    expect(mail.heldEmail(asked()).text).toContain('Open evening');
  });

  test('stays correct for more events than the cache holds', () => {
    const { mail } = ground(3);
    for (let id = 1; id <= 8; id++) mail.heldEmail(asked({ event: anEvent({ id, name: `Event ${id}.` }) }));
    for (const id of [1, 4, 8])
      expect(mail.heldEmail(asked({ event: anEvent({ id, name: `Event ${id}.` }) })).text).toContain(`Event ${id}.`);
  });

  test('leaves its subject to the statement that writes it', () =>
    expect(ground().mail.heldEmail(asked())).not.toHaveProperty('about'));

  test.each([
    ['Europe/Budapest', '2027-03-28T00:59:00Z', '01:59'],
    ['Europe/Budapest', '2027-03-28T01:00:00Z', '03:00'],
    ['Europe/Budapest', '2027-10-31T00:30:00Z', '02:30'],
    ['Europe/Budapest', '2027-10-31T01:30:00Z', '02:30'],
    ['Europe/Budapest', '2027-10-31T23:05:00Z', '00:05'],
    ['America/New_York', '2027-03-14T07:00:00Z', '03:00'],
    ['Asia/Kathmandu', '2027-05-03T12:35:00Z', '18:20'],
  ])('shows the time of %s at %s as %s', (timeZone, instant, shown) => {
    const { text } = ground().mail.heldEmail(
      asked({
        event: anEvent({ timeZone, startsAt: new Date(instant) }),
        heldUntil: new Date(instant),
        to: aBooking('en'),
      }),
    );
    expect(text).toContain(`until ${shown} (`);
  });
});
