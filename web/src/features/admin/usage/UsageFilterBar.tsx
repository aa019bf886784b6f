/** Search, state and, where the table has no heads, the order of the therapists. */
import { THERAPIST_STATES, type UsageFilter, USAGE_SORTS, type UsageSort } from '@fieldroom/contract/admin';
import { KEYWORD_MAX } from '@fieldroom/contract/lists';
import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietButton } from '../../../ui/controls/QuietButton.tsx';
import { ASK_AFTER_MS } from '../../../ui/typingTimes.ts';
import styles from './UsageFilterBar.module.css';

export interface Sorting {
  sort: UsageSort;
  descending: boolean;
}

/** Amounts and dates are wanted from the largest and latest on, words from A on. */
const FROM_LARGEST: ReadonlySet<UsageSort> = new Set(['seconds', 'sessions', 'trees', 'lastSessionOn']);

/** What a press on a column's head asks for: the other direction where it is sorted already. */
export const sortedBy = (sort: UsageSort, before: Sorting): Sorting => ({
  sort,
  descending: before.sort === sort ? !before.descending : FROM_LARGEST.has(sort),
});

type Filter = Pick<UsageFilter, 'keyword' | 'state'>;
export interface UsageFilterBarProps {
  filter: Filter;
  sorting: Sorting;
  onFilter(filter: Filter): void;
  onSort(sorting: Sorting): void;
}

/** Stands above the table of therapists. A keyword counts when typing rests, the rest at once. */
export function UsageFilterBar({ filter, sorting, onFilter, onSort }: UsageFilterBarProps) {
  const { t } = useTranslation('admin');
  return (
    <div className={styles.bar} role="search" aria-label={t('usage.find')}>
      <KeywordField keyword={filter.keyword ?? ''} onKeyword={(keyword) => onFilter({ ...filter, keyword })} />
      <Select
        className={styles.choice}
        aria-label={t('usage.state')}
        data={[
          { value: '', label: t('usage.anyState') },
          ...THERAPIST_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
        ]}
        value={filter.state ?? ''}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => onFilter({ ...filter, state: THERAPIST_STATES.find((state) => state === value) ?? null })}
      />
      <Select
        className={`${styles.choice} ${styles.order}`}
        aria-label={t('usage.order')}
        data={USAGE_SORTS.map((value) => ({ value, label: t('usage.by', { column: t(`usage.${value}`) }) }))}
        value={sorting.sort}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => {
          const sort = USAGE_SORTS.find((known) => known === value);
          if (sort && sort !== sorting.sort) onSort(sortedBy(sort, sorting));
        }}
      />
    </div>
  );
}

/** A word to look for; asked once the typing rests, not at each letter. */
function KeywordField({ keyword, onKeyword }: { keyword: string; onKeyword(keyword: string | null): void }) {
  const { t } = useTranslation('admin');
  const [typed, setTyped] = useState(keyword);
  const search = useDebouncedCallback((text: string) => {
    if (text.trim() !== keyword) onKeyword(text.trim() || null);
  }, ASK_AFTER_MS);
  const type = (text: string) => {
    setTyped(text);
    search(text);
  };
  return (
    <TextInput
      className={styles.keyword}
      type="search"
      aria-label={t('usage.keyword')}
      placeholder={t('usage.keyword')}
      maxLength={KEYWORD_MAX}
      leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <QuietButton label={t('usage.clear')} size="inside" onClick={() => type('')}>
            <IconX size={18} stroke={1.75} aria-hidden />
          </QuietButton>
        )
      }
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
