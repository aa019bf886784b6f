/** Programmes (/app/program): a therapist writes an event, previews it, and publishes it. */
import { MY_EVENTS_PAGE } from '@fieldroom/contract/pages';
import { Button, Skeleton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetAskedAhead } from '../../../platform/fetching/askedAhead.ts';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { focusFirstFault } from '../../../ui/controls/focusFirstFault.ts';
import { useUnloadWarning } from '../../../ui/dialogs/useUnloadWarning.ts';
import { lazyPart, OpenAfterMount, useLazyPart, useWarmUp } from '../../../ui/lazy/lazyPart.ts';
import { isBlank } from '../attendees/attendeeInput.ts';
import { eventQueries } from '../eventQueries.ts';
import { type findDefaults, type findLatest, type getMyEvent, ownId } from '../eventsApi.ts';
import { clashesIn } from '../form/when/clashes.ts';
import { EventForm } from '../form/EventForm.tsx';
import { blankValues, type EventFormValues, occurrencesOf, valuesFromEarlier } from '../form/formValues.ts';
import { showFaults, touchAll, useEventForm } from '../form/useEventForm.ts';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { leavePublished } from '../list/outcome/justPublished.ts';
import { EventLoadFault } from '../dialog/EventLoadFault.tsx';
import { eventPictureDialog } from '../picture/PictureField.tsx';
import { findDraft } from './draft.ts';
import { EventPreview } from './EventPreview.tsx';
import { type Draft, type DraftStart, useDraft } from './useDraft.ts';
import styles from './ProgramPage.module.css';

export { fetchProgramAhead } from './fetchProgramAhead.ts';

const publishDialog = lazyPart(() => import('./PublishDialog.tsx').then((module) => module.PublishDialog));
/** Fetched once the pointer moves: it is not visible before a press. */
const PRESSED = [publishDialog, eventPictureDialog];

/**
 * `?copy=` starts with an earlier event. The initial values are fetched before the form is drawn, so that nothing moves
 * while somebody types.
 */
export function ProgramPage() {
  const { copy } = useSearch({ from: '/app/shell/program' });
  const start = useQuery(eventQueries.start(copy));
  useEffect(() => forgetAskedAhead, []);
  if (start.data) return <Program key={copy ?? 'new'} {...start.data} />;
  if (start.error) return <EventLoadFault fault={start.error} onRetry={() => void start.refetch()} />;
  return <Bones />;
}

function Bones() {
  const { t } = useTranslation('events');
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

interface ProgramProps {
  latest: Awaited<ReturnType<typeof findLatest>>;
  /** The event that is copied. */
  earlier: Awaited<ReturnType<typeof getMyEvent>>['event'] | null;
  defaults: Awaited<ReturnType<typeof findDefaults>>;
  now: number;
}

/** The values from before the form was filled or emptied, to be restored. */
interface Undo {
  words: string;
  values: EventFormValues;
}

function Program({ latest, earlier, defaults, now }: ProgramProps) {
  const { t } = useTranslation('events');
  const navigate = useNavigate();
  const language = currentLanguage();
  const [therapistId] = useState(ownId);
  const [begun] = useState(() => begin(therapistId, defaults.timeZone ?? browserZone(), latest, earlier));
  const form = useEventForm(begun.values, now, () => null);
  const values = form.watch();
  const draft = useDraft(therapistId, begun, values);
  // People's names and addresses are in no draft on the disk.
  useUnloadWarning(values.attendees.some((row) => !isBlank(row)));
  const [undo, setUndo] = useState<Undo | null>(() =>
    begun.aside ? { words: t('draft.aside'), values: begun.aside } : null,
  );
  const [finalizing, setFinalizing] = useState(false);
  const backToForm = () => setFinalizing(false);
  const dialog = useLazyPart(publishDialog, finalizing, backToForm);
  useWarmUp(PRESSED);
  const box = useRef<HTMLFormElement>(null);
  const { data: suggestions } = useQuery(eventQueries.suggestions());

  const others = (suggestions?.upcoming ?? []).filter(({ status }) => status === 'PUBLISHED');
  const { clashes, clashing, marked } = clashesIn(values, occurrencesOf(values), others);

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
  const refused = (problem: unknown) => {
    if (!showFaults(form, problem)) return false;
    setFinalizing(false);
    focusFirstFault(box.current);
    return true;
  };
  const published = (eventId: number) => {
    leavePublished(eventId);
    draft.end();
    setFinalizing(false);
    void navigate({ to: MY_EVENTS_PAGE });
  };

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
        <DraftNotice draft={draft} onDropped={() => fill(begun.empty, t('draft.dropped'))} />
      </div>
      <UndoLine
        undo={undo}
        onUndo={(before) => {
          form.reset(before);
          setUndo(null);
        }}
      />
      <div className={styles.page}>
        <EventForm
          form={form}
          mode="new"
          now={now}
          clashes={clashes}
          marked={marked}
          clashing={clashing}
          names={suggestions?.names ?? []}
          addresses={suggestions?.addresses ?? []}
          locations={defaults.locations}
        />
        <EventPreview form={form} clashes={clashes} earlier={suggestions?.pictures ?? []} />
      </div>
      {dialog && (
        <OpenAfterMount
          dialog={dialog}
          given={{
            opened: finalizing,
            onClose: backToForm,
            values,
            clashes,
            latestSeries: latest?.seriesId ?? null,
            onRefused: refused,
            onPublished: published,
          }}
        />
      )}
    </form>
  );
}

/**
 * Says that a draft is stored, and offers to discard it. Its space is reserved, so that nothing moves when it appears.
 */
function DraftNotice({ draft, onDropped }: { draft: Draft; onDropped(): void }) {
  const { t } = useTranslation('events');
  const drop = () => {
    draft.drop();
    onDropped();
  };
  return (
    <div className={styles.keeping}>
      {draft.kept ? (
        <>
          <span className={styles.kept}>
            <IconCheck size={18} stroke={1.75} aria-hidden />
            {draft.pictureKept ? t('draft.kept') : t('draft.keptWithoutPicture')}
          </span>
          <Button variant="subtle" onClick={drop}>
            {t('draft.drop')}
          </Button>
        </>
      ) : (
        <span className={styles.kept}>{t('draft.ahead')}</span>
      )}
    </div>
  );
}

function UndoLine({ undo, onUndo }: { undo: Undo | null; onUndo(before: EventFormValues): void }) {
  const { t } = useTranslation('events');
  return (
    <p className={styles.told} role="status">
      {undo?.words}
      {undo ? (
        <Button size="sm" variant="subtle" onClick={() => onUndo(undo.values)}>
          {t('form.undo')}
        </Button>
      ) : null}
    </p>
  );
}

/**
 * The initial values of the form: a copy, else the draft of this device, else empty in the account's zone, with rarely
 * changed values from the last event. A copy puts the draft aside without losing it.
 */
function begin(
  therapistId: number,
  timeZone: string,
  latest: ProgramProps['latest'],
  earlier: ProgramProps['earlier'],
): DraftStart & { aside: EventFormValues | null } {
  const language = currentLanguage();
  const blank = blankValues(language, timeZone);
  const empty = latest
    ? {
        ...blank,
        isOnline: latest.isOnline,
        eventLocation: latest.eventLocation,
        address: latest.address,
        currency: latest.currency,
      }
    : blank;
  const draft = findDraft(therapistId, empty);
  if (earlier) return { values: valuesFromEarlier(earlier, language), empty, fromDraft: false, aside: draft };
  return { values: draft ?? empty, empty, fromDraft: draft !== null, aside: null };
}
