/** The filter of the therapist's own events: dates, kind, keyword. */
import { type EventFilter, EVENT_TYPES } from '@fieldroom/contract/events';
import { KEYWORD_MAX } from '@fieldroom/contract/lists';
import { Button, NativeSelect } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { cloneElement, createElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../../platform/i18n/app.ts';
import { keywordFault } from '../../../../platform/forms/keywordFault.ts';
import { KeywordField } from '../../../../ui/controls/KeywordField.tsx';
import { lazyPart, useLazyPart } from '../../../../ui/lazy/lazyPart.ts';
import { typeWords } from '../../eventWords.ts';
import { formatDay } from '../../formatting.ts';
import type { FilterProps } from './DatesPopover.tsx';
import styles from './EventFilterBar.module.css';

/** The popover of the dates, for `useWarmUp`. */
export const datesPopover = lazyPart(() => import('./DatesPopover.tsx').then((module) => module.DatesPopover));

/** Whether the filter excludes anything. */
export const isFiltering = ({ type, startDate, endDate, keyword, dates, infiniteFuture }: EventFilter): boolean =>
  Boolean(type || startDate || (endDate && !infiniteFuture) || keyword || dates?.length);

/** Above list and calendar. Each change applies at once, the keyword once typing pauses. `today` is `YYYY-MM-DD`. */
export function EventFilterBar({ filter, today, onChange }: FilterProps) {
  const { t } = useTranslation('my-events');
  const { t: te } = useTranslation('events');
  return (
    <div className={styles.bar} role="search" aria-label={t('filter.label')}>
      <DatesFilter filter={filter} today={today} onChange={onChange} />
      <NativeSelect
        className={styles.kind}
        aria-label={t('filter.kind')}
        data={[
          { value: '', label: t('filter.allKinds') },
          ...EVENT_TYPES.map((value) => ({ value, label: typeWords(te, value) })),
        ]}
        value={filter.type ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filter, type: value === 'GROUP' || value === 'ONE_ON_ONE' ? value : null })
        }
      />
      <KeywordField
        label={t('filter.keyword')}
        clearLabel={t('filter.clear')}
        className={styles.keyword}
        maxLength={KEYWORD_MAX}
        faultOf={keywordFault}
        keyword={filter.keyword ?? ''}
        onKeyword={(keyword) => onChange({ ...filter, keyword })}
      />
    </div>
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

/** The button of the dates. Its popover is fetched, and mounted, at its first press. */
function DatesFilter(props: FilterProps) {
  const { t } = useTranslation('my-events');
  const [pressed, setPressed] = useState(false);
  const popover = useLazyPart(datesPopover, pressed, () => setPressed(false));
  const words = dateWords(t, props.filter);
  const button = (
    <Button
      variant="default"
      className={styles.dates}
      data-on={words !== t('filter.anyDate') || undefined}
      leftSection={<IconCalendar size={20} stroke={1.75} aria-hidden />}
    >
      {words}
    </Button>
  );
  if (popover) return createElement(popover, { ...props, target: button });
  return cloneElement(button, { 'aria-haspopup': 'dialog', 'aria-expanded': false, onClick: () => setPressed(true) });
}
