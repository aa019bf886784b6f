/**
 * How long the names of clients are stored: read from the server, set by one choice. A shorter period is confirmed
 * first, because it erases names.
 */
import { ATTENDANCE_MONTHS_OFFERED, getRetention, setRetention } from '@fieldroom/contract/retention';
import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../platform/api/index.ts';
import { sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { storage } from '../../platform/storage.ts';
import { LoadFault } from '../../ui/states/LoadFault.tsx';
import { lazyPart, OpenAfterMount, useLazyPart } from '../../ui/lazy/lazyPart.ts';

const eraseQuestion = lazyPart(() => import('./EraseQuestion.tsx').then((module) => module.EraseQuestion));

/** The offered numbers of months, and the current one even if it is not offered. */
const offered = (months: number) =>
  [...new Set([...ATTENDANCE_MONTHS_OFFERED, months])].toSorted((one, other) => one - other);

/** The number of months, and how to change it. */
function useRetention() {
  const queries = useQueryClient();
  const queryKey = ['retention', storage.get('user')?.id ?? 0];
  const kept = useQuery({ queryKey, queryFn: ({ signal }) => api.call(getRetention, { signal }) });
  const saving = useMutation({
    mutationFn: (attendanceMonths: number) => api.call(setRetention, { body: { attendanceMonths } }),
    onSuccess: (now) => queries.setQueryData(queryKey, now),
  });
  return { months: kept.data?.attendanceMonths ?? null, kept, saving };
}

/**
 * The last card of the dashboard (docs/product.md#12.4). A shorter period is saved only after `EraseQuestion`; longer
 * ones at once. `className` is that of the cards around.
 */
export function RetentionCard({ className }: { className: string | undefined }) {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  const { months, kept, saving } = useRetention();
  /** A shorter period that waits for its confirmation. */
  const [asked, setAsked] = useState<number | null>(null);
  const keep = () => setAsked(null);
  const question = useLazyPart(eraseQuestion, asked !== null, keep);
  const save = (wanted: number) => {
    setAsked(null);
    saving.mutate(wanted);
  };
  const choose = (wanted: number) => {
    if (months !== null && wanted < months) setAsked(wanted);
    else save(wanted);
  };
  const choices = (months === null ? [] : offered(months)).map((count) => ({
    value: String(count),
    label: t('retention.months', { count }),
  }));

  return (
    <section className={className}>
      <h2>{t('retention.title')}</h2>
      <p>{t('retention.text')}</p>
      {months === null && kept.error ? (
        <LoadFault
          text={problemText(sayProblem, kept.error)}
          retry={tc('tryAgain')}
          onRetry={() => void kept.refetch()}
        />
      ) : (
        <NativeSelect
          mt="md"
          label={t('retention.label')}
          disabled={months === null || saving.isPending}
          value={months ?? ''}
          error={saving.error ? problemText(sayProblem, saving.error) : null}
          data={months === null ? [''] : choices}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        />
      )}
      <p role="status">{saving.isSuccess ? t('retention.saved') : ''}</p>
      {question && (
        <OpenAfterMount
          dialog={question}
          given={{
            opened: asked !== null,
            months: asked,
            onKeep: keep,
            onErase: () => {
              if (asked !== null) save(asked);
            },
          }}
        />
      )}
    </section>
  );
}
