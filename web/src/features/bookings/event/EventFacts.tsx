/** The facts of an event in lines with an icon: when, where, how many places are left. */
import type { Event } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import { IconArmchair, IconCalendarEvent, IconMapPin, IconUser, IconUsers, IconVideo } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Translate } from '../../../light/lightWords.ts';
import { formatDay, formatDays, formatPrice, formatWeekdays, zoneCity } from '../../events/index.ts';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { type Scheduled, useViewerZone, whenOf, type WallTimes } from './eventTimes.ts';
import { usePublicWords } from '../usePublicWords.ts';
import styles from './EventFacts.module.css';

/** The parts of an event that the pages behind email links know too. */
export type ShownEvent = Scheduled &
  Pick<Event, 'id' | 'eventName' | 'isOnline' | 'eventLocation' | 'address' | 'price' | 'files'> & { currency: string };

/** "Saturday, 12 December 2026"; several days as the language lists them. */
export function daysText(days: readonly string[], language: Language): string {
  return days.length === 1
    ? formatDay(days[0]!, language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    : formatDays(days, language);
}

/** A price, or the words for free of charge. */
export function priceText(event: { price: string; currency: string }, language: Language, t: Translate): string {
  return Number(event.price) === 0
    ? t('price.free')
    : formatPrice(event.price, event.currency, language, { short: true });
}

/** The price of several places: "€360 in total". Null for one place, and if the event is free. */
export function totalText(
  { price, currency }: { price: string; currency: string },
  places: number,
  language: Language,
  t: Translate,
): string | null {
  if (places === 1 || Number(price) === 0) return null;
  return t('price.total', {
    price: formatPrice(String(Number(price) * places), currency, language, { short: true }),
  });
}

/** One line for small places: day, times and where. */
export function oneLine(event: ShownEvent, language: Language, t: Translate): string {
  const { own, yours } = whenOf(event, browserZone());
  const shown = event.isOnline && yours ? yours : own;
  return [
    `${daysText(shown.days, language)}, ${t('when.times', { from: shown.from, to: shown.to })}`,
    event.isOnline ? t('online') : event.eventLocation,
  ].join(' · ');
}

/** For texts made by Intl: servers and browsers space them slightly differently, which must not redraw the page. */
export const BY_INTL = { suppressHydrationWarning: true } as const;

function Fact({ icon, title, children }: { icon: ReactNode; title: ReactNode; children?: ReactNode }) {
  return (
    <li className={styles.fact}>
      {icon}
      <div>
        <p className={styles.title} {...BY_INTL}>
          {title}
        </p>
        {children}
      </div>
    </li>
  );
}
const ICON = { size: 22, stroke: 1.75, 'aria-hidden': true } as const;

/** The list that contains the facts. */
export function Facts({ children }: { children: ReactNode }) {
  return <ul className={styles.facts}>{children}</ul>;
}

/** Days and times: online by the viewer's clock first, on site by the clock at the place. */
export function WhenFact({ event }: { event: ShownEvent }) {
  const { t, language } = usePublicWords();
  const viewerZone = useViewerZone();
  const { own, yours, same } = whenOf(event, viewerZone);
  const first = event.isOnline && yours ? yours : own;
  const second = yours === null ? null : first === own ? yours : own;
  const times = ({ from, to, zone }: WallTimes, mine: boolean) =>
    t(mine ? 'when.yours' : 'when.there', { from, to, city: zoneCity(zone, language) });
  const weekdays = first.days.length > 1 ? formatWeekdays(first.days, language) : '';
  return (
    <Fact icon={<IconCalendarEvent {...ICON} />} title={daysText(first.days, language)}>
      {weekdays ? <p {...BY_INTL}>{weekdays}</p> : null}
      <p>{times(same && viewerZone !== null ? { ...first, zone: viewerZone } : first, same || first === yours)}</p>
      {second ? (
        <p>
          {times(second, second === yours)}
          {second.days.join() === first.days.join() ? null : ` (${formatDays(second.days, language)})`}
        </p>
      ) : null}
    </Fact>
  );
}

/** `promised`: the link to the room is still to come. */
export function WhereFact({ event, host, promised = true }: { event: ShownEvent; host: string; promised?: boolean }) {
  const { t } = usePublicWords();
  if (event.isOnline)
    return (
      <Fact icon={<IconVideo {...ICON} />} title={t('where.online', { name: host })}>
        {promised ? <p>{t('where.linkComes')}</p> : null}
      </Fact>
    );
  return (
    <Fact icon={<IconMapPin {...ICON} />} title={event.eventLocation}>
      {event.address ? <p>{event.address}</p> : null}
    </Fact>
  );
}

/** The number of places of a booking, unless it is the usual one, and their total price. */
export function BookedPlacesFact({ places, event }: { places: number; event: ShownEvent }) {
  const { t, language } = usePublicWords();
  if (places === 1) return null;
  const total = totalText(event, places, language, t);
  return (
    <Fact icon={<IconArmchair {...ICON} />} title={t('places.yours', { count: places })}>
      {total === null ? null : <p {...BY_INTL}>{total}</p>}
    </Fact>
  );
}

/** Dots for up to this many places, a bar for more. */
const DOTS_MAX = 12;

/** How many places are left; for a one-on-one event whether it is free. `host` is the therapist's first name. */
export function PlacesFact({
  event,
  host,
}: {
  event: Pick<Event, 'type' | 'maximumParticipant' | 'currentParticipantsNumber'>;
  host: string;
}) {
  const { t } = usePublicWords();
  const places = event.maximumParticipant;
  const taken = Math.min(places, event.currentParticipantsNumber);
  const free = places - taken;
  if (event.type === 'ONE_ON_ONE')
    return <Fact icon={<IconUser {...ICON} />} title={t(free > 0 ? 'places.alone' : 'places.gone', { name: host })} />;
  return (
    <Fact icon={<IconArmchair {...ICON} />} title={free > 0 ? t('places.left', { count: free }) : t('places.none')}>
      <p className={styles.places}>
        {places <= DOTS_MAX ? (
          <span className={styles.dots} aria-hidden>
            {Array.from({ length: places }, (_, index) => (
              <span key={index} className={index < taken ? styles.taken : undefined} />
            ))}
          </span>
        ) : (
          <span className={styles.meter} aria-hidden>
            <span style={{ width: `${(taken / places) * 100}%` }} />
          </span>
        )}
        <span>{t('places.taken', { taken, count: places })}</span>
      </p>
    </Fact>
  );
}

/** The kind of the event, as small labels. */
export function Chips({ event }: { event: Pick<Event, 'type' | 'isOnline'> }) {
  const { t } = usePublicWords();
  return (
    <ul className={styles.chips} aria-label={t('kindLabel')}>
      <li>
        {event.type === 'GROUP' ? (
          <IconUsers size={17} stroke={1.75} aria-hidden />
        ) : (
          <IconUser size={17} stroke={1.75} aria-hidden />
        )}
        {t(event.type === 'GROUP' ? 'group' : 'oneToOne')}
      </li>
      <li>
        {event.isOnline ? (
          <IconVideo size={17} stroke={1.75} aria-hidden />
        ) : (
          <IconMapPin size={17} stroke={1.75} aria-hidden />
        )}
        {t(event.isOnline ? 'online' : 'onSite')}
      </li>
    </ul>
  );
}
