/** The next event: when, where, how full, and its two acts. */
import { daysBetween, type OwnEvent } from '@fieldroom/contract/events';
import { PROGRAM_PAGE } from '@fieldroom/contract/pages';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { FigureIcon } from '../../../ui/figures/index.ts';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { dayAt, formatDay, formatDays, zoneCity } from '../../events/index.ts';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { eventQueries, placesAt, RowPicture, useTicking } from '../../events/list/index.ts';
import { Loaded } from '../Card.tsx';
import styles from '../Dashboard.module.css';
import { ASKED } from '../dashboardQueries.ts';
import { untilWords } from '../dashboardWords.ts';
import own from './NextEventCard.module.css';

export interface NextEventCardProps {
  onAttendees(eventId: number): void;
  onEdit(eventId: number): void;
}

/** Times are by the event's own clock. Without an event, it leads to the programme page. */
export function NextEventCard(props: NextEventCardProps) {
  const { t } = useTranslation('dashboard');
  const query = useQuery({ ...eventQueries.page('upcoming', {}, 0), ...ASKED });
  return (
    <section className={`${styles.card} ${styles.bare} ${own.next}`} aria-label={t('next.label')}>
      <Loaded query={query} failed={t('next.failed')} bones={<Skeleton className={own.bones} radius={0} />}>
        {({ content: [event], clock }) =>
          event ? <NextEvent key={event.id} event={event} clock={clock} {...props} /> : <None />
        }
      </Loaded>
    </section>
  );
}

function None() {
  const { t } = useTranslation('dashboard');
  const { scheme } = useAppearance();
  return (
    <div className={own.none}>
      <div aria-hidden>
        <FigureIcon kind="MALE_FIGURE" tone="#2B549D" scheme={scheme} size={52} rotation={60} />
        <FigureIcon kind="FEMALE_CIRCLE" tone="#D7739C" scheme={scheme} size={46} rotation={-50} />
      </div>
      <h2>{t('next.none')}</h2>
      <p>{t('next.noneText')}</p>
      <Button variant="default" component={Link} to={PROGRAM_PAGE}>
        {t('next.create')}
      </Button>
    </div>
  );
}

/** "Next event, in 2 days", or that it has begun. */
function whenWords(t: TFunction<'dashboard'>, { startsOn }: OwnEvent, now: number): string {
  if (Date.parse(startsOn) <= now) return t('next.now');
  const zone = browserZone();
  const days = daysBetween(dayAt(now, zone), dayAt(Date.parse(startsOn), zone));
  return t('next.when', { when: untilWords(days, currentLanguage()) });
}

/** Day and times by the event's own clock, as everywhere; its city is named if its clock differs from this one. */
function dateWords(t: TFunction<'dashboard'>, event: OwnEvent): string {
  const language = currentLanguage();
  const days =
    event.dates.length === 1
      ? formatDay(event.dates[0] ?? '', language, { weekday: 'long', day: 'numeric', month: 'long' })
      : formatDays(event.dates, language);
  const zone =
    event.timeZone === browserZone() ? '' : ` (${t('next.zone', { city: zoneCity(event.timeZone, language) })})`;
  return t('next.date', { days, from: event.startTime, to: event.endTime }) + zone;
}

function NextEvent({ event, clock, onAttendees, onEdit }: NextEventCardProps & { event: OwnEvent; clock(): number }) {
  const { t } = useTranslation('dashboard');
  const now = useTicking(clock, event.held > 0);
  const where = event.isOnline ? t('next.online') : [event.eventLocation, event.address].filter(Boolean).join(', ');
  return (
    <div className={own.event}>
      <div className={own.picture}>
        <RowPicture event={event} first />
      </div>
      <div className={own.words}>
        <p className={own.top}>
          <span className={styles.pill} data-state="CONFIRMED">
            {whenWords(t, event, now)}
          </span>
          <span className={own.where}>{where}</span>
        </p>
        <h2>{event.eventName}</h2>
        <p>{dateWords(t, event)}</p>
        <Places event={event} now={now} />
        <div className={own.acts}>
          <Button size="sm" variant="default" onClick={() => onAttendees(event.id)}>
            {t('next.participants')}
          </Button>
          <Button size="sm" variant="subtle" onClick={() => onEdit(event.id)}>
            {t('next.edit')}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Places up to this number are drawn as dots, more as a bar. */
const DOTS = 24;

function Places({ event, now }: { event: OwnEvent; now: number }) {
  const { t } = useTranslation('dashboard');
  const { taken, held, free } = placesAt(event, now);
  const booked = taken - held;
  const words = [
    t('next.booked', { count: booked }),
    ...(held > 0 ? [t('next.held', { count: held })] : []),
    free > 0 ? t('next.left', { count: free }) : t('next.full'),
  ];
  const stateOf = (place: number) => (place < booked ? 'booked' : place < taken ? 'held' : undefined);
  return (
    <div className={own.places}>
      {event.maximumParticipant <= DOTS ? (
        <span className={own.dots} aria-hidden>
          {Array.from({ length: event.maximumParticipant }, (_, place) => (
            <span key={place} data-state={stateOf(place)} />
          ))}
        </span>
      ) : (
        <svg className={own.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden focusable="false">
          <rect width="100" height="6" className={own.track} />
          <rect width={(100 * taken) / Math.max(1, event.maximumParticipant)} height="6" className={own.fill} />
        </svg>
      )}
      <span>{words.join(', ')}</span>
    </div>
  );
}
