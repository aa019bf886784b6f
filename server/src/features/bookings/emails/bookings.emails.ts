/**
 * Composes the emails of bookings and puts them into the outbox. The first email goes to an address that nobody has
 * proven, so it greets without the name that was typed into the form. Names in later emails are changed so that no
 * program makes a link of them, and so is what the host typed until the host's account is proven.
 */
import { setImmediate as immediate } from 'node:timers/promises';
import { CURRENCIES } from '@fieldroom/contract/events';
import { fullName } from '@fieldroom/contract/names';
import { CONFIRM_PAGE, hostPage, MY_EVENTS_PAGE, OWN_BOOKING_PAGE } from '@fieldroom/contract/pages';
import type { Language } from '@fieldroom/contract/text';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { dateFormat, numberFormat } from '../../../platform/formats.ts';
import { composeEmail, type FactTable, fill } from '../../../emails/emails.ts';
import type { Attachment, NewEmail, Outbox } from '../../../platform/mail/outbox.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import type { EventRow, Host } from '../../events/index.ts';
import { type BookingEmail, COMMON, WORDS } from './bookings.emails.words.ts';
import {
  aboutBooking,
  type Addressee,
  type BookingCalendar,
  type BookingEmails,
  type ChangedBooking,
  type EndedBooking,
  type Recipient,
} from '../bookings.types.ts';

export interface BookingEmailsParts {
  readonly outbox: Pick<Outbox, 'put' | 'putAll'>;
  readonly publicUrl: string;
  readonly calendar: BookingCalendar;
  /** For DTSTAMP in calendar files. */
  readonly clock: Pick<Clock, 'now'>;
  /**
   * Maximum number of prepared pairs of emails, by event and language. An email takes about 15 kB; composing it again
   * costs a hundred times the work.
   */
  readonly preparedMax?: number;
}

const PREPARED_MAX = 1200;
/** The maximum number of zone names that are kept: finding one costs as much as composing an email. */
const ZONE_NAMES_MAX = 200;
const TOKEN = /^[\w-]{16,200}$/;
// Nobody can type these: they are new at each start of the process.
const TOKEN_MARK = `token-${crypto.randomUUID()}`;
const UNTIL_MARK = `until-${crypto.randomUUID()}`;
const PLACES_MARK = `places-${crypto.randomUUID()}`;
const PRICE_MARK = `price-${crypto.randomUUID()}`;

type Named = Pick<Addressee, 'firstName' | 'lastName'> & { readonly language: Language };
type Row = FactTable['rows'][number];
type Pieces = { readonly subject: string; readonly text: readonly string[]; readonly html: readonly string[] };

/** An email before it has an address. */
interface Draft {
  readonly kind: BookingEmail;
  readonly language: Language;
  readonly event: EventRow;
  readonly host: Host;
  /** The person it greets by name. */
  readonly greets?: Named;
  readonly facts: readonly FactTable[];
  readonly url: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly reason?: string;
  /** Paragraphs after those of the words. */
  readonly more?: readonly string[];
}

/**
 * Creates the emails of bookings.
 */
export function createBookingEmails({
  outbox,
  publicUrl,
  calendar,
  clock,
  preparedMax = PREPARED_MAX,
}: BookingEmailsParts): BookingEmails {
  const ready = keepLatestUsed<Record<'held' | 'alreadyBooked', Pieces>>(preparedMax);
  const privatePage = (token: string) => `${publicUrl}${OWN_BOOKING_PAGE}#token=${plainToken(token)}`;
  const confirmPage = (token: string) => `${publicUrl}${CONFIRM_PAGE}#token=${plainToken(token)}`;
  const hostUrl = (host: Host) => `${publicUrl}${hostPage(host.therapistName)}`;
  const ownEvents = `${publicUrl}${MY_EVENTS_PAGE}`;

  function render({
    kind,
    language,
    event,
    host,
    greets,
    facts,
    url,
    values = {},
    reason = '',
    more = [],
  }: Draft): Pick<NewEmail, 'subject' | 'text' | 'html' | 'kind' | 'language'> {
    return composeEmail({
      kind: `bookings.${kind}`,
      language,
      words: WORDS[language][kind],
      values: { host: hostName(language, host), zone: zoneName(language, event), ...values },
      ...(greets ? { name: unlinked(nameIn(language, greets)) } : {}),
      ...(reason.trim() === '' ? {} : { quote: { label: COMMON[language].reason, text: wordsOf(host)(reason) } }),
      facts,
      url,
      more,
    });
  }

  /**
   * The two emails that anybody who tries to book may cause. They are composed once and kept in pieces, cut at their
   * marks; token and time of day go in between. Both are composed together: if one took longer than the other, the time
   * would reveal that an address is known.
   */
  function readyEmail(
    kind: 'held' | 'alreadyBooked',
    {
      event,
      host,
      to,
      places,
      token,
      heldUntil,
    }: { event: EventRow; host: Host; to: Recipient; places: number; token: string; heldUntil?: Date },
  ): NewEmail {
    const { language } = to;
    const key = JSON.stringify([
      event.id,
      event.updatedAt.getTime(),
      language,
      host.firstName,
      host.lastName,
      host.language,
      host.isProven,
    ]);
    const facts = () => [
      { rows: eventRows(language, shown(event, host), { places: PLACES_MARK, price: PRICE_MARK }, host) },
    ];
    const cut = ({ subject, text, html }: Pick<NewEmail, 'subject' | 'text' | 'html'>): Pieces => ({
      subject,
      text: pieces(text),
      html: pieces(html),
    });
    const kept = ready(key, () => ({
      held: cut(
        render({
          kind: 'held',
          language,
          event,
          host,
          facts: facts(),
          url: `${publicUrl}${CONFIRM_PAGE}#token=${TOKEN_MARK}`,
          values: { until: UNTIL_MARK },
        }),
      ),
      alreadyBooked: cut(
        render({
          kind: 'alreadyBooked',
          language,
          event,
          host,
          facts: facts(),
          url: `${publicUrl}${OWN_BOOKING_PAGE}#token=${TOKEN_MARK}`,
        }),
      ),
    }))[kind];
    const values: Readonly<Record<string, string>> = {
      [TOKEN_MARK]: plainToken(token),
      [PLACES_MARK]: placesText(language, places),
      [PRICE_MARK]: priceText(language, event, places),
      ...(heldUntil ? { [UNTIL_MARK]: timeOfDay(event.timeZone, heldUntil) } : {}),
    };
    const whole = (parts: readonly string[]) => parts.map((part) => values[part] ?? part).join('');
    return {
      to: to.email,
      subject: kept.subject,
      text: whole(kept.text),
      html: whole(kept.html),
      kind: `bookings.${kind}`,
      language,
    };
  }

  type Given = {
    booking: Addressee & { places: number; sequence: number; heldUntil: Date | null };
    event: EventRow;
    host: Host;
  };
  /** Composes an email to the person who booked, in their language. */
  const toPerson = (
    { booking, event, host }: Given,
    draft: Pick<Draft, 'kind' | 'url'> & Partial<Draft>,
    attachments: readonly Attachment[] = [],
  ): NewEmail => ({
    ...render({
      language: booking.language,
      event,
      host,
      facts: [{ rows: eventRows(booking.language, shown(event, host), costs(booking.language, event, booking), host) }],
      ...draft,
    }),
    to: booking.email,
    attachments,
    about: aboutBooking(booking),
  });
  /**
   * Composes an email to the therapist, in their language. Answers go to the person, whose address is proven by then.
   */
  const toHost = ({ booking, event, host }: Given, kind: BookingEmail): NewEmail => ({
    ...render({
      kind,
      language: host.language,
      event,
      host,
      greets: host,
      url: ownEvents,
      facts: [
        {
          rows: [
            { label: COMMON[host.language].person, lines: [unlinked(nameIn(host.language, booking))] },
            ...eventRows(host.language, shown(event, host), costs(host.language, event, booking)),
          ],
        },
      ],
    }),
    to: host.email,
    replyTo: booking.email,
    about: aboutBooking(booking),
  });
  const calendarGiven = ({ booking, event, host }: Given, at: Date) => ({
    bookingId: booking.id,
    sequence: booking.sequence,
    event,
    host,
    language: booking.language,
    at,
  });
  const published = (given: Given, at: Date, before?: EventRow): Attachment[] => [
    calendar.published({ ...calendarGiven(given, at), ...(before ? { before } : {}) }),
  ];
  const cancelled = (given: Given, at: Date): Attachment[] => calendar.cancelled(calendarGiven(given, at));
  const forConfirmed = ({ booking: { language }, event }: Given): string[] => [
    COMMON[language].privateLink,
    ...(event.isOnline ? [COMMON[language].room] : []),
    COMMON[language].calendarNew,
  ];
  const stillHeld = ({ booking: { language, heldUntil }, event }: Given) =>
    fill(COMMON[language].stillHeld, { until: timeOfDay(event.timeZone, heldUntil!), zone: zoneName(language, event) });
  const gone = ({ booking: { language }, event }: Given, wasConfirmed: boolean): string[] =>
    wasConfirmed ? [event.dates.length === 1 ? COMMON[language].calendarGone : COMMON[language].calendarGoneDays] : [];

  const ended = (kind: 'cancelledByTherapist' | 'eventCancelled', given: EndedBooking, at: Date): NewEmail => {
    const { wasConfirmed, reason, booking } = given;
    const draft = {
      kind,
      url: hostUrl(given.host),
      reason,
      more: gone(given, wasConfirmed),
      ...(wasConfirmed ? { greets: booking } : {}),
    };
    return toPerson(given, draft, wasConfirmed ? cancelled(given, at) : []);
  };
  const changed = (given: ChangedBooking, at: Date): NewEmail => {
    const { before, event, host, booking } = given;
    const isConfirmed = booking.state === 'CONFIRMED';
    const { language } = booking;
    const common = COMMON[language];
    const facts = [
      {
        rows: [
          { label: common.event, lines: [shown(event, host).name] },
          { label: common.host, lines: [hostName(language, host)] },
        ],
      },
      { heading: common.was, rows: whenAndWhere(language, shown(before, host)) },
      { heading: common.is, rows: whenAndWhere(language, shown(event, host)) },
    ];
    const more = isConfirmed
      ? [common.privateLink, ...(event.isOnline ? [common.room] : []), common.calendarChanged]
      : [common.privateLink, stillHeld(given)];
    const draft = {
      kind: 'eventChanged',
      url: privatePage(given.privateToken),
      facts,
      more,
      ...(isConfirmed ? { greets: booking } : {}),
    } as const;
    return toPerson(given, draft, isConfirmed ? published(given, at, before) : []);
  };
  /** Composes an email about each and writes them together. */
  async function putEach<T>(tx: Tx, all: readonly T[], compose: (given: T) => NewEmail): Promise<void> {
    const emails: NewEmail[] = [];
    for (const given of all) {
      emails.push(compose(given));
      // Let calls and live rooms run in between.
      await immediate();
    }
    await outbox.putAll(tx, emails);
  }

  return {
    heldEmail: (given) => readyEmail('held', given),
    alreadyBookedEmail: (given) => readyEmail('alreadyBooked', given),

    async confirmed(tx, given) {
      const email = toPerson(
        given,
        { kind: 'confirmed', greets: given.booking, url: privatePage(given.privateToken), more: forConfirmed(given) },
        published(given, await clock.now(tx)),
      );
      await outbox.put(tx, email);
    },

    async newBooking(tx, given) {
      await outbox.put(tx, toHost(given, 'newBooking'));
    },

    // Nobody has proven this address either: no name.
    async added(tx, given) {
      await outbox.put(
        tx,
        toPerson(
          given,
          { kind: 'added', url: privatePage(given.privateToken), more: forConfirmed(given) },
          published(given, await clock.now(tx)),
        ),
      );
    },

    async linkAgain(tx, given) {
      const { booking, event, privateToken } = given;
      const common = COMMON[booking.language];
      const more = [common.privateLink, ...(event.isOnline ? [common.room] : [])];
      await outbox.put(
        tx,
        toPerson(given, { kind: 'linkAgain', greets: booking, url: privatePage(privateToken), more }),
      );
    },

    // Nobody has proven that the address is the caller's: no name.
    async links(tx, found) {
      const { booking: latest } = found.reduce((one, other) => (other.booking.id > one.booking.id ? other : one));
      const { email: to, language } = latest;
      const words = WORDS[language];
      await outbox.put(tx, {
        ...composeEmail({
          kind: 'bookings.links',
          language,
          words: { subject: words.links.subject, before: words.links.before, after: words.links.after },
          facts: found.map(({ booking, event, host, token, purpose }) => ({
            rows: eventRows(language, shown(event, host), costs(language, event, booking), host),
            button:
              purpose === 'private'
                ? { label: words.links.button, url: privatePage(token) }
                : { label: words.held.button, url: confirmPage(token) },
          })),
        }),
        to,
        ...(found.length === 1 ? { about: aboutBooking(latest) } : {}),
      });
    },

    async cancelledByClient(tx, given) {
      await outbox.put(
        tx,
        toPerson(
          given,
          { kind: 'cancelledByClient', greets: given.booking, url: hostUrl(given.host), more: gone(given, true) },
          cancelled(given, await clock.now(tx)),
        ),
      );
      await outbox.put(tx, toHost(given, 'bookingCancelled'));
    },

    async ended(tx, endedBy, all) {
      const at = await clock.now(tx);
      const kind = endedBy === 'event' ? 'eventCancelled' : 'cancelledByTherapist';
      await putEach(tx, all, (given) => ended(kind, given, at));
    },

    async eventsChanged(tx, all) {
      const at = await clock.now(tx);
      await putEach(tx, all, (given) => changed(given, at));
    },
  };
}

/** Refuses anything but our own tokens in an address. */
function plainToken(token: string): string {
  if (!TOKEN.test(token)) throw new Error('a link carries a token of ours');
  return token;
}

/** A full name. In Hungarian emails the family name of Hungarians comes first. */
const nameIn = (language: Language, person: Named): string =>
  fullName(person.language === 'hu' ? language : person.language, person);

/** A host's text: unchanged if the account is proven, otherwise changed so that no program makes a link of it. */
const wordsOf = ({ isProven }: Pick<Host, 'isProven'>) => (isProven ? (text: string) => text : unlinked);

const hostName = (language: Language, host: Host): string => wordsOf(host)(nameIn(language, host));

/** An event with its texts in the form for emails. */
function shown(event: EventRow, host: Host): EventRow {
  const words = wordsOf(host);
  return { ...event, name: words(event.name), location: words(event.location), address: words(event.address) };
}

/** The number of places of a booking and their price, for its emails. */
interface Costs {
  readonly places: string;
  readonly price: string;
}
const costs = (language: Language, event: EventRow, { places }: { places: number }): Costs => ({
  places: placesText(language, places),
  price: priceText(language, event, places),
});

function eventRows(language: Language, event: EventRow, { places, price }: Costs, host?: Host): Row[] {
  const common = COMMON[language];
  return [
    { label: common.event, lines: [event.name] },
    ...whenAndWhere(language, event),
    { label: common.places, lines: [places] },
    { label: common.price, lines: [price] },
    ...(host ? [{ label: common.host, lines: [hostName(language, host)] }] : []),
  ];
}

function whenAndWhere(language: Language, event: EventRow): Row[] {
  const common = COMMON[language];
  const days = dateFormat(language, {
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

const placesText = (language: Language, places: number): string => numberFormat(language, {}).format(places);

/** The price of the booking's places; of several also for one. */
function priceText(
  language: Language,
  { priceMinor, currency }: Pick<EventRow, 'priceMinor' | 'currency'>,
  places: number,
): string {
  if (priceMinor === 0) return COMMON[language].free;
  const money = numberFormat(language, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  const amount = (minor: number) => money.format(minor / 10 ** CURRENCIES[currency]);
  if (places === 1) return amount(priceMinor);
  return fill(COMMON[language].priceOfSeveral, { each: amount(priceMinor), all: amount(priceMinor * places) });
}

const zoneNames = keepLatestUsed<string>(ZONE_NAMES_MAX);
/** `Central European Time`; the same all year round, because an email may name days on both sides of a change. */
function zoneName(language: Language, { timeZone, startsAt }: Pick<EventRow, 'timeZone' | 'startsAt'>): string {
  return zoneNames(`${language} ${timeZone} ${startsAt.getTime()}`, () => {
    const parts = dateFormat(language, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(startsAt);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  });
}

/** What a clock in the zone shows: `14:35`. */
const timeOfDay = (timeZone: string, instant: Date): string =>
  dateFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);

/** Cuts a text at its marks. The marks stay as separate pieces. */
const pieces = (text: string): string[] =>
  text.split(/((?:token|until|places|price)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/);

/** Keeps values by key, at most `most`; the one unused for longest is removed first. */
function keepLatestUsed<T>(most: number): (key: string, make: () => T) => T {
  const kept = new Map<string, T>();
  return (key, make) => {
    const value = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return value;
  };
}
