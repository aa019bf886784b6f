/** The dates of the filter, as a span or as single days. Fetched when they are needed (EventFilterBar.tsx). */
import type { EventFilter } from '@fieldroom/contract/events';
import { Button, Checkbox, Popover, SegmentedControl } from '@mantine/core';
import { cloneElement, type ReactElement, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../../platform/i18n/app.ts';
import { useOpened } from '../../../../ui/dialogs/backCloses.ts';
import { DateField } from '../../dates/DateField.tsx';
import { DayPicker } from '../../dates/DayPicker.tsx';
import styles from './EventFilterBar.module.css';

export interface FilterProps {
  filter: EventFilter;
  today: string;
  onChange(filter: EventFilter): void;
}

export interface DatesPopoverProps extends FilterProps {
  /** The button that opens it, after its press. */
  target: ReactElement<Record<string, unknown>>;
}

/**
 * Either a span or single days apply: choosing one drops the other. It is mounted open, by the press on `target` that
 * fetched it, and returns the focus to that button.
 */
export function DatesPopover({ filter, today, onChange, target }: DatesPopoverProps) {
  const { t } = useTranslation('my-events');
  const [by, setBy] = useState<'span' | 'days'>(filter.dates?.length ? 'days' : 'span');
  const { opened, onChange: setOpened } = useOpened();
  const [clearings, setClearings] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  // The button is a new element, not the pressed one: focus it first, so that the focus can return to it.
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  useEffect(() => setOpened(true), [setOpened]);
  const clear = () => {
    setClearings(clearings + 1);
    onChange({ ...filter, startDate: null, endDate: null, dates: null, infiniteFuture: null });
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      withinPortal={false}
      trapFocus
      returnFocus
      width="calc(min(340px, 100vw - 24px))"
    >
      <Popover.Target>{cloneElement(target, { ref: button, onClick: () => setOpened(!opened) })}</Popover.Target>
      <Popover.Dropdown aria-label={t('filter.dates')}>
        <div className={styles.inside}>
          <SegmentedControl
            fullWidth
            value={by}
            onChange={(value) => setBy(value as 'span' | 'days')}
            aria-label={t('filter.dates')}
            data={[
              { value: 'span', label: t('filter.bySpan') },
              { value: 'days', label: t('filter.byDays') },
            ]}
          />
          {by === 'span' ? (
            <SpanFields key={clearings} filter={filter} onChange={onChange} />
          ) : (
            <DaysPicker filter={filter} today={today} onChange={onChange} />
          )}
          <div className={styles.feet}>
            <Button size="sm" variant="subtle" onClick={clear}>
              {t('filter.clear')}
            </Button>
            <Button size="sm" variant="default" onClick={() => setOpened(false)}>
              {t('filter.done')}
            </Button>
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function SpanFields({ filter, onChange }: Omit<FilterProps, 'today'>) {
  const { t } = useTranslation('my-events');
  const { startDate, endDate, infiniteFuture } = filter;
  return (
    <>
      <DateField
        label={t('filter.startDate')}
        day={startDate ?? null}
        wrong={t('filter.wrongDay')}
        onDay={(day) => onChange({ ...filter, dates: null, startDate: day })}
      />
      <DateField
        label={t('filter.endDate')}
        day={endDate ?? null}
        wrong={t('filter.wrongDay')}
        disabled={Boolean(infiniteFuture)}
        min={startDate ?? null}
        onDay={(day) => onChange({ ...filter, dates: null, endDate: day })}
      />
      <Checkbox
        label={t('filter.infinite')}
        checked={Boolean(infiniteFuture)}
        onChange={(event) => onChange({ ...filter, dates: null, infiniteFuture: event.currentTarget.checked })}
      />
    </>
  );
}

function DaysPicker({ filter, today, onChange }: FilterProps) {
  const days = filter.dates ?? [];
  const pick = (day: string) => {
    const next = days.includes(day) ? days.filter((one) => one !== day) : [...days, day].toSorted();
    onChange({
      ...filter,
      startDate: null,
      endDate: null,
      infiniteFuture: null,
      dates: next.length > 0 ? next : null,
    });
  };
  return <DayPicker language={currentLanguage()} chosen={days} today={today} onPick={pick} />;
}
