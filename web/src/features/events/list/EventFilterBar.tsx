/** The filter of the therapist's own events: dates, kind, keyword. */
import { type EventFilter, EVENT_TYPES } from '@fieldroom/contract/events';
import { Button, Checkbox, Popover, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCalendar, IconSearch, IconX } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { useOpened } from '../../../ui/dialogs/backCloses.ts';
import { QuietButton } from '../../../ui/controls/QuietButton.tsx';
import { DateField } from '../DateField.tsx';
import { DayPicker } from '../DayPicker.tsx';
import { typeWords } from '../eventWords.ts';
import { formatDay } from '../formatting.ts';
import styles from './EventFilterBar.module.css';

const TYPED_MS = 300;

export interface EventFilterBarProps {
  filter: EventFilter;
  today: string;
  onChange(filter: EventFilter): void;
}

/** Whether the filter leaves anything out. */
export const isFiltering = ({ type, startDate, endDate, keyword, dates, infiniteFuture }: EventFilter): boolean =>
  Boolean(type || startDate || (endDate && !infiniteFuture) || keyword || dates?.length);

export function EventFilterBar({ filter, today, onChange }: EventFilterBarProps) {
  const { t } = useTranslation('my-events');
  const { t: te } = useTranslation('events');
  return (
    <div className={styles.bar} role="search" aria-label={t('filter.label')}>
      <DatesFilter filter={filter} today={today} onChange={onChange} />
      <Select
        className={styles.kind}
        aria-label={t('filter.kind')}
        data={[
          { value: '', label: t('filter.allKinds') },
          ...EVENT_TYPES.map((value) => ({ value, label: typeWords(te, value) })),
        ]}
        value={filter.type ?? ''}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => onChange({ ...filter, type: value === 'GROUP' || value === 'ONE_ON_ONE' ? value : null })}
      />
      <KeywordField
        keyword={filter.keyword ?? ''}
        onKeyword={(keyword) => onChange({ ...filter, keyword: keyword || null })}
      />
    </div>
  );
}

/** A word to look for; asked once the typing rests, not at each letter. */
function KeywordField({ keyword, onKeyword }: { keyword: string; onKeyword(keyword: string): void }) {
  const { t } = useTranslation('my-events');
  const [typed, setTyped] = useState(keyword);
  const search = useDebouncedCallback((text: string) => {
    if (text.trim() !== keyword) onKeyword(text.trim());
  }, TYPED_MS);
  const type = (text: string) => {
    setTyped(text);
    search(text);
  };
  return (
    <TextInput
      className={styles.keyword}
      type="search"
      aria-label={t('filter.keyword')}
      placeholder={t('filter.keyword')}
      maxLength={100}
      leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <QuietButton label={t('filter.clear')} size="inside" onClick={() => type('')}>
            <IconX size={18} stroke={1.75} aria-hidden />
          </QuietButton>
        )
      }
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/** The chosen dates in a few words. */
function dateWords(t: TFunction<'my-events'>, { startDate, endDate, dates, infiniteFuture }: EventFilter): string {
  const short = (day: string) => formatDay(day, currentLanguage(), { day: 'numeric', month: 'short' });
  const end = infiniteFuture ? null : endDate;
  if (dates?.length) return t('filter.days', { count: dates.length });
  if (startDate && end) return t('filter.between', { from: short(startDate), to: short(end) });
  if (startDate) return t('filter.from', { from: short(startDate) });
  return end ? t('filter.until', { to: short(end) }) : t('filter.anyDate');
}

/** Dates as a span or as single days, in a popover. */
function DatesFilter({ filter, today, onChange }: EventFilterBarProps) {
  const { t } = useTranslation('my-events');
  const [by, setBy] = useState<'span' | 'days'>(filter.dates?.length ? 'days' : 'span');
  const { opened, onChange: setOpened } = useOpened();
  const [clearings, setClearings] = useState(0);
  const words = dateWords(t, filter);
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
      width={340}
    >
      <Popover.Target>
        <Button
          variant="default"
          className={styles.dates}
          data-on={words !== t('filter.anyDate') || undefined}
          leftSection={<IconCalendar size={20} stroke={1.75} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {words}
        </Button>
      </Popover.Target>
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

function SpanFields({ filter, onChange }: Omit<EventFilterBarProps, 'today'>) {
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

function DaysPicker({ filter, today, onChange }: EventFilterBarProps) {
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
