/** One's own events by month: all of them, upcoming, past and cancelled; a chosen day lists what takes place on it. */
import type { EventFilter, OwnEvent } from '@fieldroom/contract/events';
import { PAGE_SIZE_MAX } from '@fieldroom/contract/events.rules';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { Month } from '../../ui/Month.tsx';
import { Note } from '../../ui/Note.tsx';
import { firstWeekday, weeksOf } from './Calendar.tsx';
import { type EventActs, EventRow } from './EventRow.tsx';
import { findMyEvents } from './events.api.ts';
import { formatDay, weekdayNames } from './events.format.ts';
import { monthPlus } from './repetition.ts';
import { useLoaded } from './useLoaded.ts';
import list from './MyEventsPage.module.css';
import styles from './EventsCalendar.module.css';

const SHOWN_A_DAY = 3;

/** All own events with a day in the span, whatever became of them. */
async function findBetween(
  filter: EventFilter,
  startDate: string,
  endDate: string,
  signal: AbortSignal,
): Promise<OwnEvent[]> {
  const found = new Map<number, OwnEvent>();
  for (const which of ['upcoming', 'past', 'cancelled'] as const) {
    for (let page = 0; ; page += 1) {
      const { content, totalElements } = await findMyEvents(
        which,
        { ...filter, startDate, endDate, dates: null, infiniteFuture: null },
        page,
        PAGE_SIZE_MAX,
        signal,
      );
      for (const event of content) found.set(event.id, event);
      if (content.length === 0 || (page + 1) * PAGE_SIZE_MAX >= totalElements) break;
    }
  }
  return [...found.values()].toSorted((a, b) => Date.parse(a.startsOn) - Date.parse(b.startsOn) || a.id - b.id);
}

export function EventsCalendar({
  filter,
  today,
  now,
  round,
  acts,
}: {
  filter: EventFilter;
  today: string;
  now: number;
  /** Goes up when something has changed. */ round: number;
  acts: EventActs;
}) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const language = currentLanguage();
  const [chosen, setChosen] = useState(today);
  const weeks = weeksOf(chosen, firstWeekday(language, navigator.languages));
  const from = weeks[0]?.[0] ?? chosen;
  const to = weeks.at(-1)?.at(-1) ?? chosen;
  const loaded = useLoaded(`${from} ${filter.type ?? ''} ${filter.keyword ?? ''} ${round}`, (signal) =>
    findBetween(filter, from, to, signal),
  );
  const byDay = new Map<string, OwnEvent[]>();
  for (const event of loaded.data ?? [])
    for (const day of event.dates) byDay.set(day, [...(byDay.get(day) ?? []), event]);
  const here = byDay.get(chosen) ?? [];

  return (
    <div>
      {loaded.problem ? (
        <Note tone="fault" role="alert">
          {problemText(sayProblem, loaded.problem)}{' '}
          <Button size="sm" variant="subtle" onClick={loaded.again}>
            {tc('tryAgain')}
          </Button>
        </Note>
      ) : null}
      <Month
        kind="page"
        title={formatDay(chosen, language, { month: 'long', year: 'numeric' })}
        before={t('calendar.before')}
        after={t('calendar.after')}
        onLeaf={(months) => setChosen(monthPlus(chosen, months))}
        beside={
          <Button size="sm" variant="default" className={styles.today} onClick={() => setChosen(today)}>
            {t('calendar.today')}
          </Button>
        }
        weeks={weeks}
        weekday={(day) => weekdayNames(day, language)}
        busy={loaded.busy}
        cell={(day) => {
          const events = byDay.get(day) ?? [];
          const shows = (
            <button
              type="button"
              className={styles.cell}
              data-out={day.slice(0, 7) !== chosen.slice(0, 7) || undefined}
              data-today={day === today || undefined}
              aria-pressed={day === chosen}
              aria-label={`${formatDay(day, language, { weekday: 'long', day: 'numeric', month: 'long' })}: ${t('calendar.count', { count: events.length })}`}
              onClick={() => setChosen(day)}
            >
              <span className={styles.number}>{Number(day.slice(8))}</span>
              {events.slice(0, SHOWN_A_DAY).map((event) => (
                <span
                  key={event.id}
                  className={styles.event}
                  data-state={
                    event.status === 'CANCELLED' ? 'cancelled' : Date.parse(event.endsOn) <= now ? 'past' : 'upcoming'
                  }
                >
                  <b>{event.startTime}</b> {event.eventName}
                </span>
              ))}
              {events.length > SHOWN_A_DAY ? (
                <span className={styles.more}>{t('calendar.more', { count: events.length - SHOWN_A_DAY })}</span>
              ) : null}
            </button>
          );
          return { shows };
        }}
      />
      <h2 className={styles.day}>{formatDay(chosen, language, { weekday: 'long', day: 'numeric', month: 'long' })}</h2>
      {here.length > 0 ? (
        <ul className={list.list}>
          {here.map((event) => (
            <EventRow key={event.id} event={event} now={now} acts={acts} level="h3" />
          ))}
        </ul>
      ) : (
        <p className={styles.none}>{loaded.busy ? tc('loading') : t('calendar.none')}</p>
      )}
    </div>
  );
}
