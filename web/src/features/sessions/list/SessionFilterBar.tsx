/** The filter of live sessions: from a day, to a day, and the name of somebody who was there. */
import { KEYWORD_MAX } from '@fieldroom/contract/lists';
import type { SessionFilter } from '@fieldroom/contract/sessions';
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietButton } from '../../../ui/controls/QuietButton.tsx';
import { ASK_AFTER_MS } from '../../../ui/typingTimes.ts';
import { DateField } from '../../events/list/index.ts';
import styles from './SessionList.module.css';

export interface SessionFilterBarProps {
  filter: SessionFilter;
  onChange(filter: SessionFilter): void;
}

/** Whether the filter leaves anything out. */
export const isFiltering = ({ startDate, endDate, keyword }: SessionFilter): boolean =>
  Boolean(startDate || endDate || keyword);

/** Days count at once, the name when typing rests. `filter` has days as `YYYY-MM-DD`, null for any. */
export function SessionFilterBar({ filter, onChange }: SessionFilterBarProps) {
  const { t } = useTranslation('sessions');
  const [typed, setTyped] = useState(filter.keyword ?? '');
  // The days may change while the typing rests: what is asked has both.
  const search = useDebouncedCallback((text: string) => {
    if (text.trim() !== (filter.keyword ?? '')) onChange({ ...filter, keyword: text.trim() || null });
  }, ASK_AFTER_MS);
  const type = (text: string) => {
    setTyped(text);
    search(text);
  };
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
      <TextInput
        className={styles.keyword}
        type="search"
        label={t('filter.name')}
        maxLength={KEYWORD_MAX}
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
    </div>
  );
}
