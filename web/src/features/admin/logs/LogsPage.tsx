/**
 * Browser logs (/app/browser-logs): a day, a therapist, files, and the entries of one. Rules: docs/product.md#12.18 and
 * 15.4.
 */
import { Select } from '@mantine/core';
import { IconMoodCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { LoadingRows } from '../../../ui/states/LoadingRows.tsx';
import { adminQueries } from '../adminQueries.ts';
import { nameOf, numberWords, utcDayWords } from '../adminWords.ts';
import { LogEntries } from './LogEntries.tsx';
import { LogFiles } from './LogFiles.tsx';
import { Fault } from './Fault.tsx';
import styles from './LogsPage.module.css';

/** Opens with the latest day and its first therapist, and returns to these if the chosen ones no longer exist. */
export function LogsPage() {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation('common');
  const days = useQuery(adminQueries.logDays());
  const [chosenDay, setChosenDay] = useState<string | null>(null);
  const [chosenOwner, setChosenOwner] = useState<number | null>(null);
  const [chosenFile, setChosenFile] = useState<string | null>(null);

  // The chosen day or therapist may no longer exist; the latest day and the first therapist are shown at once.
  const day = days.data?.find(({ date }) => date === chosenDay)?.date ?? days.data?.[0]?.date ?? null;
  const owners = useQuery(adminQueries.logOwners(day));
  const owner =
    owners.data?.find(({ therapistId }) => therapistId === chosenOwner)?.therapistId ??
    owners.data?.[0]?.therapistId ??
    null;
  const files = useQuery(adminQueries.logFiles(day, owner));
  const file = files.data?.find(({ fileName }) => fileName === chosenFile)?.fileName ?? null;

  if (days.data?.length === 0) return <NothingYet />;
  return (
    <>
      <p className={styles.lead}>{t('logs.lead')}</p>
      <Fault what={t('logs.daysFailed')} asked={days} />
      {days.isPending ? <LoadingRows label={tc('loading')} rows={3} /> : null}
      {days.data ? (
        <div className={styles.bar}>
          <Select
            className={styles.choice}
            label={t('logs.day')}
            data={days.data.map(({ date, entries }) => ({
              value: date,
              label: t('logs.ofDay', { day: utcDayWords(date), shown: numberWords(entries), count: entries }),
            }))}
            value={day}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={setChosenDay}
          />
          <Select
            className={styles.choice}
            label={t('logs.therapist')}
            data={(owners.data ?? []).map(({ therapistId, ...names }) => ({
              value: String(therapistId),
              label: t('logs.ofTherapist', { name: nameOf(names), id: therapistId }),
            }))}
            value={owner === null ? null : String(owner)}
            allowDeselect={false}
            searchable
            nothingFoundMessage={t('logs.nobody')}
            comboboxProps={{ withinPortal: false }}
            onChange={(value) => setChosenOwner(Number(value))}
          />
        </div>
      ) : null}
      <Fault what={t('logs.ownersFailed')} asked={owners} />
      <Fault what={t('logs.filesFailed')} asked={files} />
      {day !== null && !files.data && !owners.error && !files.error ? (
        <LoadingRows label={tc('loading')} rows={3} />
      ) : null}
      {day !== null && owner !== null && files.data && files.data.length > 0 ? (
        <LogFiles day={day} therapistId={owner} files={files.data} shown={file} onShow={setChosenFile} />
      ) : null}
      {day !== null && owner !== null && file !== null ? (
        <LogEntries key={`${day} ${owner} ${file}`} day={day} therapistId={owner} fileName={file} />
      ) : null}
    </>
  );
}

function NothingYet() {
  const { t } = useTranslation('admin');
  return (
    <EmptyState picture={<IconMoodCheck size={30} stroke={1.5} />} title={t('logs.none')} text={t('logs.noneText')} />
  );
}
