/** The filter of live sessions: from a day, to a day, and the name of somebody who was there. */
import { KEYWORD_MAX } from '@fieldroom/contract/lists';
import type { SessionFilter } from '@fieldroom/contract/sessions';
import { useTranslation } from 'react-i18next';
import { keywordFault } from '../../../platform/forms/keywordFault.ts';
import { KeywordField } from '../../../ui/controls/KeywordField.tsx';
import { DateField } from '../../events/list/index.ts';
import styles from './SessionList.module.css';

export interface SessionFilterBarProps {
  filter: SessionFilter;
  onChange(filter: SessionFilter): void;
}

/** Whether the filter excludes anything. */
export const isFiltering = ({ startDate, endDate, keyword }: SessionFilter): boolean =>
  Boolean(startDate || endDate || keyword);

/** Days apply at once, the name once typing pauses. `filter` has days as `YYYY-MM-DD`, null for any. */
export function SessionFilterBar({ filter, onChange }: SessionFilterBarProps) {
  const { t } = useTranslation('sessions');
  return (
    <div className={styles.filter} role="search" aria-label={t('filter.label')}>
      <DateField
        label={t('filter.from')}
        day={filter.startDate ?? null}
        wrong={t('filter.wrongDay')}
        onDay={(startDate) => onChange({ ...filter, startDate })}
      />
      <DateField
        label={t('filter.to')}
        day={filter.endDate ?? null}
        wrong={t('filter.wrongDay')}
        min={filter.startDate ?? null}
        onDay={(endDate) => onChange({ ...filter, endDate })}
      />
      <KeywordField
        label={t('filter.name')}
        labelShown
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
