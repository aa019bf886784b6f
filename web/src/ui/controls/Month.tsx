/** A month as whole weeks: its name, buttons for the previous and next month, a cell for each day. The caller decides
 * what a day shows. */
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { QuietButton } from './QuietButton.tsx';
import styles from './Month.module.css';

export interface MonthProps {
  /** Month and year; announced when it changes. */
  title: string;
  /** Words for these buttons. */
  before: string;
  after: string;
  /** Takes -1 for back, 1 for next. */
  onLeaf(months: -1 | 1): void;
  /** Days in order, seven per week, as `YYYY-MM-DD`. */
  weeks: readonly (readonly string[])[];
  /** Names of a weekday, given any day that falls on it. */
  weekday(day: string): { short: string; long: string };
  cell(day: string): { shows: ReactNode; selected?: boolean };
  /** Days that are chosen with the arrow keys (WAI-ARIA date grid), or a page's own table under a heading. */
  kind: 'picker' | 'page';
  /** Beside the heading. */
  beside?: ReactNode;
  busy?: boolean;
  table?: RefObject<HTMLTableElement | null>;
  onKeyDown?(event: KeyboardEvent): void;
}

/**
 * Draws what it is given and holds no state; the calendar of events and the day picker use it. Its words come from the
 * caller, because `ui` has no feature's words.
 */
export function Month({
  title,
  before,
  after,
  onLeaf,
  weeks,
  weekday,
  cell,
  kind,
  beside = null,
  busy = false,
  table,
  onKeyDown,
}: MonthProps) {
  const picker = kind === 'picker';
  const size = picker ? { size: 'small' as const } : {};
  return (
    <>
      <div className={styles.head} data-kind={kind}>
        <QuietButton label={before} {...size} onClick={() => onLeaf(-1)}>
          <IconChevronLeft size={picker ? 20 : 22} stroke={1.75} aria-hidden />
        </QuietButton>
        {picker ? <p aria-live="polite">{title}</p> : <h2 aria-live="polite">{title}</h2>}
        <QuietButton label={after} {...size} onClick={() => onLeaf(1)}>
          <IconChevronRight size={picker ? 20 : 22} stroke={1.75} aria-hidden />
        </QuietButton>
        {beside}
      </div>
      <table
        ref={table}
        className={styles.month}
        data-kind={kind}
        aria-label={title}
        aria-busy={busy}
        {...(picker ? { role: 'grid', 'aria-multiselectable': true } : {})}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={weekday(day).long}>
                {weekday(day).short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => {
                const { shows, selected } = cell(day);
                return (
                  <td key={day} aria-selected={selected}>
                    {shows}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
