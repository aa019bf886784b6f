/** Add participants: rows for a group (dialog 6), one row for a one-to-one event (dialog 7). One call a row; what failed is sent again alone. */
import type { OwnEvent } from '@fieldroom/contract/events';
import { Button, Modal } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../platform/api/index.ts';
import { AttendeeRows } from './AttendeeRows.tsx';
import { addRows, type AttendeeRow, blankRow, checkRows, type RowFaults, rowField, type RowResult } from './attendees.ts';
import { NO_LANDMARK } from './dialogs.ts';
import styles from './dialogs.module.css';

export interface AddParticipantsDialogProps {
  opened: boolean;
  event: OwnEvent;
  /** Places that are free now. */
  free: number;
  /** Back to the list. In: whether anybody was added. */
  onBack(added: number): void;
}

export function AddParticipantsDialog({ opened, event, free, onBack }: AddParticipantsDialogProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const single = event.type === 'ONE_ON_ONE';
  const [rows, setRows] = useState<AttendeeRow[]>(() => [blankRow()]);
  const [faults, setFaults] = useState<RowFaults[]>([]);
  const [results, setResults] = useState<readonly RowResult[]>([]);
  const [submitted, setSubmitted] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const failed = results.filter(({ state }) => state === 'failed').length;

  const save = async () => {
    if (submitted) return;
    const found = checkRows(rows);
    setFaults(found);
    if (found.some((row) => Object.keys(row).length > 0)) {
      requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setSubmitted(true);
    const ended = await addRows(event.id, rows, results, setResults);
    if (ended.every(({ state }) => state === 'done')) return onBack(ended.length);
    // What ended well is shown at its row until the next try, which is about the others alone.
    setFaults(ended.map((result): RowFaults => {
      if (result.state !== 'failed' || !(result.problem instanceof ApiProblem)) return {};
      return Object.fromEntries(result.problem.fields.flatMap(({ path, code }) => (rowField(path) ? [[rowField(path), code]] : [])));
    }));
    setSubmitted(false);
  };
  const change = (next: AttendeeRow[]) => {
    // A row that was removed takes its result along; a changed one is a new try.
    if (next.length !== rows.length) {
      const gone = rows.findIndex((row, index) => next[index] !== row);
      if (next.length < rows.length) setResults(results.filter((_, index) => index !== gone));
      setFaults(next.length < rows.length ? faults.filter((_, index) => index !== gone) : faults);
    }
    setRows(next);
  };
  const back = () => onBack(results.filter(({ state }) => state === 'done').length);

  return (
    <Modal opened={opened} onClose={back} size={1000} title={single ? t('add.titleOne') : t('add.title')} closeOnClickOutside={false} closeOnEscape={!submitted} attributes={NO_LANDMARK} closeButtonProps={{ 'aria-label': tc('close'), disabled: submitted }} classNames={{ content: styles.content ?? '', body: styles.body ?? '' }}>
      <form
        ref={box}
        className={styles.body}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p className={styles.line}>{t('add.line', { name: event.eventName, free: t('places.left', { count: free }) })}</p>
        <div className={styles.scroll}>
          <AttendeeRows rows={rows} onChange={change} faults={faults} results={results} disabled={submitted} max={Math.max(1, free)} single={single} />
        </div>
        <div role="status">
          {!submitted && failed > 0 ? <p className={styles.note} data-tone="fault"><IconAlertCircle size={20} stroke={1.75} aria-hidden />{t('add.failed', { count: failed })}</p> : null}
        </div>
        <div className={styles.acts}>
          <p>{t('add.letter')}</p>
          <Button variant="default" disabled={submitted} onClick={back}>{t('add.back')}</Button>
          <Button type="submit" loading={submitted} disabled={submitted || rows.length === 0}>{failed > 0 ? t('add.again') : t('add.save')}</Button>
        </div>
      </form>
    </Modal>
  );
}
