/** The therapist's own events by month: upcoming, past and cancelled. A chosen day lists its events. */
import type { EventFilter, OwnEvent } from '@fieldroom/contract/events';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { Month } from '../../../ui/controls/Month.tsx';
import { firstWeekday, monthPlus, weeksOf } from '../dates/calendarDays.ts';
import { eventQueries } from '../eventQueries.ts';
import { formatDay, weekdayNames } from '../formatting.ts';
import { EventLoadFault } from '../dialog/EventLoadFault.tsx';
import type { EventActs } from './rows/EventMenu.tsx';
import { EventRow } from './rows/EventRow.tsx';
import list from './MyEventsPage.module.css';
import styles from './EventsCalendar.module.css';

const SHOWN_PER_DAY = 3;

/**
 * Whether the filter's days include an event. The list asks the server, which knows one span; in the calendar that span
 * is the month.
 */
function matchesDays({ startDate, endDate, infiniteFuture, dates }: EventFilter, event: OwnEvent): boolean {
  const end = infiniteFuture ? null : endDate;
  if ((startDate || end) && !event.dates.some((day) => (!startDate || day >= startDate) && (!end || day <= end)))
    return false;
  return !dates?.length || event.dates.some((day) => dates.includes(day));
}

/** The day at which the calendar opens: today, or the first day of the filter if today is outside it. */
function firstShown({ startDate, endDate, infiniteFuture, dates }: EventFilter, today: string): string {
  if (dates?.length) return dates.includes(today) ? today : (dates[0] as string);
  if (startDate && startDate > today) return startDate;
  return endDate && !infiniteFuture && endDate < today ? endDate : today;
}

/** The events by day. */
function byDay(events: readonly OwnEvent[]): ReadonlyMap<string, readonly OwnEvent[]> {
  const days = new Map<string, OwnEvent[]>();
  for (const event of events) for (const day of event.dates) days.set(day, [...(days.get(day) ?? []), event]);
  return days;
}

export interface EventsCalendarProps {
  filter: EventFilter;
  today: string;
  /** Reads the product's clock, in milliseconds. */
  clock(): number;
  acts: EventActs;
  /** The day chosen before; null where the calendar opens at its filter's first day. */
  day: string | null;
  onDay(day: string): void;
}

/** Fetches the weeks of the month of the chosen day. Below it stand the events of that day (docs/product.md#9.26). */
export function EventsCalendar({ filter, today, clock, acts, day: kept, onDay }: EventsCalendarProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const language = currentLanguage();
  const chosen = kept ?? firstShown(filter, today);
  const title = useId();
  const below = useRef<HTMLElement>(null);
  /** The event that was pressed in its day. */
  const [pressed, setPressed] = useState<number | null>(null);
  const pressedRow = useRef<HTMLLIElement>(null);
  const weeks = weeksOf(chosen, firstWeekday(language, navigator.languages));
  const asked = useQuery(eventQueries.between(filter, weeks[0]?.[0] ?? chosen, weeks.at(-1)?.at(-1) ?? chosen));
  const days = byDay((asked.data ?? []).filter((event) => matchesDays(filter, event)));
  const here = days.get(chosen) ?? [];
  const now = clock();
  /**
   * Chooses a day. If it has events, scrolls to them, which are below the fold on most screens, or to the pressed one.
   */
  const choose = (day: string, eventId: number | null) => {
    flushSync(() => {
      onDay(day);
      setPressed(eventId);
    });
    if (days.has(day)) (pressedRow.current ?? below.current)?.focus();
  };

  return (
    <div>
      {asked.error ? <EventLoadFault fault={asked.error} onRetry={() => void asked.refetch()} /> : null}
      <Month
        kind="page"
        title={formatDay(chosen, language, { month: 'long', year: 'numeric' })}
        before={t('calendar.before')}
        after={t('calendar.after')}
        onLeaf={(months) => onDay(monthPlus(chosen, months))}
        beside={
          <Button size="sm" variant="default" className={styles.today} onClick={() => onDay(today)}>
            {t('calendar.today')}
          </Button>
        }
        weeks={weeks}
        weekday={(day) => weekdayNames(day, language)}
        busy={asked.isFetching}
        cell={(day) => ({
          shows: (
            <DayCell day={day} chosen={chosen} today={today} events={days.get(day) ?? []} now={now} onChoose={choose} />
          ),
        })}
      />
      <section ref={below} tabIndex={-1} aria-labelledby={title} className={styles.below}>
        <h2 id={title} className={styles.day}>
          {formatDay(chosen, language, { weekday: 'long', day: 'numeric', month: 'long' })}
        </h2>
        {here.length > 0 ? (
          <ul className={list.list}>
            {here.map((event) => (
              <EventRow
                key={event.id}
                event={event}
                clock={clock}
                acts={acts}
                level="h3"
                {...(event.id === pressed ? { focusRef: pressedRow } : {})}
              />
            ))}
          </ul>
        ) : asked.data || asked.isFetching ? (
          <p className={styles.none}>{asked.data ? t('calendar.none') : tc('loading')}</p>
        ) : null}
      </section>
    </div>
  );
}

interface DayCellProps {
  day: string;
  chosen: string;
  today: string;
  events: readonly OwnEvent[];
  now: number;
  /** Called with the pressed event, null if the day itself was pressed. */
  onChoose(day: string, eventId: number | null): void;
}

/** The event whose line was pressed in a day. The keyboard presses the day. */
function eventAt({ target }: MouseEvent): number | null {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-event]') : null;
  return line ? Number(line.dataset.event) : null;
}

function DayCell({ day, chosen, today, events, now, onChoose }: DayCellProps) {
  const { t } = useTranslation('my-events');
  const name = formatDay(day, currentLanguage(), { weekday: 'long', day: 'numeric', month: 'long' });
  return (
    <button
      type="button"
      className={styles.cell}
      data-out={day.slice(0, 7) !== chosen.slice(0, 7) || undefined}
      data-today={day === today || undefined}
      aria-pressed={day === chosen}
      onClick={(press) => onChoose(day, eventAt(press))}
    >
      {/* The name contains the visible text, so that people who use speech input can say it. */}
      <span className="fr-hidden">{`${name}: ${t('calendar.count', { count: events.length })}`}</span>
      <span className={styles.number} aria-hidden>
        {Number(day.slice(8))}
      </span>
      {events.slice(0, SHOWN_PER_DAY).map((event) => (
        <span key={event.id} className={styles.event} data-event={event.id} data-state={stateOf(event, now)}>
          <b>{event.startTime}</b> {event.eventName}
        </span>
      ))}
      {events.length > SHOWN_PER_DAY ? (
        <span className={styles.more}>{t('calendar.more', { count: events.length - SHOWN_PER_DAY })}</span>
      ) : null}
    </button>
  );
}

function stateOf(event: OwnEvent, now: number): 'cancelled' | 'past' | 'upcoming' {
  if (event.status === 'CANCELLED') return 'cancelled';
  return Date.parse(event.endsOn) <= now ? 'past' : 'upcoming';
}
