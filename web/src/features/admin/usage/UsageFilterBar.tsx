/** Search, state and, if the table has no headings, the order of the therapists. */
import { THERAPIST_STATES, type UsageFilter, USAGE_SORTS, type UsageSort } from '@fieldroom/contract/admin';
import { KEYWORD_MAX } from '@fieldroom/contract/lists';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { keywordFault } from '../../../platform/forms/keywordFault.ts';
import { KeywordField } from '../../../ui/controls/KeywordField.tsx';
import styles from './UsageFilterBar.module.css';

export interface Sorting {
  sort: UsageSort;
  descending: boolean;
}

/** Amounts and dates start with the largest and latest, words with A. */
const FROM_LARGEST: ReadonlySet<UsageSort> = new Set(['seconds', 'sessions', 'trees', 'lastSessionOn']);

/** The order after a press on a column's heading: the other direction if the table is already sorted by it. */
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

/** Shown above the table of therapists. A keyword applies once typing pauses, everything else at once. */
export function UsageFilterBar({ filter, sorting, onFilter, onSort }: UsageFilterBarProps) {
  const { t } = useTranslation('admin');
  return (
    <div className={styles.bar} role="search" aria-label={t('usage.find')}>
      <KeywordField
        label={t('usage.keyword')}
        clearLabel={t('usage.clear')}
        className={styles.keyword}
        maxLength={KEYWORD_MAX}
        faultOf={keywordFault}
        keyword={filter.keyword ?? ''}
        onKeyword={(keyword) => onFilter({ ...filter, keyword })}
      />
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
