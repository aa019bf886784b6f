/** The entries of a file: the latest first, from a level on. Nothing in their texts can act or reverse text. */
import { LOG_LEVELS, type LogLevel, type LogLine, passes, visible } from '@fieldroom/contract/logs';
import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingRows } from '../../../ui/states/LoadingRows.tsx';
import { adminQueries } from '../adminQueries.ts';
import { momentWords, numberWords } from '../adminWords.ts';
import { Fault } from './Fault.tsx';
import styles from './LogEntries.module.css';
import { useFileWords } from './useFileWords.ts';

/** Entries that are drawn at first, and with each press for more. A file may hold ten thousand. */
const STEP = 100;
/** `Off` would show nothing. */
const THRESHOLDS = LOG_LEVELS.filter((level) => level !== 'Off');

export interface LogEntriesProps {
  day: string;
  therapistId: number;
  fileName: string;
}

/**
 * Fetches one file, filters it by level in the browser and shows it in steps of 100 entries. Takes the day as
 * `YYYY-MM-DD` (UTC). Characters that cannot be seen show as their numbers (docs/product.md#15.4).
 */
export function LogEntries({ day, therapistId, fileName }: LogEntriesProps) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation('common');
  const title = useFileWords()(fileName);
  const asked = useQuery(adminQueries.logLines(day, therapistId, fileName));
  const [level, setLevel] = useState<LogLevel>('All');
  const [drawn, setDrawn] = useState(STEP);
  const passing = asked.data?.filter((line) => passes(line.level, level)) ?? [];
  const shown = passing.slice(0, drawn);
  return (
    <section className={styles.entries} aria-label={t('logs.of', { file: title })}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <Select
          className={styles.level}
          label={t('logs.level')}
          data={THRESHOLDS.map((value) => ({ value, label: t(`logs.from.${value}`) }))}
          value={level}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(value) => {
            setLevel(THRESHOLDS.find((known) => known === value) ?? 'All');
            setDrawn(STEP);
          }}
        />
      </div>
      <Fault what={t('logs.entriesFailed')} asked={asked} />
      {asked.isPending ? <LoadingRows label={tc('loading')} rows={3} /> : null}
      {asked.data ? (
        <p role="status" className={styles.count}>
          {passing.length === 0
            ? t('logs.noEntry')
            : t('logs.count', { shown: numberWords(shown.length), count: passing.length })}
        </p>
      ) : null}
      {shown.length > 0 ? (
        <ol className={styles.list}>
          {shown.map((line, index) => (
            <Entry key={index} line={line} />
          ))}
        </ol>
      ) : null}
      {shown.length < passing.length ? (
        <Button variant="default" onClick={() => setDrawn(drawn + STEP)}>
          {t('logs.more')}
        </Button>
      ) : null}
    </section>
  );
}

function Entry({ line: { date, level, message, info } }: { line: LogLine }) {
  const { t } = useTranslation('admin');
  return (
    <li>
      <p className={styles.what}>
        <span className={styles.chip} data-level={level}>
          {t(`logs.levels.${level}`)}
        </span>
        <time dateTime={date}>{momentWords(date)}</time>
        <strong>{visible(message)}</strong>
      </p>
      {info.length > 0 ? (
        <ul className={styles.info}>
          {info.map((text, index) => (
            <li key={index}>{visible(text)}</li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
