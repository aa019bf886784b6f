/** One of the therapist's events in a list: day, picture, what and when, how full it is, and its acts. */
import type { OwnEvent } from '@fieldroom/contract/events';
import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { memo, type RefObject, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../../platform/i18n/app.ts';
import { cityWords, typeWords } from '../../eventWords.ts';
import { formatDay, formatDays, formatPrice } from '../../formatting.ts';
import { browserZone } from '../../../../platform/i18n/formats.ts';
import { useTicking } from '../../useTicking.ts';
import { dayAt } from '../../dates/wallClock.ts';
import { type EventActs, EventMenu } from './EventMenu.tsx';
import { EventPlaces } from './EventPlaces.tsx';
import { placesAt } from './placesAt.ts';
import { RowPicture } from './RowPicture.tsx';
import styles from './EventRow.module.css';

export interface EventRowProps {
  event: OwnEvent;
  /** Reads the product's clock, in milliseconds. */
  clock(): number;
  acts: EventActs;
  /** One level deeper if the list is below a heading of its own. */
  level?: 'h2' | 'h3';
  /** The row can be given the focus: a press elsewhere leads to it. */
  focusRef?: RefObject<HTMLLIElement | null>;
}

/**
 * Counts down while places are held, and has the list fetched again when a hold ends. Past and cancelled events look
 * quieter.
 */
export const EventRow = memo(function EventRow({ event, clock, acts, level = 'h2', focusRef }: EventRowProps) {
  const { t } = useTranslation('my-events');
  const now = useTicking(clock, event.held > 0);
  const places = placesAt(event, now);
  const cancelled = event.status === 'CANCELLED';
  const over = Date.parse(event.endsOn) <= now;

  // Other numbers may have changed too when a hold ends.
  const { onHoldEnded } = acts;
  const ended = places.held < event.held;
  useEffect(() => {
    if (ended) onHoldEnded();
  }, [ended, onHoldEnded]);

  return (
    <li
      ref={focusRef}
      tabIndex={focusRef ? -1 : undefined}
      className={styles.row}
      data-quiet={cancelled || over || undefined}
    >
      <DayBadge day={event.dates[0] ?? ''} />
      <span className={styles.picture}>
        <RowPicture event={event} />
      </span>
      <What event={event} level={level} now={now} />
      <When event={event} />
      <EventPlaces event={event} places={places} />
      <div className={styles.acts}>
        <Button
          size="sm"
          variant="default"
          aria-label={t('list.participantsOf', { name: event.eventName })}
          onClick={() => acts.onAttendees(event)}
        >
          {t('list.participants')}
        </Button>
        <EventMenu
          event={event}
          changeable={!cancelled && !over && !event.deleted}
          empty={places.taken === 0}
          acts={acts}
        />
      </div>
    </li>
  );
});

function DayBadge({ day }: { day: string }) {
  return (
    <span className={styles.day} aria-hidden>
      <span>{formatDay(day, currentLanguage(), { month: 'short' }).replace('.', '')}</span>
      <b>{Number(day.slice(8))}</b>
    </span>
  );
}

function What({ event, level: Heading, now }: { event: OwnEvent; level: 'h2' | 'h3'; now: number }) {
  const { t } = useTranslation('my-events');
  const { t: te } = useTranslation('events');
  const first = event.dates[0] ?? '';
  const thisYear = first.slice(0, 4) === dayAt(now, browserZone()).slice(0, 4);
  const where = event.isOnline ? t('online') : [event.eventLocation, event.address].filter(Boolean).join(', ');
  const facts = [
    ...(event.dates.length > 1 || !thisYear ? [formatDays(event.dates, currentLanguage())] : []),
    typeWords(te, event.type),
    where,
  ];
  return (
    <div className={styles.what}>
      <Heading>
        {event.eventName}
        {event.repetitions.length > 0 || event.repetitionRule ? <SeriesSign words={t('list.series')} /> : null}
      </Heading>
      <p>{facts.join(' · ')}</p>
      {event.status === 'CANCELLED' && event.cancelReason ? (
        <p className={styles.reason}>{t('list.reason', { reason: event.cancelReason })}</p>
      ) : null}
    </div>
  );
}

function SeriesSign({ words }: { words: string }) {
  return (
    <span className={styles.repeats} title={words}>
      <IconRepeat size={18} stroke={1.75} aria-hidden />
      <span className="fr-hidden">{words}</span>
    </span>
  );
}

function When({ event }: { event: OwnEvent }) {
  const { t } = useTranslation('my-events');
  const { t: te } = useTranslation('events');
  const free = Number(event.price) === 0;
  const price = () => formatPrice(event.price, event.currency, currentLanguage(), { short: true });
  return (
    <p className={styles.when}>
      <span>{t('times', { from: event.startTime, to: event.endTime })}</span>
      <span>{free ? te('summary.free') : price()}</span>
      {event.timeZone === browserZone() ? null : <span>{t('list.zone', { city: cityWords(event.timeZone) })}</span>}
    </p>
  );
}
