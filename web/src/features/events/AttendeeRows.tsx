/** Rows to write people into: name, family name, e-mail, phone, each row with its own way out and, once sent, its result (dialogs 6 and 7). */
import { Button, TextInput } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { type AttendeeRow, blankRow, type RowFaults, type RowResult } from './attendees.ts';
import { faultWords } from './words.ts';
import styles from './AttendeeRows.module.css';

export interface AttendeeRowsProps {
  rows: readonly AttendeeRow[];
  onChange(rows: AttendeeRow[]): void;
  faults?: readonly RowFaults[];
  /** What became of each row; rows that are done can't be changed any more. */
  results?: readonly RowResult[];
  disabled?: boolean;
  /** The most rows there may be. */
  max?: number;
  /** One row alone, which can't be removed (dialog 7). */
  single?: boolean;
}

const FIELDS = [
  { name: 'firstName', autoComplete: 'off', inputMode: 'text' },
  { name: 'familyName', autoComplete: 'off', inputMode: 'text' },
  { name: 'email', autoComplete: 'off', inputMode: 'email' },
  { name: 'phone', autoComplete: 'off', inputMode: 'tel' },
] as const;

export function AttendeeRows({
  rows,
  onChange,
  faults = [],
  results = [],
  disabled = false,
  max = Number.POSITIVE_INFINITY,
  single = false,
}: AttendeeRowsProps) {
  const { t } = useTranslation('events');
  const list = useRef<HTMLOListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const added = useRef(false);
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    list.current?.querySelector<HTMLElement>('li:last-child input')?.focus();
  }, [rows.length]);
  const set = (index: number, name: keyof AttendeeRow, text: string) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, [name]: text } : row)));
  const remove = (index: number) => {
    onChange(rows.filter((_, at) => at !== index));
    adder.current?.focus();
  };

  return (
    <div className={styles.box}>
      <ol ref={list} className={styles.rows}>
        {rows.map((row, index) => {
          const result = results[index];
          const done = result?.state === 'done';
          return (
            // Rows have no identity of their own; removing one shifts the others, which are controlled.
            // eslint-disable-next-line react/no-array-index-key
            <li key={index} className={styles.row}>
              <div className={styles.fields} role="group" aria-label={t('people.row', { number: index + 1 })}>
                {FIELDS.map(({ name, autoComplete, inputMode }) => (
                  <TextInput
                    key={name}
                    label={t(`people.${name}`)}
                    value={row[name]}
                    autoComplete={autoComplete}
                    inputMode={inputMode}
                    disabled={disabled || done}
                    error={faultWords(t, name, faults[index]?.[name])}
                    onChange={(event) => set(index, name, event.currentTarget.value)}
                  />
                ))}
                {single ? null : (
                  <Button
                    variant="default"
                    className={styles.remove}
                    disabled={disabled || done}
                    aria-label={t('people.remove', { number: index + 1 })}
                    onClick={() => remove(index)}
                  >
                    <IconTrash size={20} stroke={1.75} aria-hidden />
                    <span className={styles.removeWord}>{t('people.removeWord')}</span>
                  </Button>
                )}
              </div>
              {result && result.state !== 'waiting' ? (
                <p className={styles.result} data-state={result.state} role="status">
                  {result.state === 'done' ? (
                    <IconCircleCheck size={18} stroke={1.75} aria-hidden />
                  ) : result.state === 'failed' ? (
                    <IconAlertCircle size={18} stroke={1.75} aria-hidden />
                  ) : null}
                  {result.state === 'failed'
                    ? problemText(sayProblem, result.problem)
                    : result.state === 'done'
                      ? t('people.done')
                      : t('people.sending')}
                </p>
              ) : null}
            </li>
          );
        })}
      </ol>
      {single ? null : (
        <Button
          ref={adder}
          variant="default"
          leftSection={<IconPlus size={20} stroke={1.75} aria-hidden />}
          disabled={disabled || rows.length >= max}
          onClick={() => {
            added.current = true;
            onChange([...rows, blankRow()]);
          }}
        >
          {rows.length === 0 ? t('people.add') : t('people.another')}
        </Button>
      )}
    </div>
  );
}
