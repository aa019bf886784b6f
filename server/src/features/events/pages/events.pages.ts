/**
 * Writes head and data into the document of public pages: the part for search engines and messengers, and the data for
 * drawing the page (decision 0006). Structured data: schema.org/Event; Open Graph protocol.
 */
import type { Http } from '../../../access.ts';
import {
  type Event,
  inOneLine,
  type PublicHost,
  type publicEvent,
  SHARE_SIZE,
  slug,
  type upcomingEvents,
} from '@fieldroom/contract/events';
import type { ReplyOf } from '@fieldroom/contract/http';
import { fullName } from '@fieldroom/contract/names';
import { dateFormat } from '../../../platform/formats.ts';
import { Problem } from '../../../platform/problem.ts';
import { idInPath, type Language } from '@fieldroom/contract/text';
import { CONFIRM_PAGE, eventPage, hostPage, OWN_BOOKING_PAGE } from '@fieldroom/contract/pages';
import { escapeHtml, scriptJson } from '../../../platform/http/page.ts';
import { languageOf } from '../../../pages/pages.language.ts';
import type { Filling, Redirect, Web } from '../../../pages/pages.ts';
import { WORDS } from './events.pages.words.ts';
import type { EventLists } from '../lists/events.lists.ts';
import { withOffset } from '../events.time.ts';
import { LANDSCAPE_NAME, shareNameOf } from '../events.views.ts';

/** Events that are in a therapist's page from the start. */
const FIRST_PAGE = { page: 0, size: 20 } as const;
/** Search engines cut longer texts. */
const DESCRIPTION_LENGTH = 160;
const EMAIL_PAGES = new Set([CONFIRM_PAGE, OWN_BOOKING_PAGE]);

type PublicEvent = ReplyOf<typeof publicEvent>;
type Upcoming = ReplyOf<typeof upcomingEvents>;
/** The data that the page reads from the element `page-data`. */
export type PageData =
  | ({ kind: 'event' } & PublicEvent)
  | { kind: 'therapist'; host: PublicHost; upcoming: Upcoming }
  | { kind: 'unknown' };

function shortened(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= DESCRIPTION_LENGTH) return line;
  const cut = line.slice(0, DESCRIPTION_LENGTH);
  // Not inside a word or a surrogate pair.
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), DESCRIPTION_LENGTH - 30))
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

/** Messengers know locales by language and country. */
const SHARE_LOCALES: Readonly<Record<Language, string>> = { en: 'en_GB', de: 'de_DE', hu: 'hu_HU', ro: 'ro_RO' };

/** `12 December 2026`, or from the first to the last day. */
function daysText({ dates }: Pick<Event, 'dates'>, language: Language): string {
  const format = dateFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const at = (day: string) => new Date(`${day}T00:00:00Z`);
  return dates.length === 1 ? format.format(at(dates[0]!)) : format.formatRange(at(dates[0]!), at(dates.at(-1)!));
}

interface Head {
  readonly title: string;
  readonly description: string;
  readonly url: string;
  /** For messengers: a JPEG of `SHARE_SIZE`. */
  readonly image: { readonly url: string; readonly alt: string } | null;
  /**
   * Path of the picture at the top, which is fetched while the script is on its way; none if the picture is further
   * down.
   */
  readonly first?: string | undefined;
  readonly structured: object | null;
}

function headMarkup({ title, description, url, image, first, structured }: Head, language: Language): string {
  const meta = (kind: 'name' | 'property', name: string, content: string) =>
    `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    ...(first === undefined
      ? []
      : [`<link rel="preload" as="image" fetchpriority="high" href="${escapeHtml(first)}">`]),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', url),
    meta('property', 'og:locale', SHARE_LOCALES[language]),
    ...(image
      ? [
          meta('property', 'og:image', image.url),
          meta('property', 'og:image:type', 'image/jpeg'),
          meta('property', 'og:image:width', String(SHARE_SIZE.width)),
          meta('property', 'og:image:height', String(SHARE_SIZE.height)),
          meta('property', 'og:image:alt', image.alt),
        ]
      : []),
    meta('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
    ...(structured ? [`<script type="application/ld+json">${scriptJson(structured)}</script>`] : []),
  ].join('\n    ');
}

/** An event in schema.org's vocabulary. Takes the public address of the service. */
function structuredEvent({ event, host, bookable }: PublicEvent, publicUrl: string, language: Language): object {
  const url = pageOf(publicUrl, event);
  const full = bookable === 'event_full' || bookable === 'event_closed' || bookable === 'event_cancelled';
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.eventName,
    ...(event.description === '' ? {} : { description: inOneLine(event.description) }),
    url,
    startDate: withOffset(event.dates[0]!, event.startTime, event.timeZone),
    endDate: withOffset(event.dates.at(-1)!, event.endTime, event.timeZone),
    eventStatus: `https://schema.org/${event.status === 'CANCELLED' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: `https://schema.org/${event.isOnline ? 'OnlineEventAttendanceMode' : 'OfflineEventAttendanceMode'}`,
    location: event.isOnline
      ? { '@type': 'VirtualLocation', url }
      : {
          '@type': 'Place',
          name: event.eventLocation,
          address: event.address === '' ? event.eventLocation : event.address,
        },
    ...(event.files.length === 0 ? {} : { image: event.files.map((file) => imageAddress(publicUrl, event.id, file)) }),
    organizer: {
      '@type': 'Person',
      name: fullName(language, host),
      url: `${publicUrl}${hostPage(host.therapistName)}`,
      ...(host.picture === null ? {} : { image: publicUrl + host.picture }),
    },
    offers: {
      '@type': 'Offer',
      url,
      price: event.price,
      priceCurrency: event.currency,
      availability: `https://schema.org/${full ? 'SoldOut' : 'InStock'}`,
    },
    maximumAttendeeCapacity: event.maximumParticipant,
    remainingAttendeeCapacity: Math.max(0, event.maximumParticipant - event.currentParticipantsNumber),
  };
}

const pageOf = (publicUrl: string, event: Pick<Event, 'therapistName' | 'id'>) => publicUrl + eventPage(event);
const imageAddress = (publicUrl: string, eventId: number, file: string) =>
  `${publicUrl}/api/event/image/${eventId}/${file}`;

/** An event's picture for messengers, or the landscape if it has none. */
const eventImage = ({ id, files, eventName }: Event, publicUrl: string): NonNullable<Head['image']> => ({
  url: imageAddress(publicUrl, id, files.length === 0 ? LANDSCAPE_NAME : shareNameOf(files[0]!)),
  alt: eventName,
});

function eventHead(shown: PublicEvent, publicUrl: string, language: Language): Head {
  const { event, host } = shown;
  const words = WORDS[language];
  const when = daysText(event, language);
  const what = [
    event.type === 'GROUP' ? words.group : words.single,
    event.isOnline ? words.online : event.eventLocation,
    `${when}, ${event.startTime}–${event.endTime}`,
  ].join(', ');
  const title = `${event.status === 'CANCELLED' ? `${words.cancelled}: ` : ''}${event.eventName} · ${when} · ${fullName(language, host)}`;
  return {
    title,
    description: shortened(event.description === '' ? what : inOneLine(event.description)),
    url: pageOf(publicUrl, event),
    image: eventImage(event, publicUrl),
    first: event.files.length === 0 ? undefined : imageAddress('', event.id, event.files[0]!),
    structured: structuredEvent(shown, publicUrl, language),
  };
}

/** The picture of a therapist's page: that of an event, else of the person, else the next event's landscape. */
function therapistImage(host: PublicHost, name: string, { content }: Upcoming, publicUrl: string): Head['image'] {
  const pictured = content.find(({ files }) => files.length > 0);
  if (pictured) return eventImage(pictured, publicUrl);
  if (host.picture !== null) return { url: `${publicUrl}${host.picture}&share=1`, alt: name };
  return content.length === 0 ? null : eventImage(content[0]!, publicUrl);
}

function therapistHead(host: PublicHost, upcoming: Upcoming, publicUrl: string, language: Language): Head {
  const words = WORDS[language];
  const name = fullName(language, host);
  return {
    title: words.events(name),
    description: shortened(host.line === '' ? words.about(name) : host.line),
    url: `${publicUrl}${hostPage(host.therapistName)}`,
    image: therapistImage(host, name, upcoming, publicUrl),
    structured: {
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      itemListElement: upcoming.content.map((event, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: event.eventName,
        url: pageOf(publicUrl, event),
      })),
    },
  };
}

export interface PagesParts {
  lists: Pick<EventLists, 'host' | 'upcoming' | 'publicEvent'>;
  /** Without a slash at the end. */
  publicUrl: string;
}

/**
 * The contents of a public page. Takes slug and id from the address, and the language. The status is 404 if there is no
 * such page; a former slug leads to the current one.
 */
async function pageFilling(
  { lists, publicUrl }: PagesParts,
  { therapistName, eventId }: { therapistName: string; eventId?: string },
  language: Language,
): Promise<Filling | Redirect> {
  const filled = (data: PageData, head: Head): Filling => ({
    status: 200,
    language,
    data,
    head: headMarkup(head, language),
  });
  const name = slug.safeParse(therapistName);
  const number = eventId === undefined ? undefined : idInPath.safeParse(eventId);
  try {
    if (!name.success || number?.success === false) throw new Problem('not_found');
    if (number === undefined) {
      const [host, upcoming] = await Promise.all([
        lists.host(name.data),
        lists.upcoming(name.data, {}, FIRST_PAGE, null),
      ]);
      if (host.therapistName !== name.data) return { redirect: hostPage(host.therapistName) };
      return filled({ kind: 'therapist', host, upcoming }, therapistHead(host, upcoming, publicUrl, language));
    }
    const shown = await lists.publicEvent(name.data, number.data);
    if (shown.host.therapistName !== name.data)
      return { redirect: eventPage({ therapistName: shown.host.therapistName, id: number.data }) };
    return filled({ kind: 'event', ...shown }, eventHead(shown, publicUrl, language));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
    return {
      status: 404,
      language,
      data: { kind: 'unknown' } satisfies PageData,
      head: `<title>${escapeHtml(WORDS[language].unknown)}</title>`,
    };
  }
}

/** Mounts the public pages. Those behind an email's link are the plain document, which search engines must not list. */
export function eventsPages(http: Http, web: Web, parts: PagesParts): void {
  for (const url of ['/event/:therapistName', '/event/:therapistName/:eventId'])
    http.fastify.route<{ Params: { therapistName: string; eventId?: string } }>({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => {
        if (!EMAIL_PAGES.has(hostPage(request.params.therapistName)))
          return web.fill(request, reply, () =>
            pageFilling(parts, request.params, languageOf(request.headers['accept-language'])),
          );
        reply.callNotFound();
        return reply;
      },
    });
}
