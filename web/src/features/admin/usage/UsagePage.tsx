/**
 * Usage (/app/user-system-usage): the therapists of this installation, for admins. Rules: docs/product.md#15.1 and
 * 15.2.
 */
import {
  exportUsage,
  reinstateTherapist,
  suspendTherapist,
  type TherapistUsage,
  type UsageFilter,
} from '@fieldroom/contract/admin';
import { KEYWORD_MAX } from '@fieldroom/contract/lists';
import { Button } from '@mantine/core';
import { IconDownload, IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { useProductClock } from '../../../platform/time/useProductClock.ts';
import { useSinglePress } from '../../../platform/forms/useSinglePress.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import table from '../../../ui/dataTable.module.css';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { LoadingRows } from '../../../ui/states/LoadingRows.tsx';
import { PageButtons } from '../../../ui/controls/PageButtons.tsx';
import { saveFile } from '../../../ui/saveFile.ts';
import { dayAt } from '../../events/index.ts';
import { adminQueries, USAGE_PAGE_SIZE } from '../adminQueries.ts';
import { nameOf, numberWords } from '../adminWords.ts';
import { type Sorting, UsageFilterBar } from './UsageFilterBar.tsx';
import { USAGE_LIST, UsageTable } from './UsageTable.tsx';
import styles from './UsagePage.module.css';

interface Wanted {
  filter: Pick<UsageFilter, 'keyword' | 'state'>;
  sorting: Sorting;
  page: number;
}

const isFiltering = ({ keyword, state }: Wanted['filter']) => Boolean(keyword ?? state);

/** Suspends and reinstates, one at a time, and remembers the last result. */
function useStanding() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ therapist, suspend }: { therapist: TherapistUsage; suspend: boolean }) =>
      api.call(suspend ? suspendTherapist : reinstateTherapist, { params: { therapistId: therapist.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: adminQueries.usage() }),
  });
}

/** The therapists, starting with the one in the address. */
export function UsagePage() {
  const { keyword } = useSearch({ strict: false }) as { keyword?: unknown };
  const named = typeof keyword === 'string' ? keyword.slice(0, KEYWORD_MAX) : undefined;
  return <Usage key={named} keyword={named} />;
}

function Usage({ keyword }: { keyword: string | undefined }) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation('common');
  const [wanted, setWanted] = useState<Wanted>({
    filter: keyword === undefined ? {} : { keyword },
    sorting: { sort: 'name', descending: false },
    page: 0,
  });
  /** How often the filter was cleared from the empty list: each time its fields start again. */
  const [clearings, setClearings] = useState(0);
  const filter: UsageFilter = { ...wanted.filter, ...wanted.sorting };
  const asked = useQuery(adminQueries.usagePage(filter, wanted.page));
  const { data: found } = asked;
  /** The therapist in the question about a suspension. */
  const [suspending, setSuspending] = useState<number | null>(null);
  const standing = useStanding();
  const act = useSinglePress(standing.mutateAsync);
  const sortBy = (sorting: Sorting) => setWanted({ ...wanted, sorting, page: 0 });

  // The last therapist of the last page may be gone.
  useEffect(() => {
    if (found && found.content.length === 0 && found.page > 0 && found.totalElements > 0)
      setWanted((before) => ({ ...before, page: Math.ceil(found.totalElements / USAGE_PAGE_SIZE) - 1 }));
  }, [found]);

  return (
    <>
      <Download filter={filter} disabled={!found || found.totalElements === 0} />
      <UsageFilterBar
        key={clearings}
        filter={wanted.filter}
        sorting={wanted.sorting}
        onFilter={(next) => setWanted({ ...wanted, filter: next, page: 0 })}
        onSort={sortBy}
      />
      <Told standing={standing} />
      {asked.error ? (
        <LoadFault
          text={`${t('usage.loadFailed')} ${problemText(sayProblem, asked.error)}`}
          retry={tc('tryAgain')}
          onRetry={() => void asked.refetch()}
        />
      ) : null}
      {!found && !asked.error ? <LoadingRows label={tc('loading')} /> : null}
      {found?.totalElements === 0 ? (
        <NobodyFound
          filtering={isFiltering(wanted.filter)}
          onClear={() => {
            setClearings(clearings + 1);
            setWanted({ ...wanted, filter: {}, page: 0 });
          }}
        />
      ) : null}
      {found && found.content.length > 0 ? (
        <UsageTable
          therapists={found.content}
          busy={asked.isPlaceholderData}
          sorting={wanted.sorting}
          onSort={sortBy}
          asked={suspending}
          acting={standing.isPending ? standing.variables.therapist.id : null}
          onAsk={setSuspending}
          onStanding={(therapist, suspend) => act({ therapist, suspend }, { onSettled: () => setSuspending(null) })}
        />
      ) : null}
      {found ? (
        <Foot
          shown={found.content.length}
          total={found.totalElements}
          page={wanted.page}
          onPage={(page) => setWanted({ ...wanted, page })}
        />
      ) : null}
    </>
  );
}

/** All therapists that the filter finds, as a file. */
function Download({ filter, disabled }: { filter: UsageFilter; disabled: boolean }) {
  const { t } = useTranslation('admin');
  const clock = useProductClock();
  const saving = useMutation({
    mutationFn: async () => {
      const bytes = await api.call(exportUsage, { body: filter });
      saveFile(bytes, `${t('usage.file')}-${dayAt(clock(), browserZone())}.csv`);
    },
  });
  const save = useSinglePress(saving.mutateAsync);
  return (
    <>
      <div className={styles.top}>
        <Button
          variant="default"
          disabled={disabled}
          loading={saving.isPending}
          leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
          onClick={() => save()}
        >
          {t('usage.csv')}
        </Button>
      </div>
      <div role="status" className={table.told}>
        {saving.isSuccess ? <span className="fr-hidden">{t('usage.csvSaved')}</span> : null}
        {saving.error ? (
          <Callout tone="fault">
            {t('usage.csvFailed')} {problemText(sayProblem, saving.error)}
          </Callout>
        ) : null}
      </div>
    </>
  );
}

/** The result of the last suspension or reinstatement. */
function Told({ standing: { isSuccess, error, variables } }: { standing: ReturnType<typeof useStanding> }) {
  const { t } = useTranslation('admin');
  const name = variables ? nameOf(variables.therapist) : '';
  return (
    <div role="status" className={table.told}>
      {isSuccess ? (
        <Callout tone="done">
          {variables.suspend ? t('usage.suspended', { name }) : t('usage.reinstated', { name })}
        </Callout>
      ) : null}
      {error ? (
        <Callout tone="fault">
          {t('usage.unchanged', { name })} {problemText(sayProblem, error)}
        </Callout>
      ) : null}
    </div>
  );
}

function NobodyFound({ filtering, onClear }: { filtering: boolean; onClear(): void }) {
  const { t } = useTranslation('admin');
  return (
    <EmptyState
      picture={<IconUsersGroup size={30} stroke={1.5} />}
      title={filtering ? t('usage.notFound') : t('usage.none')}
      text={filtering ? t('usage.notFoundText') : t('usage.noneText')}
    >
      {filtering ? (
        <Button variant="default" onClick={onClear}>
          {t('usage.clear')}
        </Button>
      ) : null}
    </EmptyState>
  );
}

interface FootProps {
  shown: number;
  total: number;
  page: number;
  onPage(page: number): void;
}

function Foot({ shown, total, page, onPage }: FootProps) {
  const { t } = useTranslation('admin');
  const pages = Math.max(1, Math.ceil(total / USAGE_PAGE_SIZE));
  return (
    <div className={table.foot}>
      <p>{total > 0 ? t('usage.count', { shown: numberWords(shown), count: total }) : null}</p>
      <PageButtons page={page} pages={pages} onPage={onPage} list={USAGE_LIST} label={t('usage.pages')} />
    </div>
  );
}
