/** Therapists, a row each. A row asks before a suspension, and suspends on the second press. */
import type { TherapistUsage, UsageSort } from '@fieldroom/contract/admin';
import { Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { hoursAndMinutes } from '../../../platform/i18n/durations.ts';
import { type FocusBack, useFocusBack } from '../../../ui/controls/useFocusBack.ts';
import table from '../../../ui/dataTable.module.css';
import { ownId } from '../adminQueries.ts';
import { instantWords, nameOf, numberWords } from '../adminWords.ts';
import { type Sorting, sortedBy } from './UsageFilterBar.tsx';
import styles from './UsageTable.module.css';

const COLUMNS: readonly { sort: UsageSort; number?: true }[] = [
  { sort: 'name' },
  { sort: 'email' },
  { sort: 'state' },
  { sort: 'plan' },
  { sort: 'seconds', number: true },
  { sort: 'sessions', number: true },
  { sort: 'trees', number: true },
  { sort: 'lastSessionOn' },
];

/** The id of the table. */
export const USAGE_LIST = 'usage-list';

interface RowActs {
  /** Asks whether this therapist should be suspended; null withdraws the question. */
  onAsk(therapistId: number | null): void;
  onStanding(therapist: TherapistUsage, suspend: boolean): void;
}

export interface UsageTableProps extends RowActs {
  therapists: readonly TherapistUsage[];
  /** Other rows are being fetched. */
  busy: boolean;
  sorting: Sorting;
  onSort(sorting: Sorting): void;
  /** The therapist in the question, and the one who is being suspended or reinstated. */
  asked: number | null;
  acting: number | null;
}

/**
 * Sorted by pressing a column's head (docs/product.md#15.1). Admins cannot suspend themselves (docs/product.md#15.2).
 */
export function UsageTable({ therapists, busy, sorting, onSort, asked, acting, ...acts }: UsageTableProps) {
  const { t } = useTranslation('admin');
  const opener = useFocusBack<number>();
  return (
    <div className={table.frame} aria-busy={busy}>
      <table id={USAGE_LIST} tabIndex={-1} className={`${table.table} ${styles.table}`} aria-label={t('usage.title')}>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <Head key={column.sort} {...column} sorting={sorting} onSort={onSort} />
            ))}
            <th scope="col">
              <span className="fr-hidden">{t('usage.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {therapists.map((therapist) =>
            therapist.id === asked ? (
              <QuestionRow
                key={therapist.id}
                therapist={therapist}
                acting={acting}
                {...acts}
                onAsk={(id) => {
                  opener.expect(therapist.id);
                  acts.onAsk(id);
                }}
              />
            ) : (
              <TherapistRow key={therapist.id} therapist={therapist} acting={acting} opener={opener} {...acts} />
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  sort: UsageSort;
  number?: true;
  sorting: Sorting;
  onSort(sorting: Sorting): void;
}

function Head({ sort, number, sorting, onSort }: HeadProps) {
  const { t } = useTranslation('admin');
  const sorted = sorting.sort === sort;
  const direction = sorting.descending ? 'descending' : 'ascending';
  const SortedIcon = sorting.descending ? IconArrowDown : IconArrowUp;
  const HeadIcon = sorted ? SortedIcon : IconArrowsSort;
  return (
    <th scope="col" data-number={number} {...(sorted ? { 'aria-sort': direction } : {})}>
      <button
        type="button"
        className={styles.sort}
        data-sorted={sorted || undefined}
        onClick={() => onSort(sortedBy(sort, sorting))}
      >
        {t(`usage.${sort}`)}
        <HeadIcon size={16} stroke={1.75} aria-hidden />
      </button>
    </th>
  );
}

interface RowProps extends RowActs {
  therapist: TherapistUsage;
  acting: number | null;
}

interface TherapistRowProps extends RowProps {
  /** Gets the focus back after the question. */
  opener: FocusBack<number>;
}

function TherapistRow({ therapist, acting, opener, onAsk, onStanding }: TherapistRowProps) {
  const { t } = useTranslation('admin');
  const { email, state, plan, counting, seconds, sessions, trees, lastSessionOn } = therapist;
  return (
    <tr>
      <th scope="row">{nameOf(therapist)}</th>
      <td data-label={t('usage.email')} className={styles.email}>
        {email}
      </td>
      <td data-label={t('usage.state')}>
        <span className={styles.chip} data-state={state}>
          {t(`state.${state}`)}
        </span>
      </td>
      <td data-label={t('usage.plan')} data-whole>
        {t(`plan.${plan}`)}
      </td>
      <td data-number data-label={t('usage.seconds')}>
        <span className={styles.hours}>
          {counting ? (
            <span className={styles.running} title={t('usage.running')}>
              <span className="fr-hidden">{t('usage.running')}</span>
            </span>
          ) : null}
          {hoursAndMinutes(seconds)}
        </span>
      </td>
      <td data-number data-label={t('usage.sessions')}>
        {numberWords(sessions)}
      </td>
      <td data-number data-label={t('usage.trees')}>
        {numberWords(trees)}
      </td>
      <td data-whole data-label={t('usage.lastSessionOn')}>
        {lastSessionOn === null ? t('usage.never') : instantWords(lastSessionOn)}
      </td>
      <td className={table.act}>
        <Standing therapist={therapist} acting={acting} opener={opener} onAsk={onAsk} onStanding={onStanding} />
      </td>
    </tr>
  );
}

/** Suspends or reinstates. Admins cannot lock themselves out. */
function Standing({ therapist, acting, opener, onAsk, onStanding }: TherapistRowProps) {
  const { t } = useTranslation('admin');
  const name = nameOf(therapist);
  if (therapist.id === ownId()) return <span className={styles.you}>{t('usage.you')}</span>;
  if (therapist.state === 'suspended')
    return (
      <Button
        size="sm"
        variant="default"
        disabled={acting !== null && acting !== therapist.id}
        loading={acting === therapist.id}
        aria-label={t('usage.reinstateName', { name })}
        onClick={() => onStanding(therapist, false)}
      >
        {t('usage.reinstate')}
      </Button>
    );
  return (
    <Button
      ref={opener.ref(therapist.id)}
      size="sm"
      variant="default"
      disabled={acting !== null}
      aria-label={t('usage.suspendName', { name })}
      onClick={() => onAsk(therapist.id)}
    >
      {t('usage.suspend')}
    </Button>
  );
}

function QuestionRow({ therapist, acting, onAsk, onStanding }: RowProps) {
  const { t } = useTranslation('admin');
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const busy = acting !== null;
  const question = t('usage.ask', { name: nameOf(therapist) });
  return (
    <tr className={styles.asking}>
      <td colSpan={COLUMNS.length + 1}>
        <div className={styles.question} role="group" aria-label={question}>
          <div>
            <strong>{question}</strong>
            <span>{t('usage.askText')}</span>
          </div>
          <span className={styles.answers}>
            <Button
              ref={keep}
              size="sm"
              variant="default"
              disabled={busy}
              onClick={() => onAsk(null)}
              onKeyDown={({ key }) => {
                if (key === 'Escape') onAsk(null);
              }}
            >
              {t('usage.keep')}
            </Button>
            <Button size="sm" color="danger" loading={busy} onClick={() => onStanding(therapist, true)}>
              {t('usage.suspend')}
            </Button>
          </span>
        </div>
      </td>
    </tr>
  );
}
