/** Finalize event (dialog 1): everything once more, then save, upload the picture, add people, and close (specification 4). */
import { Button } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconPhotoOff } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import dialog from '../../ui/Dialog.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { ProgressLine } from '../../ui/ProgressLine.tsx';
import { isBlank } from './attendees.ts';
import type { Clash } from './clashes.ts';
import { type EventFormValues, payloadOf } from './events.form.ts';
import { EventPicture } from './EventPicture.tsx';
import { addressOf, EventFacts } from './EventSummary.tsx';
import { NOT_YET, publish, type Publication } from './publish.ts';
import { typeWords } from './words.ts';
import styles from './FinalizeDialog.module.css';

export interface FinalizeDialogProps {
  opened: boolean;
  /** Back to the form; nothing was saved. */
  onClose(): void;
  values: EventFormValues;
  clashes: readonly (Clash | null)[];
  /** Series written last before, see `ToPublish`. */
  latestSeries: number | null;
  /** The server refused the save. Out: whether the form shows why, so that the dialog gives way to it. */
  onRefused(problem: unknown): boolean;
  /** The event is published; the dialog closes by itself. */
  onPublished(eventId: number): void;
}

export function FinalizeDialog({
  opened,
  onClose,
  values,
  clashes,
  latestSeries,
  onRefused,
  onPublished,
}: FinalizeDialogProps) {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const language = currentLanguage();
  const [state, setState] = useState<Publication>(NOT_YET);
  /** Of the publication that runs. */
  const running = useRef<AbortController | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const busy = state.step === 'saving' || state.step === 'uploading' || state.step === 'adding';
  const saved = state.eventId !== null;
  const people = values.attendees.filter((row) => !isBlank(row));
  const picture = values.picture.kind === 'new' ? values.picture.file : null;

  const run = async () => {
    // A second press before the first has drawn.
    if (running.current) return;
    const stop = new AbortController();
    running.current = stop;
    const end = await publish(
      { payload: payloadOf(values, language), picture, people, latestSeries },
      state,
      setState,
      stop.signal,
    );
    running.current = null;
    // Who could not be added stands at the end of what scrolls.
    if (end.rows.some((row) => row.state === 'failed')) list.current?.scrollIntoView({ block: 'nearest' });
    if (end.step === 'done') onPublished(end.eventId as number);
    else if (end.eventId === null && onRefused(end.saveProblem)) setState({ ...NOT_YET, uncertain: end.uncertain });
  };
  const leave = () => {
    if (busy) return;
    if (saved) onPublished(state.eventId as number);
    else onClose();
  };
  const verb =
    state.step === 'saving'
      ? t('finalize.saving')
      : state.step === 'uploading'
        ? t('finalize.uploading')
        : state.step === 'adding'
          ? t('finalize.adding')
          : saved
            ? tc('tryAgain')
            : t('finalize.publish');

  return (
    <Dialog
      opened={opened}
      onClose={leave}
      size={700}
      title={saved ? t('finalize.savedTitle') : t('finalize.title')}
      close={tc('close')}
      busy={busy}
    >
      {saved ? null : <p className={dialog.line}>{t('finalize.hint')}</p>}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('finalize.summary')}>
        <div className={styles.picture}>
          <EventPicture address={addressOf(values.picture)} seed={values.eventName} />
        </div>
        <h3 className={styles.name}>{values.eventName}</h3>
        <p className={styles.kind}>{typeWords(t, values.type)}</p>
        <EventFacts values={values} language={language} clashes={clashes} />
        {values.description.trim() ? <p className={styles.description}>{values.description.trim()}</p> : null}
        {people.length > 0 ? (
          <div className={styles.people} ref={list}>
            <h4>{t('finalize.people', { count: people.length })}</h4>
            <ul>
              {people.map((row, index) => {
                const result = state.rows[index];
                return (
                  <li key={row.email}>
                    <span>
                      {row.firstName} {row.familyName} <span className={styles.email}>{row.email}</span>
                    </span>
                    {result?.state === 'done' ? (
                      <span className={styles.rowDone}>
                        <IconCircleCheck size={18} stroke={1.75} aria-hidden />
                        {t('people.done')}
                      </span>
                    ) : null}
                    {result?.state === 'sending' ? <span className={styles.email}>{t('people.sending')}</span> : null}
                    {result?.state === 'failed' ? (
                      <span className={styles.rowFailed}>
                        <IconAlertCircle size={18} stroke={1.75} aria-hidden />
                        {problemText(sayProblem, result.problem)}
                      </span>
                    ) : null}
                  </li>
                );
              })}
            </ul>
          </div>
        ) : null}
      </div>
      <div className={dialog.words} role="status">
        {saved ? <Note tone="done">{t('finalize.saved')}</Note> : null}
        {state.saveProblem ? (
          <Note tone="fault">
            {problemText(sayProblem, state.saveProblem)} {t('finalize.kept')}
          </Note>
        ) : null}
        {state.pictureProblem ? (
          <Note tone="fault">
            {t('finalize.pictureFailed')} {problemText(sayProblem, state.pictureProblem)}
          </Note>
        ) : null}
        {state.pictureStopped ? <Note icon={IconPhotoOff}>{t('finalize.pictureStopped')}</Note> : null}
        {state.step === 'failed' && state.rows.some((row) => row.state === 'failed') ? (
          <Note tone="fault">{t('finalize.peopleFailed')}</Note>
        ) : null}
      </div>
      {state.sentPart === null ? null : (
        <div className={dialog.foot}>
          <ProgressLine
            words={state.sentPart < 1 ? t('upload.running') : t('upload.preparing')}
            part={state.sentPart}
            language={language}
            {...(state.sentPart < 1
              ? { stop: { word: t('upload.stop'), onStop: () => running.current?.abort() } }
              : {})}
          />
        </div>
      )}
      <div className={dialog.acts}>
        <Button variant="default" disabled={busy} onClick={leave}>
          {saved ? t('finalize.goOn') : t('finalize.back')}
        </Button>
        <Button
          data-autofocus
          disabled={busy}
          onClick={() => void run()}
          leftSection={busy ? <span className={styles.ring} aria-hidden /> : null}
        >
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}
