/** Event edit (dialog 2): the programme form with the event in it; asks about the series and says who gets a letter. */
import { Button, Skeleton } from '@mantine/core';
import { IconMail, IconPhotoOff } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import dialog from '../../ui/Dialog.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { ProgressLine } from '../../ui/ProgressLine.tsx';
import { RadioList } from '../../ui/RadioList.tsx';
import { clashesOf, clashingDays } from './clashes.ts';
import {
  findAddresses,
  findAllUpcoming,
  findNames,
  findPictures,
  getMyEvent,
  type OneEvent,
  productNow,
  saveEvent,
  uploadPicture,
} from './events.api.ts';
import { type Edit, movesPeople, occurrencesOf, payloadOf, type Picture, valuesOf } from './events.form.ts';
import { parseTime } from './events.format.ts';
import { EventForm } from './EventForm.tsx';
import { PictureField } from './PictureField.tsx';
import { ClashMark } from './Repetition.tsx';
import { countFaults, focusFirstFault, showFaults, touchAll, useEventForm } from './useEventForm.ts';
import { useLoaded } from './useLoaded.ts';
import styles from './EventEditDialog.module.css';

export interface EventEditDialogProps {
  /** The occurrence to change; null shows nothing. */
  eventId: number | null;
  opened: boolean;
  onClose(): void;
  /** Called once the change is stored; the dialog has closed by itself. */
  onSaved(eventId: number): void;
}

export function EventEditDialog({ eventId, opened, onClose, onSaved }: EventEditDialogProps) {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const [busy, setBusy] = useState(false);
  const shown = opened && eventId !== null;
  const one = useLoaded(shown ? eventId : null, async (signal) => {
    const [event, now] = await Promise.all([getMyEvent(eventId as number, signal), productNow(signal)]);
    return { ...event, now };
  });
  return (
    <Dialog opened={shown} onClose={onClose} size={1000} title={t('edit.title')} close={tc('close')} busy={busy}>
      {one.problem ? (
        <div className={styles.failed}>
          <Note tone="fault" role="alert">
            {problemText(sayProblem, one.problem)}
          </Note>
          <Button variant="default" onClick={one.again}>
            {tc('tryAgain')}
          </Button>
        </div>
      ) : one.data && !one.busy ? (
        <EditForm
          key={one.data.event.id}
          one={one.data}
          now={one.data.now}
          onBusy={setBusy}
          onClose={onClose}
          onSaved={onSaved}
        />
      ) : (
        <div className={styles.loading} aria-busy="true" role="status" aria-label={tc('loading')}>
          <Skeleton height={220} radius={16} />
          <Skeleton height={130} radius={16} />
          <Skeleton height={180} radius={16} />
        </div>
      )}
    </Dialog>
  );
}

/** No problem: the therapist stopped the upload. */
const STOPPED = Symbol('stopped');

type Loaded = OneEvent & { now: number };
interface EditFormProps {
  one: Loaded;
  now: number;
  onBusy(busy: boolean): void;
  onClose(): void;
  onSaved(eventId: number): void;
}

function EditForm({ one: { event, series }, now, onBusy, onClose, onSaved }: EditFormProps) {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const language = currentLanguage();
  const alone = series.length <= 1;
  // The rule of occurrences that are not there any more is no wish to have them again.
  const [start] = useState(() => ({ ...valuesOf(event, language), ...(alone ? { repeat: false } : {}) }));
  const [scope, setScope] = useState<Edit['scope']>('this');
  const [problem, setProblem] = useState<unknown>(null);
  const [saving, setSaving] = useState(false);
  /** The change is stored and only its picture is not: the save must not be done twice. */
  const [stored, setStored] = useState(false);
  const [upload, setUpload] = useState<{ part: number; stop: AbortController } | null>(null);
  const box = useRef<HTMLFormElement>(null);
  const help = useLoaded('edit', async (signal) => {
    const [names, addresses, pictures, upcoming] = await Promise.all([
      findNames(signal),
      findAddresses(signal),
      findPictures(signal),
      findAllUpcoming(signal),
    ]);
    return { names, addresses, pictures, upcoming };
  });
  const edit: Edit = { id: event.id, scope, before: start.picture, alone };
  const form = useEventForm(start, now, () => edit);
  const values = form.watch();

  const later = series.filter(({ startsOn }) => Date.parse(startsOn) >= Date.parse(event.startsOn));
  const touched = scope === 'later' ? later : [{ held: event.held, confirmed: event.confirmed }];
  const [held, confirmed] = [
    touched.reduce((sum, one) => sum + one.held, 0),
    touched.reduce((sum, one) => sum + one.confirmed, 0),
  ];
  const moves = movesPeople(start, values);
  const pictureChanges = JSON.stringify(values.picture) !== JSON.stringify(start.picture);
  const mine = new Set(scope === 'later' ? later.map(({ id }) => id) : [event.id]);
  const others = (help.data?.upcoming ?? []).filter((other) => other.status === 'PUBLISHED' && !mine.has(other.id));
  const times = {
    startTime: parseTime(values.startTime) ?? '',
    endTime: parseTime(values.endTime) ?? '',
    timeZone: values.timeZone,
  };
  const clashes = clashesOf(
    (alone ? occurrencesOf(values) : [values.dates]).map((dates) => ({ dates, ...times })),
    others,
  );
  const marked = new Map(others.flatMap((other) => other.dates.map((day): [string, string] => [day, other.eventName])));

  const busy = (now: boolean) => {
    setSaving(now);
    onBusy(now);
  };
  const finish = () => {
    onSaved(event.id);
    onClose();
  };
  const save = form.handleSubmit(
    async (ready) => {
      setProblem(null);
      busy(true);
      const { picture } = ready;
      const stop = new AbortController();
      let kept = stored;
      try {
        // Only a new picture may be left to do; another one chosen since belongs to the event's own values.
        if (!kept || picture.kind !== 'new') {
          await saveEvent(payloadOf(ready, language, edit));
          kept = true;
          setStored(true);
        }
        if (picture.kind === 'new') {
          setUpload({ part: 0, stop });
          // An event that was alone may have got its further occurrences just now: they show the same.
          await uploadPicture(event.id, picture.file, alone ? 'later' : scope, {
            signal: stop.signal,
            onProgress: (part) => setUpload({ part, stop }),
          });
        }
        busy(false);
        finish();
      } catch (fault) {
        busy(false);
        setUpload(null);
        if (stop.signal.aborted) setProblem(STOPPED);
        else if (!kept && showFaults(form, fault)) focusFirstFault(box.current);
        else setProblem(fault);
      }
    },
    () => {
      touchAll(form);
      focusFirstFault(box.current);
    },
  );
  const faults = countFaults(form.formState.errors);

  return (
    <form ref={box} className={dialog.body} noValidate onSubmit={(submitted) => void save(submitted)}>
      <div className={`${dialog.scroll} ${styles.form}`}>
        {later.length > 1 ? (
          <RadioList<Edit['scope']>
            question={t('edit.scope')}
            answers={[
              { value: 'this', words: t('edit.this') },
              { value: 'later', words: t('edit.later', { count: later.length - 1 }) },
            ]}
            value={scope}
            onChange={setScope}
            disabled={saving || stored}
            hint={scope === 'later' ? t('edit.laterHint') : null}
          />
        ) : null}
        <div className={styles.picture}>
          <PictureField
            picture={values.picture}
            seed={event.seriesId}
            earlier={help.data?.pictures ?? []}
            disabled={saving}
            onPick={(picture: Picture) => form.setValue('picture', picture, { shouldDirty: true })}
          />
        </div>
        {pictureChanges && later.length > 1 ? (
          <p className={styles.hint} role="status">
            {scope === 'later' ? t('edit.pictureLater', { count: later.length - 1 }) : t('edit.pictureThis')}
          </p>
        ) : null}
        <EventForm
          form={form}
          mode="edit"
          now={now}
          clashes={clashes}
          marked={marked}
          clashing={clashingDays({ dates: values.dates, ...times }, others)}
          names={help.data?.names ?? []}
          addresses={help.data?.addresses ?? []}
          taken={Math.max(...(scope === 'later' ? later : [event]).map((one) => one.held + one.confirmed), 0)}
          repeatable={alone}
          disabled={saving || stored}
        />
        {!alone && clashes[0] ? (
          <p className={styles.hint}>
            <ClashMark clash={clashes[0]} language={language} several={values.dates.length > 1} />
          </p>
        ) : null}
      </div>
      <div className={dialog.words} role="status">
        {moves ? (
          <Note icon={IconMail}>
            {held + confirmed === 0
              ? t('edit.lettersNone')
              : t('edit.letters', {
                  people: new Intl.ListFormat(language).format([
                    ...(confirmed > 0 ? [t('edit.confirmed', { count: confirmed })] : []),
                    ...(held > 0 ? [t('edit.held', { count: held })] : []),
                  ]),
                })}
          </Note>
        ) : null}
        {form.formState.isSubmitted && faults > 0 ? (
          <Note tone="fault">{t('form.faults', { count: faults })}</Note>
        ) : null}
        {problem === STOPPED ? <Note icon={IconPhotoOff}>{t('edit.pictureStopped')}</Note> : null}
        {problem && problem !== STOPPED ? (
          <Note tone="fault">
            {stored ? `${t('edit.pictureFailed')} ` : ''}
            {problemText(sayProblem, problem)}
          </Note>
        ) : null}
      </div>
      {upload ? (
        <div className={dialog.foot}>
          <ProgressLine
            words={upload.part < 1 ? t('upload.running') : t('upload.preparing')}
            part={upload.part}
            language={language}
            {...(upload.part < 1 ? { stop: { word: t('upload.stop'), onStop: () => upload.stop.abort() } } : {})}
          />
        </div>
      ) : null}
      <div className={dialog.acts}>
        {stored && problem ? (
          <Button variant="default" disabled={saving} onClick={finish}>
            {t('edit.withoutPicture')}
          </Button>
        ) : (
          <Button variant="default" disabled={saving} onClick={onClose}>
            {t('edit.cancel')}
          </Button>
        )}
        <Button type="submit" loading={saving}>
          {stored ? tc('tryAgain') : t('edit.save')}
        </Button>
      </div>
    </form>
  );
}
