/** Programmes (/app/program): a therapist writes an event, sees how it will appear, and publishes it. */
import { Button, Skeleton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { Note } from '../../ui/Note.tsx';
import { clashesOf, clashingDays } from './clashes.ts';
import { dropDraft, findDraft, keepDraft } from './draft.ts';
import {
  findAddresses,
  findAllUpcoming,
  findLatest,
  findNames,
  findPictures,
  getMyEvent,
  ownId,
  productNow,
} from './events.api.ts';
import { blankValues, type EventFormValues, occurrencesOf, type Picture, valuesFromEarlier } from './events.form.ts';
import { browserZone, parseTime } from './events.format.ts';
import { EventForm } from './EventForm.tsx';
import { EventFacts } from './EventSummary.tsx';
import { FinalizeDialog } from './FinalizeDialog.tsx';
import { PictureField } from './PictureField.tsx';
import { countFaults, focusFirstFault, showFaults, touchAll, useEventForm } from './useEventForm.ts';
import { useLoaded } from './useLoaded.ts';
import { faultWords } from './words.ts';
import styles from './ProgramPage.module.css';

const DRAFT_AFTER_MS = 400;
const DATES_IN_SUMMARY = 6;
const same = (a: EventFormValues, b: EventFormValues) => JSON.stringify(a) === JSON.stringify(b);

export function ProgramPage() {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const { copy } = useSearch({ from: '/app/shell/program' });
  // What the form starts from has to be known before it is drawn: nothing may jump under somebody's hands.
  const start = useLoaded(`start ${copy ?? ''}`, async (signal) => {
    const [latest, earlier, now] = await Promise.all([
      findLatest(signal),
      copy === undefined ? null : getMyEvent(copy, signal),
      productNow(signal),
    ]);
    return { latest, earlier: earlier?.event ?? null, now };
  });
  if (start.problem) {
    return (
      <div className={styles.failed}>
        <p role="alert">{problemText(sayProblem, start.problem)}</p>
        <Button variant="default" onClick={start.again}>
          {tc('tryAgain')}
        </Button>
      </div>
    );
  }
  if (!start.data || start.busy) {
    return (
      <div className={styles.page} role="status" aria-busy="true" aria-label={t('form.loading')}>
        <div className={styles.bones}>
          <Skeleton height={352} radius={16} />
          <Skeleton height={150} radius={16} />
          <Skeleton height={260} radius={16} />
        </div>
        <Skeleton height={520} radius={20} />
      </div>
    );
  }
  return <Program key={copy ?? 'new'} {...start.data} />;
}

interface ProgramProps {
  latest: Awaited<ReturnType<typeof findLatest>>;
  /** The event that is copied. */
  earlier: Awaited<ReturnType<typeof getMyEvent>>['event'] | null;
  now: number;
}

function Program({ latest, earlier, now }: ProgramProps) {
  const { t } = useTranslation('events');
  const navigate = useNavigate();
  const language = currentLanguage();
  const [me] = useState(ownId);
  const [begun] = useState(() => begin(language, me, latest, earlier));
  const form = useEventForm(begun.values, now, () => null);
  const values = form.watch();
  const { errors, isSubmitted } = form.formState;
  const [kept, setKept] = useState(begun.fromDraft);
  /** What stood before it was filled or emptied, to be put back. */
  const [undo, setUndo] = useState<{ words: string; values: EventFormValues } | null>(() =>
    begun.aside ? { words: t('draft.aside'), values: begun.aside } : null,
  );
  const [finalizing, setFinalizing] = useState(false);
  const [published, setPublished] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const help = useLoaded('help', async (signal) => {
    // Each of them only helps: the form works without.
    const orNone = <T,>(asked: Promise<T[]>) => asked.catch((): T[] => []);
    const [names, addresses, pictures, upcoming] = await Promise.all([
      orNone(findNames(signal)),
      orNone(findAddresses(signal)),
      orNone(findPictures(signal)),
      orNone(findAllUpcoming(signal)),
    ]);
    return { names, addresses, pictures, upcoming };
  });

  const leaveNoDraft = useRef(false);
  // Kept a moment after the last key, and at once when the page is left.
  const latestValues = useRef(values);
  latestValues.current = values;
  const stored = JSON.stringify(values);
  useEffect(() => {
    if (published) return undefined;
    const keep = () => {
      if (same(latestValues.current, begun.empty)) return;
      setKept(keepDraft(me, latestValues.current));
    };
    if (same(latestValues.current, begun.values) && !begun.fromDraft) return undefined;
    const timer = setTimeout(keep, DRAFT_AFTER_MS);
    window.addEventListener('pagehide', keep);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', keep);
    };
  }, [stored, published, me, begun]);
  useEffect(
    () => () => {
      // Leaving within the app is no reason to lose the last words.
      if (!leaveNoDraft.current && !same(latestValues.current, begun.values)) keepDraft(me, latestValues.current);
    },
    [me, begun],
  );

  const others = (help.data?.upcoming ?? []).filter(({ status }) => status === 'PUBLISHED');
  const times = {
    startTime: parseTime(values.startTime) ?? '',
    endTime: parseTime(values.endTime) ?? '',
    timeZone: values.timeZone,
  };
  const clashes = clashesOf(
    occurrencesOf(values).map((dates) => ({ dates, ...times })),
    others,
  );
  const marked = new Map(others.flatMap((other) => other.dates.map((day): [string, string] => [day, other.eventName])));

  const fill = (next: EventFormValues, words: string) => {
    setUndo({ words, values: form.getValues() });
    form.reset(next);
    box.current?.querySelector<HTMLElement>('input')?.focus();
  };
  const check = form.handleSubmit(
    () => setFinalizing(true),
    () => {
      touchAll(form);
      focusFirstFault(box.current);
    },
  );
  const faults = countFaults(errors);
  const pictureFault = faultWords(t, 'picture', (errors.picture as { message?: string } | undefined)?.message);

  return (
    <form ref={box} className={styles.whole} noValidate onSubmit={(event) => void check(event)}>
      <div className={styles.tools}>
        {latest ? (
          <Button
            variant="default"
            onClick={() => fill(valuesFromEarlier(latest, language), t('form.filled', { name: latest.eventName }))}
          >
            {t('form.fromLatest')}
          </Button>
        ) : null}
        <div className={styles.keeping}>
          {kept ? (
            <>
              <span className={styles.kept}>
                <IconCheck size={18} stroke={1.75} aria-hidden />
                {t('draft.kept')}
              </span>
              <Button
                variant="subtle"
                onClick={() => {
                  dropDraft(me);
                  fill(begun.empty, t('draft.dropped'));
                  setKept(false);
                }}
              >
                {t('draft.drop')}
              </Button>
            </>
          ) : null}
        </div>
      </div>
      <p className={styles.told} role="status">
        {undo ? (
          <>
            {undo.words}
            <Button
              size="sm"
              variant="subtle"
              onClick={() => {
                form.reset(undo.values);
                setUndo(null);
              }}
            >
              {t('form.undo')}
            </Button>
          </>
        ) : null}
      </p>
      <div className={styles.page}>
        <EventForm
          form={form}
          mode="new"
          now={now}
          clashes={clashes}
          marked={marked}
          clashing={clashingDays({ dates: values.dates, ...times }, others)}
          names={help.data?.names ?? []}
          addresses={help.data?.addresses ?? []}
        />
        <aside className={styles.side} aria-label={t('summary.title')}>
          <div className={styles.summary}>
            <PictureField
              picture={values.picture}
              seed={values.eventName}
              earlier={help.data?.pictures ?? []}
              onPick={(picture: Picture) => form.setValue('picture', picture, { shouldDirty: true })}
            />
            <div className={styles.words}>
              <p className={styles.eyebrow}>{t('summary.title')}</p>
              <p className={styles.name} data-empty={values.eventName.trim() === '' || undefined}>
                {values.eventName.trim() || t('summary.nameMissing')}
              </p>
              <EventFacts values={values} language={language} clashes={clashes} datesMax={DATES_IN_SUMMARY} />
              {pictureFault ? <p className="mantine-InputWrapper-error">{pictureFault}</p> : null}
              {isSubmitted && faults > 0 ? (
                <div className={styles.faults}>
                  <Note tone="fault" role="alert">
                    {t('form.faults', { count: faults })}
                  </Note>
                </div>
              ) : null}
              <Button type="submit" size="lg" fullWidth className={styles.main}>
                {t('form.check')}
              </Button>
              <p className={styles.under}>{t('form.checkHint')}</p>
            </div>
          </div>
        </aside>
      </div>
      <FinalizeDialog
        opened={finalizing}
        onClose={() => setFinalizing(false)}
        values={values}
        clashes={clashes}
        latestSeries={latest?.seriesId ?? null}
        onRefused={(problem) => {
          if (!showFaults(form, problem)) return false;
          setFinalizing(false);
          focusFirstFault(box.current);
          return true;
        }}
        onPublished={() => {
          leaveNoDraft.current = true;
          setPublished(true);
          dropDraft(me);
          setFinalizing(false);
          void navigate({ to: '/app/manage-events-client' });
        }}
      />
    </form>
  );
}

/** What the form starts from: a copy, else the draft of this device, else blank with what hardly ever changes taken from the last event. */
function begin(
  language: ReturnType<typeof currentLanguage>,
  me: number,
  latest: ProgramProps['latest'],
  earlier: ProgramProps['earlier'],
): { values: EventFormValues; empty: EventFormValues; fromDraft: boolean; aside: EventFormValues | null } {
  const blank = blankValues(language, latest?.timeZone ?? browserZone());
  const empty = latest
    ? {
        ...blank,
        isOnline: latest.isOnline,
        eventLocation: latest.eventLocation,
        address: latest.address,
        currency: latest.currency,
      }
    : blank;
  const draft = findDraft(me, empty);
  // A copy does not swallow what was being written.
  if (earlier) return { values: valuesFromEarlier(earlier, language), empty, fromDraft: false, aside: draft };
  return { values: draft ?? empty, empty, fromDraft: draft !== null, aside: null };
}
