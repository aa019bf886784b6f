/** Finalize event: a last review, then save, upload the picture, add people, and close. */
import { inNameOrder } from '@fieldroom/contract/names';
import { Button } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconPhotoOff } from '@tabler/icons-react';
import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { Callout } from '../../../ui/states/Callout.tsx';
import { type AttendeeRow, isBlank, type RowResult } from '../attendees/attendeeInput.ts';
import { useDiscardQuestion } from '../dialog/useDiscardQuestion.tsx';
import { blocksOf, Description } from '../description/index.ts';
import { typeWords } from '../eventWords.ts';
import type { Clash } from '../form/when/clashes.ts';
import { type EventFormValues, payloadOf } from '../form/formValues.ts';
import { FormPicture } from '../picture/FormPicture.tsx';
import { UploadProgress } from '../picture/UploadProgress.tsx';
import { PreviewFacts } from './PreviewFacts.tsx';
import { NOT_YET, publish, type Publication } from './publish.ts';
import styles from './PublishDialog.module.css';

export interface PublishDialogProps {
  opened: boolean;
  /** Returns to the form; nothing was saved. */
  onClose(): void;
  values: EventFormValues;
  clashes: readonly (Clash | null)[];
  /** The last series before this one; see `ToPublish`. */
  latestSeries: number | null;
  /** The server refused the save. Returns whether the form shows why; then the dialog closes. */
  onRefused(problem: unknown): boolean;
  /** The event is published; the dialog closes itself. */
  onPublished(eventId: number): void;
}

/** The event is stored, and somebody could not be added. */
const hasFailedPeople = ({ step, rows }: Publication): boolean =>
  step === 'failed' && rows.some((row) => row.state === 'failed');

const BUSY_STEPS: ReadonlySet<Publication['step']> = new Set(['saving', 'uploading', 'adding']);

/**
 * The dialog "Finalize event". Once the event is saved, only failed steps (picture, people) are retried. It cannot be
 * closed while sending. Leaving asks while people could not be added (docs/product.md#9.25).
 */
export function PublishDialog({
  opened,
  onClose,
  values,
  clashes,
  latestSeries,
  onRefused,
  onPublished,
}: PublishDialogProps) {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const [state, setState] = useState<Publication>(NOT_YET);
  /** Of the running publication. */
  const running = useRef<AbortController | null>(null);
  const peopleList = useRef<HTMLDivElement>(null);
  const busy = BUSY_STEPS.has(state.step);
  const saved = state.eventId !== null;
  const people = values.attendees.filter((row) => !isBlank(row));
  const picture = values.picture.kind === 'new' ? values.picture.file : null;

  const run = async () => {
    // A second press can come before the first was drawn.
    if (running.current) return;
    const stop = new AbortController();
    running.current = stop;
    const payload = payloadOf(values, currentLanguage());
    const end = await publish({ payload, picture, people, latestSeries }, state, setState, stop.signal);
    running.current = null;
    // People who could not be added are at the end of the scrolling part.
    if (end.rows.some((row) => row.state === 'failed')) peopleList.current?.scrollIntoView({ block: 'nearest' });
    if (end.step === 'done') onPublished(end.eventId as number);
    else if (end.eventId === null && onRefused(end.saveProblem)) setState({ ...NOT_YET, uncertain: end.uncertain });
  };
  const { leave, asks, question } = useDiscardQuestion(
    hasFailedPeople(state),
    () => {
      if (saved) onPublished(state.eventId as number);
      else onClose();
    },
    {
      title: t('finalize.leaveTitle'),
      text: t('finalize.leaveText'),
      keep: t('finalize.leaveNo'),
      discard: t('finalize.leaveYes'),
    },
  );

  return (
    <>
      <Dialog
        opened={opened}
        onClose={leave}
        size={700}
        title={saved ? t('finalize.savedTitle') : t('finalize.title')}
        close={tc('close')}
        busy={busy || asks}
      >
        {saved ? null : <p className={dialog.line}>{t('finalize.hint')}</p>}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
        <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('finalize.summary')}>
          <Overview values={values} clashes={clashes} />
          {people.length > 0 ? <People box={peopleList} people={people} results={state.rows} /> : null}
        </div>
        <Outcome state={state} />
        {state.sentPart === null ? null : (
          <UploadProgress part={state.sentPart} onStop={() => running.current?.abort()} />
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
            <Verb step={state.step} saved={saved} />
          </Button>
        </div>
      </Dialog>
      {question}
    </>
  );
}

function Overview({ values, clashes }: { values: EventFormValues; clashes: readonly (Clash | null)[] }) {
  const { t } = useTranslation('events');
  const description = values.description.trim();
  return (
    <>
      <div className={styles.picture}>
        <FormPicture picture={values.picture} seed={values.eventName} />
      </div>
      <h3 className={styles.name}>{values.eventName}</h3>
      <p className={styles.kind}>{typeWords(t, values.type)}</p>
      <PreviewFacts values={values} language={currentLanguage()} clashes={clashes} />
      {description ? (
        <div className={styles.description}>
          <Description blocks={blocksOf(description)} level="h4" />
        </div>
      ) : null}
    </>
  );
}

interface PeopleProps {
  box: RefObject<HTMLDivElement | null>;
  people: readonly AttendeeRow[];
  results: readonly RowResult[];
}

function People({ box, people, results }: PeopleProps) {
  const { t } = useTranslation('events');
  return (
    <div className={styles.people} ref={box}>
      <h4>{t('finalize.people', { count: people.length })}</h4>
      <ul>
        {people.map((row, index) => (
          <li key={row.email}>
            <span>
              <bdi>{inNameOrder(currentLanguage(), row.firstName, row.familyName).join(' ')}</bdi>{' '}
              <span className={styles.email}>{row.email}</span>
            </span>
            <PersonResult result={results[index]} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function PersonResult({ result }: { result: RowResult | undefined }) {
  const { t } = useTranslation('events');
  switch (result?.state) {
    case 'done':
      return (
        <span className={styles.rowDone}>
          <IconCircleCheck size={18} stroke={1.75} aria-hidden />
          {t('people.done')}
        </span>
      );
    case 'sending':
      return <span className={styles.email}>{t('people.sending')}</span>;
    case 'failed':
      return (
        <span className={styles.rowFailed}>
          <IconAlertCircle size={18} stroke={1.75} aria-hidden />
          {problemText(sayProblem, result.problem)}
        </span>
      );
    default:
      return null;
  }
}

/** The finished and the missing steps. */
function Outcome({ state }: { state: Publication }) {
  const { t } = useTranslation('events');
  return (
    <div className={dialog.words} role="status">
      {state.eventId === null ? null : <Callout tone="done">{t('finalize.saved')}</Callout>}
      {state.saveProblem ? (
        <Callout tone="fault">
          {problemText(sayProblem, state.saveProblem)} {t(state.uncertain ? 'finalize.unknown' : 'finalize.kept')}
        </Callout>
      ) : null}
      {state.pictureProblem ? (
        <Callout tone="fault">
          {t('finalize.pictureFailed')} {problemText(sayProblem, state.pictureProblem)}
        </Callout>
      ) : null}
      {state.pictureStopped ? <Callout icon={IconPhotoOff}>{t('finalize.pictureStopped')}</Callout> : null}
      {hasFailedPeople(state) ? <Callout tone="fault">{t('finalize.peopleFailed')}</Callout> : null}
    </div>
  );
}

function Verb({ step, saved }: { step: Publication['step']; saved: boolean }) {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  if (step === 'saving' || step === 'uploading' || step === 'adding') return t(`finalize.${step}`);
  return saved ? tc('tryAgain') : t('finalize.publish');
}
