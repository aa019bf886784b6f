/** Results as the box and the page show them: name, facts, and target. */
import { type ResultOf, type SearchGroup, type SearchKind, type SearchWords, fits } from '@fieldroom/contract/search';
import type { Language } from '@fieldroom/contract/text';
import { fullName } from '@fieldroom/contract/names';
import { HISTORY_PAGE, MY_EVENTS_PAGE, THERAPIST_ROOM, USAGE_PAGE } from '@fieldroom/contract/pages';
import type { TFunction } from 'i18next';
import { browserZone, dateFormat } from '../../platform/i18n/formats.ts';
import { dayAt } from '../events/index.ts';

/** Pages are found in the browser, everything else by the server. */
export type ShownKind = 'pages' | SearchKind;

/** The target of a result. */
export interface Place {
  to: string;
  search?: Record<string, string | number>;
}

export interface ShownResult {
  /** Unique among all shown results. */
  key: string;
  title: string;
  /** Short facts beside the title. */
  facts: readonly string[];
  /** A line that contains the key. */
  excerpt?: string;
  place: Place;
}

export interface ShownGroup {
  kind: ShownKind;
  total: number;
  results: readonly ShownResult[];
}

interface Words {
  t: TFunction<'search'>;
  language: Language;
}

/** Day and time in the zone of the event, which is named if it is not the browser's. */
function moment(iso: string, language: Language, timeZone = browserZone()): string {
  const zone = timeZone === browserZone() ? {} : ({ timeZoneName: 'short' } as const);
  return dateFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    ...zone,
  }).format(new Date(iso));
}

type Shown = Omit<ShownResult, 'key'>;
const SHOWN: { readonly [K in SearchKind]: (result: ResultOf<K>, words: Words) => Shown } = {
  // The list shows only this event: its name on its day.
  events: ({ name, list, startsOn, timeZone, excerpt }, { t, language }) => ({
    title: name,
    facts: [moment(startsOn, language, timeZone), ...(list === 'cancelled' ? [t('cancelled')] : [])],
    ...(excerpt === null ? {} : { excerpt }),
    place: {
      to: MY_EVENTS_PAGE,
      search: { list, keyword: name, day: dayAt(Date.parse(startsOn), timeZone) },
    },
  }),
  attendees: (attendee, { t, language }) => ({
    title: fullName(language, attendee),
    facts: [
      attendee.email,
      attendee.eventName,
      moment(attendee.startsOn, language, attendee.timeZone),
      ...(attendee.state === 'HELD' ? [t('held')] : []),
    ],
    place: {
      to: MY_EVENTS_PAGE,
      search: { list: attendee.list, participants: attendee.eventId, booking: attendee.id },
    },
  }),
  sessions: ({ id, startedOn, endedOn, names }, { t, language }) => ({
    title: moment(startedOn, language),
    facts: [names.join(', '), ...(endedOn === null ? [t('running')] : [])],
    place: { to: HISTORY_PAGE, search: { session: id } },
  }),
  icons: ({ id, name }, { t }) => ({
    title: name,
    facts: [t('iconPlace')],
    place: { to: THERAPIST_ROOM, search: { icon: id } },
  }),
  therapists: (therapist, { t, language }) => ({
    title: fullName(language, therapist),
    facts: [therapist.email, ...(therapist.state === 'active' ? [] : [t(`state.${therapist.state}`)])],
    place: { to: USAGE_PAGE, search: { keyword: therapist.email } },
  }),
};

/** The server's results, in words. */
export const shownGroup = ({ kind, items, total }: SearchGroup, words: Words): ShownGroup => ({
  kind,
  total,
  results: items.map((item) => ({
    ...(SHOWN[kind] as (result: typeof item, words: Words) => Shown)(item, words),
    key: `${kind}-${item.id}`,
  })),
});

/** A page of the person's own menu. */
export interface MenuPage {
  id: string;
  name: string;
  to: string;
}

/** The pages whose names contain the words. */
export function shownPages(pages: readonly MenuPage[], words: SearchWords): ShownGroup {
  const results = pages
    .filter(({ name }) => fits(name, words))
    .map(({ id, name, to }) => ({ key: `pages-${id}`, title: name, facts: [], place: { to } }));
  return { kind: 'pages', total: results.length, results };
}
