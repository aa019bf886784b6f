/** A month to pick days from, by pointer or by keys (WAI-ARIA date grid: arrows, Home, End, Page Up and Down). */
import { dayPlus } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Month } from '../../../ui/controls/Month.tsx';
import { firstWeekday, monthPlus, weekdayOf, weeksOf } from './calendarDays.ts';
import { formatDay, weekdayNames } from '../formatting.ts';
import styles from './DayPicker.module.css';

export interface DayPickerProps {
  language: Language;
  /** Chosen days. */
  chosen: readonly string[];
  /** Days with another event; they are marked, with its words. */
  marked?: ReadonlyMap<string, string>;
  today: string;
  /** Days before `from` and after `to` can be seen but not chosen. */
  from?: string;
  to?: string;
  onPick(day: string): void;
}

/**
 * Days are `YYYY-MM-DD`. Opens on the month of the first chosen day that can be picked, else on today's. The caller
 * keeps the choice: `onPick` gets a pressed day, whether or not it was chosen before.
 */
export function DayPicker({
  language,
  chosen,
  marked,
  today,
  from = '0001-01-01',
  to = '9999-12-31',
  onPick,
}: DayPickerProps) {
  const { t } = useTranslation('events');
  const [active, setActive] = useState(() => chosen.find((day) => day >= from) ?? (today >= from ? today : from));
  const grid = useRef<HTMLTableElement>(null);
  const moved = useRef(false);
  const first = firstWeekday(language, navigator.languages);
  const weeks = weeksOf(active, first);
  const month = active.slice(0, 7);

  // Only a key moves the focus; paging with the buttons leaves it on them.
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
  }, [active]);

  const press = (event: KeyboardEvent) => {
    const weekday = (weekdayOf(active) - first + 7) % 7;
    const next = {
      ArrowLeft: () => dayPlus(active, -1),
      ArrowRight: () => dayPlus(active, 1),
      ArrowUp: () => dayPlus(active, -7),
      ArrowDown: () => dayPlus(active, 7),
      Home: () => dayPlus(active, -weekday),
      End: () => dayPlus(active, 6 - weekday),
      PageUp: () => monthPlus(active, event.shiftKey ? -12 : -1),
      PageDown: () => monthPlus(active, event.shiftKey ? 12 : 1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    moved.current = true;
    setActive(next());
  };

  return (
    <div className={styles.calendar}>
      <Month
        kind="picker"
        title={formatDay(active, language, { month: 'long', year: 'numeric' })}
        before={t('calendar.before')}
        after={t('calendar.after')}
        onLeaf={(months) => setActive(monthPlus(active, months))}
        weeks={weeks}
        weekday={(day) => weekdayNames(day, language)}
        table={grid}
        onKeyDown={press}
        cell={(day) => {
          const mark = marked?.get(day);
          const off = day < from || day > to;
          const selected = chosen.includes(day);
          const shows = (
            <button
              type="button"
              className={styles.day}
              data-day={day}
              data-out={day.slice(0, 7) !== month || undefined}
              data-today={day === today || undefined}
              data-chosen={selected || undefined}
              data-marked={mark !== undefined || undefined}
              // Keys also reach days that can't be chosen, so that nobody gets stuck before them.
              aria-disabled={off || undefined}
              tabIndex={day === active ? 0 : -1}
              aria-label={`${formatDay(day, language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}${mark === undefined ? '' : `, ${mark}`}`}
              onClick={() => {
                if (off) return;
                setActive(day);
                moved.current = day !== active;
                onPick(day);
              }}
            >
              {Number(day.slice(8))}
            </button>
          );
          return { shows, selected };
        }}
      />
    </div>
  );
}
