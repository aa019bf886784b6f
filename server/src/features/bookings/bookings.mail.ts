/**
 * Puts the letters of bookings together and into the outbox. Who books types names into a form, and the first letter goes
 * to an address that nobody has proven: it greets without the name. Names that appear later are made unfit to carry a link.
 */
import { CURRENCIES } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/db.ts';
import { type FactTable, renderLetter } from '../../platform/mail/letter.ts';
import type { Attachment, NewLetter, Outbox } from '../../platform/mail/outbox.ts';
import type { EventRow, Host } from '../events/index.ts';
import { type BookingLetter, COMMON, fill, WORDS } from './bookings.letters.ts';
import type { Addressee, BookingCalendar, BookingMail, Recipient } from './bookings.types.ts';

export interface BookingMailParts {
  readonly outbox: Pick<Outbox, 'put'>;
  readonly publicUrl: string;
  readonly calendar: BookingCalendar;
  /** For the time of making in calendar files. */
  readonly clock: Pick<Clock, 'now'>;
  /** Pairs of letters that are kept ready, by event and language: some 15 kB each letter, and a hundred times the work to write anew. */
  readonly readyMost?: number;
}

const READY_MOST = 1200;
const TOKEN = /^[\w-]{16,200}$/;
// Nobody can type these, as they are new with each start of the process.
const TOKEN_MARK = `token-${crypto.randomUUID()}`;
const UNTIL_MARK = `until-${crypto.randomUUID()}`;

type Named = Pick<Addressee, 'firstName' | 'lastName'> & { readonly language: Language };
type Row = FactTable['rows'][number];
type Pieces = { readonly subject: string; readonly text: readonly string[]; readonly html: readonly string[] };

/** A letter before it has an address. */
interface Draft {
  readonly letter: BookingLetter;
  readonly language: Language;
  readonly event: EventRow;
  readonly host: Host;
  /** Whom it greets by name. */
  readonly greets?: Named;
  readonly facts: readonly FactTable[];
  readonly url: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly reason?: string;
  /** Sentences after the letter's own. */
  readonly more?: readonly string[];
}

/** Makes the letters of bookings. In: the outbox, the address of the service, the maker of calendar files, the product's clock. */
export function createBookingMail({
  outbox,
  publicUrl,
  calendar,
  clock,
  readyMost = READY_MOST,
}: BookingMailParts): BookingMail {
  const ready = remembering<Record<'held' | 'alreadyBooked', Pieces>>(readyMost);
  const privatePage = (token: string) => `${publicUrl}/event/booking#token=${plainToken(token)}`;
  const hostPage = (host: Host) => `${publicUrl}/event/${encodeURIComponent(host.therapistName)}`;
  const ownEvents = `${publicUrl}/app/manage-events-client`;

  function render({
    letter,
    language,
    event,
    host,
    greets,
    facts,
    url,
    values = {},
    reason = '',
    more = [],
  }: Draft): Pick<NewLetter, 'subject' | 'text' | 'html' | 'kind' | 'language'> {
    const common = COMMON[language];
    const { subject, before, button, after } = WORDS[language][letter];
    const filled = { host: nameIn(language, host), zone: zoneName(language, event), ...values };
    const name = greets ? unlinked(nameIn(language, greets)) : '';
    const content = {
      language,
      title: subject,
      greeting: name === '' ? common.greeting : fill(common.greetingByName, { person: name }),
      paragraphs: before.map((text) => fill(text, filled)),
      ...(reason.trim() === '' ? {} : { quote: { label: common.reason, text: reason } }),
      facts,
      button: { label: button, url },
      after: [...after.map((text) => fill(text, filled)), ...more],
      footer: [common.closing, common.signature],
    };
    return { subject, ...renderLetter(content), kind: `bookings.${letter}`, language };
  }

  /**
   * The two letters that whoever tries to book may cause. What was asked for once is kept in pieces between which token and time of
   * day are put; both at a time, for a letter that takes longer than the other would tell that an address is known.
   */
  function readyLetter(
    letter: 'held' | 'alreadyBooked',
    {
      event,
      host,
      to,
      token,
      heldUntil,
    }: { event: EventRow; host: Host; to: Recipient; token: string; heldUntil?: Date },
  ): NewLetter {
    const { language } = to;
    const key = JSON.stringify([
      event.id,
      event.updatedAt.getTime(),
      language,
      host.firstName,
      host.lastName,
      host.language,
    ]);
    const facts = () => [{ rows: eventRows(language, event, host) }];
    const cut = ({ subject, text, html }: Pick<NewLetter, 'subject' | 'text' | 'html'>): Pieces => ({
      subject,
      text: pieces(text),
      html: pieces(html),
    });
    const kept = ready(key, () => ({
      held: cut(
        render({
          letter: 'held',
          language,
          event,
          host,
          facts: facts(),
          url: `${publicUrl}/event/confirm#token=${TOKEN_MARK}`,
          values: { until: UNTIL_MARK },
        }),
      ),
      alreadyBooked: cut(
        render({
          letter: 'alreadyBooked',
          language,
          event,
          host,
          facts: facts(),
          url: `${publicUrl}/event/booking#token=${TOKEN_MARK}`,
        }),
      ),
    }))[letter];
    const values: Readonly<Record<string, string>> = {
      [TOKEN_MARK]: plainToken(token),
      ...(heldUntil ? { [UNTIL_MARK]: timeOfDay(event.timeZone, heldUntil) } : {}),
    };
    const whole = (parts: readonly string[]) => parts.map((part) => values[part] ?? part).join('');
    return {
      to: to.email,
      subject: kept.subject,
      text: whole(kept.text),
      html: whole(kept.html),
      kind: `bookings.${letter}`,
      language,
    };
  }

  type Given = { booking: Addressee & { sequence: number }; event: EventRow; host: Host };
  /** A letter to the person who booked, in their language. */
  const toPerson = (
    { booking, event, host }: Given,
    draft: Pick<Draft, 'letter' | 'url'> & Partial<Draft>,
    attachments: readonly Attachment[] = [],
  ): NewLetter => ({
    ...render({
      language: booking.language,
      event,
      host,
      facts: [{ rows: eventRows(booking.language, event, host) }],
      ...draft,
    }),
    to: booking.email,
    attachments,
    about: aboutBooking(booking),
  });
  /** A letter to the therapist, in theirs; answers go to the person, whose address is proven by then. */
  const toHost = ({ booking, event, host }: Given, letter: BookingLetter): NewLetter => ({
    ...render({
      letter,
      language: host.language,
      event,
      host,
      greets: host,
      url: ownEvents,
      facts: [
        {
          rows: [
            { label: COMMON[host.language].person, lines: [unlinked(nameIn(host.language, booking))] },
            ...eventRows(host.language, event),
          ],
        },
      ],
    }),
    to: host.email,
    replyTo: booking.email,
    about: aboutBooking(booking),
  });
  const calendarGiven = async (tx: Tx, { booking, event, host }: Given) => ({
    bookingId: booking.id,
    sequence: booking.sequence,
    event,
    host,
    language: booking.language,
    at: await clock.now(tx),
  });
  const published = async (tx: Tx, given: Given, before?: EventRow): Promise<Attachment[]> => [
    calendar.published({ ...(await calendarGiven(tx, given)), ...(before ? { before } : {}) }),
  ];
  const cancelled = async (tx: Tx, given: Given): Promise<Attachment[]> =>
    calendar.cancelled(await calendarGiven(tx, given));
  const forConfirmed = ({ booking: { language }, event }: Given): string[] => [
    COMMON[language].privateLink,
    ...(event.isOnline ? [COMMON[language].room] : []),
    COMMON[language].calendarNew,
  ];
  const gone = ({ booking: { language }, event }: Given, wasConfirmed: boolean): string[] =>
    wasConfirmed ? [event.dates.length === 1 ? COMMON[language].calendarGone : COMMON[language].calendarGoneDays] : [];

  return {
    heldLetter: (given) => readyLetter('held', given),
    alreadyBookedLetter: (given) => readyLetter('alreadyBooked', given),

    async confirmed(tx, given) {
      const letter = toPerson(
        given,
        { letter: 'confirmed', greets: given.booking, url: privatePage(given.privateToken), more: forConfirmed(given) },
        await published(tx, given),
      );
      await outbox.put(tx, letter);
    },

    async newBooking(tx, given) {
      await outbox.put(tx, toHost(given, 'newBooking'));
    },

    // The address is proven as little as that of a held booking: no name.
    async added(tx, given) {
      await outbox.put(
        tx,
        toPerson(
          given,
          { letter: 'added', url: privatePage(given.privateToken), more: forConfirmed(given) },
          await published(tx, given),
        ),
      );
    },

    async cancelledByClient(tx, given) {
      await outbox.put(
        tx,
        toPerson(
          given,
          { letter: 'cancelledByClient', greets: given.booking, url: hostPage(given.host), more: gone(given, true) },
          await cancelled(tx, given),
        ),
      );
      await outbox.put(tx, toHost(given, 'bookingCancelled'));
    },

    async cancelledByTherapist(tx, given) {
      const { wasConfirmed, reason, booking } = given;
      const draft = {
        letter: 'cancelledByTherapist',
        url: hostPage(given.host),
        reason,
        more: gone(given, wasConfirmed),
        ...(wasConfirmed ? { greets: booking } : {}),
      } as const;
      await outbox.put(tx, toPerson(given, draft, wasConfirmed ? await cancelled(tx, given) : []));
    },

    async eventCancelled(tx, given) {
      const { wasConfirmed, reason, booking } = given;
      const draft = {
        letter: 'eventCancelled',
        url: hostPage(given.host),
        reason,
        more: gone(given, wasConfirmed),
        ...(wasConfirmed ? { greets: booking } : {}),
      } as const;
      await outbox.put(tx, toPerson(given, draft, wasConfirmed ? await cancelled(tx, given) : []));
    },

    async eventChanged(tx, given) {
      const { wasConfirmed, before, event, host, booking } = given;
      const { language } = booking;
      const common = COMMON[language];
      const facts = [
        {
          rows: [
            { label: common.event, lines: [event.name] },
            { label: common.host, lines: [nameIn(language, host)] },
          ],
        },
        { heading: common.was, rows: whenAndWhere(language, before) },
        { heading: common.is, rows: whenAndWhere(language, event) },
      ];
      const more = wasConfirmed
        ? [common.privateLink, ...(event.isOnline ? [common.room] : []), common.calendarChanged]
        : [common.privateLink, common.stillHeld];
      const draft = {
        letter: 'eventChanged',
        url: privatePage(given.privateToken),
        facts,
        more,
        ...(wasConfirmed ? { greets: booking } : {}),
      } as const;
      await outbox.put(tx, toPerson(given, draft, wasConfirmed ? await published(tx, given, before) : []));
    },
  };
}

const aboutBooking = ({ id }: Pick<Addressee, 'id'>) => `booking ${id}`;

/** Tokens are made by us; anything else would be somebody's text in an address. */
function plainToken(token: string): string {
  if (!TOKEN.test(token)) throw new Error('a link carries a token of ours');
  return token;
}

/** A name as its bearer writes it: in Hungarian letters the family name of Hungarians comes first. */
function nameIn(language: Language, { firstName, lastName, language: own }: Named): string {
  return (language === 'hu' && own === 'hu' ? `${lastName} ${firstName}` : `${firstName} ${lastName}`).trim();
}

/** What was typed as a name, so that no mail program makes a link of it: `www.example.com` → `www. example. com`. */
function unlinked(name: string): string {
  return name.replace(/[.:/@\\]+(?=[^\s.:/@\\])/g, '$& ');
}

/** Dates and numbers of English letters follow European habits, as does the rest of the product. */
const localeOf = (language: Language) => (language === 'en' ? 'en-GB' : language);

function eventRows(language: Language, event: EventRow, host?: Host): Row[] {
  const common = COMMON[language];
  return [
    { label: common.event, lines: [event.name] },
    ...whenAndWhere(language, event),
    { label: common.price, lines: [priceText(language, event)] },
    ...(host ? [{ label: common.host, lines: [nameIn(language, host)] }] : []),
  ];
}

function whenAndWhere(language: Language, event: EventRow): Row[] {
  const common = COMMON[language];
  const days = new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return [
    { label: common.days, lines: event.dates.map((day) => days.format(Date.parse(`${day}T00:00:00Z`))) },
    {
      label: common.time,
      lines: [
        `${event.startTime.slice(0, 5)}–${event.endTime.slice(0, 5)} (${zoneName(language, event)}, ${event.timeZone.replaceAll('_', ' ')})`,
      ],
    },
    {
      label: common.place,
      lines: event.isOnline ? [common.online] : [event.location, event.address].filter((text) => text !== ''),
    },
  ];
}

function priceText(language: Language, { priceMinor, currency }: Pick<EventRow, 'priceMinor' | 'currency'>): string {
  if (priceMinor === 0) return COMMON[language].free;
  return new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(priceMinor / 10 ** CURRENCIES[currency]);
}

/** `Central European Time`; the same all year round, as letters speak of days on either side of a change. */
function zoneName(language: Language, { timeZone, startsAt }: Pick<EventRow, 'timeZone' | 'startsAt'>): string {
  const parts = new Intl.DateTimeFormat(localeOf(language), { timeZone, timeZoneName: 'longGeneric' }).formatToParts(
    startsAt,
  );
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

const clocks = remembering<Intl.DateTimeFormat>(100);
/** What a clock in the zone shows: `14:35`. */
function timeOfDay(zone: string, instant: Date): string {
  return clocks(
    zone,
    () => new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  ).format(instant);
}

/** A letter cut at its marks, the marks kept as pieces of their own. */
const pieces = (text: string): string[] => text.split(new RegExp(`(${TOKEN_MARK}|${UNTIL_MARK})`));

/** Keeps what was made for a key; of more than `most` the one unused for longest goes. */
function remembering<T>(most: number): (key: string, make: () => T) => T {
  const kept = new Map<string, T>();
  return (key, make) => {
    const value = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return value;
  };
}
