/** The filter of one's own events (specification section 3): dates, kind, keyword. */
import type { EventFilter } from '@fieldroom/contract/events';
import { Button, Checkbox, Popover, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconCalendar, IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { QuietButton } from '../../ui/QuietButton.tsx';
import { Calendar } from './Calendar.tsx';
import { formatDay } from './events.format.ts';
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
  const language = currentLanguage();
  const [typed, setTyped] = useState(filter.keyword ?? '');
  const [by, setBy] = useState<'span' | 'days'>(filter.dates?.length ? 'days' : 'span');
  const [opened, setOpened] = useState(false);

  // Asked once the hand rests, not at each letter.
  useEffect(() => {
    if (typed.trim() === (filter.keyword ?? '')) return undefined;
    const timer = setTimeout(() => onChange({ ...filter, keyword: typed.trim() || null }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, filter, onChange]);

  const short = (day: string) => formatDay(day, language, { day: 'numeric', month: 'short' });
  const { startDate, endDate, dates, infiniteFuture } = filter;
  const end = infiniteFuture ? null : endDate;
  const dateWords = dates?.length
    ? t('filter.days', { count: dates.length })
    : startDate && end
      ? t('filter.between', { from: short(startDate), to: short(end) })
      : startDate
        ? t('filter.from', { from: short(startDate) })
        : end
          ? t('filter.until', { to: short(end) })
          : t('filter.anyDate');
  const pick = (day: string) => {
    const now = new Set(dates ?? []);
    if (!now.delete(day)) now.add(day);
    onChange({
      ...filter,
      startDate: null,
      endDate: null,
      infiniteFuture: null,
      dates: now.size > 0 ? [...now].toSorted() : null,
    });
  };

  return (
    <div className={styles.bar} role="search" aria-label={t('filter.label')}>
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
            data-on={dateWords !== t('filter.anyDate') || undefined}
            leftSection={<IconCalendar size={20} stroke={1.75} aria-hidden />}
            onClick={() => setOpened((now) => !now)}
          >
            {dateWords}
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
              <>
                <TextInput
                  type="date"
                  label={t('filter.startDate')}
                  value={startDate ?? ''}
                  onChange={(event) =>
                    onChange({ ...filter, dates: null, startDate: event.currentTarget.value || null })
                  }
                />
                <TextInput
                  type="date"
                  label={t('filter.endDate')}
                  value={endDate ?? ''}
                  disabled={Boolean(infiniteFuture)}
                  {...(startDate ? { min: startDate } : {})}
                  onChange={(event) => onChange({ ...filter, dates: null, endDate: event.currentTarget.value || null })}
                />
                <Checkbox
                  label={t('filter.infinite')}
                  checked={Boolean(infiniteFuture)}
                  onChange={(event) =>
                    onChange({ ...filter, dates: null, infiniteFuture: event.currentTarget.checked })
                  }
                />
              </>
            ) : (
              <Calendar language={language} chosen={dates ?? []} today={today} onPick={pick} />
            )}
            <div className={styles.feet}>
              <Button
                size="sm"
                variant="subtle"
                onClick={() =>
                  onChange({ ...filter, startDate: null, endDate: null, dates: null, infiniteFuture: null })
                }
              >
                {t('filter.clear')}
              </Button>
              <Button size="sm" variant="default" onClick={() => setOpened(false)}>
                {t('filter.done')}
              </Button>
            </div>
          </div>
        </Popover.Dropdown>
      </Popover>
      <Select
        className={styles.kind}
        aria-label={t('filter.kind')}
        data={[
          { value: '', label: t('filter.allKinds') },
          { value: 'GROUP', label: t('group') },
          { value: 'ONE_ON_ONE', label: t('oneToOne') },
        ]}
        value={filter.type ?? ''}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => onChange({ ...filter, type: value === 'GROUP' || value === 'ONE_ON_ONE' ? value : null })}
      />
      <TextInput
        className={styles.keyword}
        type="search"
        aria-label={t('filter.keyword')}
        placeholder={t('filter.keyword')}
        maxLength={100}
        leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
        rightSection={
          typed === '' ? null : (
            <QuietButton label={t('filter.clear')} size="inside" onClick={() => setTyped('')}>
              <IconX size={18} stroke={1.75} aria-hidden />
            </QuietButton>
          )
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  );
}
