/**
 * Adds people to an event: rows for a group, one row for a one-on-one event. One call per row; only failed rows are
 * sent again.
 */
import type { OwnEvent } from '@fieldroom/contract/events';
import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../platform/api/index.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { Callout } from '../../../ui/states/Callout.tsx';
import { useDiscardQuestion } from '../dialog/useDiscardQuestion.tsx';
import { AttendeeRows } from './AttendeeRows.tsx';
import {
  addRows,
  type AttendeeRow,
  blankRow,
  checkRows,
  faultsLeft,
  isBlank,
  type RowFaults,
  rowField,
  type RowResult,
} from './attendeeInput.ts';

export interface AddAttendeesDialogProps {
  event: OwnEvent;
  /** Places that are free when it opens. */
  free: number;
  /** Returns to the list. Called with the number of added people. */
  onBack(added: number): void;
}

/**
 * Opened from the list of participants (docs/product.md#9.15). Rows that were added stay with their result, and cannot
 * be changed. Leaving asks while a row has values that were not added (docs/product.md#9.25).
 */
export function AddAttendeesDialog({ event, free, onBack }: AddAttendeesDialogProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const single = event.type === 'ONE_ON_ONE';
  // The list behind is fetched again, and then also counts those who were added here.
  const [places] = useState(free);
  const [rows, setRows] = useState<AttendeeRow[]>(() => [blankRow()]);
  const [faults, setFaults] = useState<RowFaults[]>([]);
  const [results, setResults] = useState<readonly RowResult[]>([]);
  const [submitted, setSubmitted] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  /** The number of people added here: they take free places. */
  const added = results.filter(({ state }) => state === 'done').length;
  const failed = results.filter(({ state }) => state === 'failed').length;

  const save = async () => {
    if (submitted) return;
    // An empty row is not a person, and is removed; one of them stays to be filled in.
    const used = rows.map((row, index) => results[index]?.state === 'done' || !isBlank(row));
    const people = used.some(Boolean) ? rows.filter((_, index) => used[index]) : rows.slice(0, 1);
    const known = results.filter((_, index) => used[index]);
    const found = checkRows(people);
    setRows(people);
    setResults(known);
    setFaults(found);
    if (found.some((row) => Object.keys(row).length > 0)) {
      requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setSubmitted(true);
    const ended = await addRows(event.id, people, known, setResults);
    if (ended.every(({ state }) => state === 'done')) return onBack(ended.length);
    // Successful rows are shown until the next try, which is only about the others.
    setFaults(
      ended.map((result): RowFaults => {
        if (result.state !== 'failed' || !(result.problem instanceof ApiProblem)) return {};
        return Object.fromEntries(
          result.problem.fields.flatMap(({ path, code }) => (rowField(path) ? [[rowField(path), code]] : [])),
        );
      }),
    );
    setSubmitted(false);
  };
  const change = (next: AttendeeRow[]) => {
    // A removed row takes its result along; another address is another person, without a result yet.
    if (next.length === rows.length) {
      setResults(
        results.map((result, index) => (next[index]?.email === rows[index]?.email ? result : { state: 'waiting' })),
      );
      setFaults(faultsLeft(faults, rows, next));
    }
    if (next.length !== rows.length) {
      const gone = rows.findIndex((row, index) => next[index] !== row);
      if (next.length < rows.length) setResults(results.filter((_, index) => index !== gone));
      setFaults(next.length < rows.length ? faults.filter((_, index) => index !== gone) : faults);
    }
    setRows(next);
  };
  const unsaved = rows.some((row, index) => results[index]?.state !== 'done' && !isBlank(row));
  const { leave, asks, question } = useDiscardQuestion(unsaved, () => onBack(added));

  return (
    <>
      <Dialog
        opened
        onClose={leave}
        size={1000}
        title={single ? t('add.titleOne') : t('add.title')}
        close={tc('close')}
        busy={submitted || asks}
      >
        <form
          ref={box}
          className={dialog.body}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <p className={dialog.line}>
            {t('add.line', { name: event.eventName, free: t('places.left', { count: Math.max(0, places - added) }) })}
          </p>
          <div className={dialog.scroll}>
            <AttendeeRows
              rows={rows}
              onChange={change}
              faults={faults}
              results={results}
              disabled={submitted}
              max={Math.max(1, places)}
              single={single}
            />
          </div>
          <div className={dialog.words} role="status">
            {!submitted && failed > 0 ? <Callout tone="fault">{t('add.failed', { count: failed })}</Callout> : null}
          </div>
          <div className={dialog.acts}>
            <p>{t('add.emails')}</p>
            <Button variant="default" disabled={submitted} onClick={leave}>
              {t('add.back')}
            </Button>
            <Button type="submit" loading={submitted} disabled={submitted || rows.length === 0}>
              {failed > 0 ? t('add.again') : t('add.save')}
            </Button>
          </div>
        </form>
      </Dialog>
      {question}
    </>
  );
}
