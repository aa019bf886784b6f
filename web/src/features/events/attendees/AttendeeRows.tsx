/**
 * Rows to enter people: name, family name, email, phone. Each row can be removed and shows its result once it was sent.
 */
import { inNameOrder } from '@fieldroom/contract/names';
import { Button, TextInput } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { type AttendeeRow, blankRow, type RowFaults, type RowResult } from './attendeeInput.ts';
import { faultWords } from '../eventWords.ts';
import styles from './AttendeeRows.module.css';

export interface AttendeeRowsProps {
  rows: readonly AttendeeRow[];
  onChange(rows: AttendeeRow[]): void;
  faults?: readonly RowFaults[];
  /** The result of each row; finished rows can't be changed. */
  results?: readonly RowResult[];
  disabled?: boolean;
  /** Maximum number of rows. */
  max?: number;
  /** A single row, which can't be removed. */
  single?: boolean;
}

const FIRST_NAME = { name: 'firstName', autoComplete: 'off', inputMode: 'text' } as const;
const FAMILY_NAME = { name: 'familyName', autoComplete: 'off', inputMode: 'text' } as const;
const OTHER_FIELDS = [
  { name: 'email', autoComplete: 'off', inputMode: 'email' },
  { name: 'phone', autoComplete: 'off', inputMode: 'tel' },
] as const;
type Field = typeof FIRST_NAME | typeof FAMILY_NAME;

/**
 * Used in the programme form and in the dialog that adds people. The caller keeps rows, faults and results by index.
 */
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
  const remove = (index: number) => {
    onChange(rows.filter((_, at) => at !== index));
    adder.current?.focus();
  };

  return (
    <div className={styles.box}>
      <ol ref={list} className={styles.rows}>
        {rows.map((row, index) => (
          // Rows have no identity of their own; removing one shifts the others, which are controlled.
          // eslint-disable-next-line react/no-array-index-key
          <li key={index} className={styles.row}>
            <RowFields
              row={row}
              number={index + 1}
              faults={faults[index] ?? {}}
              disabled={disabled || results[index]?.state === 'done'}
              onChange={(next) => onChange(rows.with(index, next))}
              {...(single ? {} : { onRemove: () => remove(index) })}
            />
            <Result result={results[index]} />
          </li>
        ))}
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
          {rows.length >= max ? t('people.full') : rows.length === 0 ? t('people.add') : t('people.another')}
        </Button>
      )}
    </div>
  );
}

interface RowFieldsProps {
  row: AttendeeRow;
  /** Of the row, from 1. */
  number: number;
  faults: RowFaults;
  disabled: boolean;
  onChange(row: AttendeeRow): void;
  /** Left out for a row that can't be removed. */
  onRemove?(): void;
}

function RowFields({ row, number, faults, disabled, onChange, onRemove }: RowFieldsProps) {
  const { t } = useTranslation('events');
  return (
    <div className={styles.fields} role="group" aria-label={t('people.row', { number })}>
      {[...inNameOrder<Field>(currentLanguage(), FIRST_NAME, FAMILY_NAME), ...OTHER_FIELDS].map(
        ({ name, autoComplete, inputMode }) => (
          <TextInput
            key={name}
            label={t(`people.${name}`)}
            value={row[name]}
            autoComplete={autoComplete}
            inputMode={inputMode}
            disabled={disabled}
            error={faultWords(t, name, faults[name])}
            onChange={(event) => onChange({ ...row, [name]: event.currentTarget.value })}
          />
        ),
      )}
      {onRemove ? (
        <Button
          variant="default"
          className={styles.remove}
          disabled={disabled}
          aria-label={t('people.remove', { number })}
          onClick={onRemove}
        >
          <IconTrash size={20} stroke={1.75} aria-hidden />
          <span className={styles.removeWord}>{t('people.removeWord')}</span>
        </Button>
      ) : null}
    </div>
  );
}

/** The result of a row that was sent. */
function Result({ result }: { result: RowResult | undefined }) {
  const { t } = useTranslation('events');
  if (!result || result.state === 'waiting') return null;
  return (
    <p className={styles.result} data-state={result.state} role="status">
      {result.state === 'done' ? <IconCircleCheck size={18} stroke={1.75} aria-hidden /> : null}
      {result.state === 'failed' ? <IconAlertCircle size={18} stroke={1.75} aria-hidden /> : null}
      {result.state === 'failed' ? problemText(sayProblem, result.problem) : t(`people.${result.state}`)}
    </p>
  );
}
