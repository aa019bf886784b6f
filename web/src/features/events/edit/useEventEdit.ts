/**
 * The state of an edit: the typed values, the version it started from, the body of a save, and its progress. A save has
 * up to three steps, each done once: show who gets an email, store the change, upload the picture.
 */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { ApiProblem } from '../../../platform/api/index.ts';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { focusFirstFault } from '../../../ui/controls/focusFirstFault.ts';
import { eventQueries } from '../eventQueries.ts';
import { type EventPayload, getMyEvent, type OneEvent, saveEvent } from '../eventsApi.ts';
import {
  checkForm,
  type Edit,
  type EventFormValues,
  isFaultless,
  movesPeople,
  payloadOf,
  rebased,
  valuesOf,
} from '../form/formValues.ts';
import { showFaults, touchAll, useEventForm } from '../form/useEventForm.ts';
import { uploadPicture } from '../picture/uploadPicture.ts';
import { type Announcement, peopleIn, useAnnouncement } from './useAnnouncement.ts';

/** The event has no other occurrence in its series. */
const isAlone = ({ series }: OneEvent) => series.length <= 1;

/** The form's initial values. The rule of occurrences that no longer exist is not a wish to have them again. */
const startOf = (one: OneEvent): EventFormValues => ({
  ...valuesOf(one.event, currentLanguage()),
  ...(isAlone(one) ? { repeat: false } : {}),
});

/** A newer version, stored since the event was opened, with the change applied to it. */
interface Conflict {
  before: EventFormValues;
  newer: EventFormValues;
  typed: EventFormValues;
  /** Continues with the newer version; typed changes are discarded. */
  take(): void;
  /** Stores the change over the newer version. */
  keep(): void;
}

/** Restores the event from before a save. Problem: `event_changed` if it was changed again since. */
export type UndoSave = () => Promise<unknown>;

export interface EventEdit {
  form: UseFormReturn<EventFormValues>;
  values: EventFormValues;
  /** The version that is edited. */
  base: OneEvent;
  alone: boolean;
  /** This occurrence and the later ones of its series. */
  later: OneEvent['series'];
  scope: Edit['scope'];
  setScope(scope: Edit['scope']): void;
  pictureChanges: boolean;
  saving: boolean;
  /** The change is stored, and at most its picture is missing. */
  stored: boolean;
  /** The form differs from its initial values, and is not stored. */
  changed: boolean;
  /** The newer version was just accepted. */
  taken: boolean;
  problem: unknown;
  /** The therapist stopped the upload, which is no problem. */
  stopped: boolean;
  /** Who would get an email; null if nobody would, or nothing can be saved yet. */
  announcement: Announcement | null;
  /** The emails had not been shown when the save was pressed, and a second press is needed. */
  again: boolean;
  upload: { part: number; stop: AbortController } | null;
  conflict: Conflict | null;
  save(submitted: { preventDefault(): void }): void;
  finish(): void;
}

export interface EventEditOptions {
  opened: OneEvent;
  /** Product time in milliseconds. */
  now: number;
  /** The form's own element, whose first fault gets the focus. */
  box: { current: HTMLFormElement | null };
  onBusy(busy: boolean): void;
  onClose(): void;
  onSaved(emails: number, undo: UndoSave | null): void;
}

/**
 * Holds the whole edit: form, scope in the series, conflict with a newer version, save and undo. A save that moves
 * people is sent only after its emails were shown (docs/product.md#9.6). `onSaved` gets the number of people who get an
 * email, and a function that undoes it if possible.
 */
export function useEventEdit({ opened, now, box, onBusy, onClose, onSaved }: EventEditOptions): EventEdit {
  const language = currentLanguage();
  const [base, setBase] = useState<OneEvent>(opened);
  const [start, setStart] = useState(() => startOf(opened));
  const [scope, setScope] = useState<Edit['scope']>('this');
  const [problem, setProblem] = useState<unknown>(null);
  const [stopped, setStopped] = useState(false);
  const [saving, setSaving] = useState(false);
  /** The current event, if it was changed elsewhere since it was opened. */
  const [newer, setNewer] = useState<OneEvent | null>(null);
  const [taken, setTaken] = useState(false);
  const [again, setAgain] = useState(false);
  /** Once the change is stored, the save must not be done twice. */
  const [stored, setStored] = useState(false);
  const [upload, setUpload] = useState<EventEdit['upload']>(null);
  const emails = useRef(0);
  const undo = useRef<UndoSave | null>(null);

  const { event, series } = base;
  const alone = isAlone(base);
  const editOf = (of: OneEvent, before: EventFormValues): Edit => ({
    id: of.event.id,
    scope,
    before: before.picture,
    alone: isAlone(of),
    version: of.versions[scope],
  });
  const edit = editOf(base, start);
  const form = useEventForm(start, now, () => edit);
  const values = form.watch();

  // The body of a save: the form, or its changes applied to the newer version.
  const ahead = newer === null ? null : { one: newer, values: startOf(newer) };
  const mine = ahead === null ? values : rebased(values, start, ahead.values);
  const payload =
    ahead === null ? payloadOf(values, language, edit) : payloadOf(mine, language, editOf(ahead.one, ahead.values));
  const tells = ahead === null ? !stored && movesPeople(start, values) : movesPeople(ahead.values, mine);
  const foretold = tells && isFaultless(checkForm(mine, language, now, edit));
  const announcement = useAnnouncement(foretold ? payload : null);
  const change = JSON.stringify(payload);
  useEffect(() => setAgain(false), [change]);

  // Often the preview is the first to learn that the event was changed elsewhere.
  const changedElsewhere = announcement.problem instanceof ApiProblem && announcement.problem.code === 'event_changed';
  const { id } = event;
  const lookAgain = useCallback(
    () =>
      getMyEvent(id).then(
        (one) => {
          setNewer(one);
          setProblem(null);
        },
        (fault: unknown) => setProblem(fault),
      ),
    [id, setProblem],
  );
  useEffect(() => {
    if (changedElsewhere) void lookAgain();
  }, [changedElsewhere, lookAgain]);

  const busy = (is: boolean) => {
    setSaving(is);
    onBusy(is);
  };
  const finish = () => {
    onSaved(emails.current, undo.current);
    onClose();
  };
  /** Continues from the newer version with other values in the form. */
  const goOnFrom = (one: OneEvent, next: EventFormValues) => {
    setBase(one);
    setStart(startOf(one));
    form.reset(next);
    setNewer(null);
  };
  /** Stores a change after its emails were shown. Returns false if they have to be shown first. */
  const store = async (wanted: EventPayload): Promise<boolean> => {
    if (tells) {
      const { told, shown } = await announcement.ask();
      if (!shown && peopleIn(told) > 0) {
        setAgain(true);
        return false;
      }
    }
    emails.current = (await saveEvent(wanted)).emails;
    setStored(true);
    return true;
  };
  /**
   * How the save can be undone. Not if people were notified, or if later dates or a new picture were included: their
   * former values are not known here.
   */
  const undoOf = async (ready: EventFormValues): Promise<UndoSave | null> => {
    const isSmall = scope === 'this' && ready.picture.kind !== 'new' && (!ready.repeat || start.repeat);
    if (!isSmall || ahead !== null || emails.current > 0) return null;
    const version = await getMyEvent(id).then(
      ({ versions }) => versions.this,
      () => null,
    );
    if (version === null) return null;
    return () => saveEvent(payloadOf(start, language, { ...edit, before: ready.picture, version }));
  };
  const send = async (ready: EventFormValues, wanted: EventPayload) => {
    setProblem(null);
    setStopped(false);
    setTaken(false);
    busy(true);
    const { picture } = ready;
    const stop = new AbortController();
    let kept = stored;
    try {
      // Perhaps only a new picture is left to do. Another one that was chosen since belongs to the event's own values.
      if (!kept || picture.kind !== 'new') {
        if (!(await store(wanted))) {
          busy(false);
          return;
        }
        kept = true;
        if (ahead !== null) goOnFrom(ahead.one, mine);
      }
      if (picture.kind === 'new') {
        setUpload({ part: 0, stop });
        // An event that was alone may have just got its further occurrences: they show the same.
        await uploadPicture(event.id, picture.file, alone ? 'later' : scope, {
          signal: stop.signal,
          onProgress: (part) => setUpload({ part, stop }),
        });
      }
      undo.current = await undoOf(ready);
      busy(false);
      finish();
    } catch (fault) {
      busy(false);
      setUpload(null);
      if (stop.signal.aborted) setStopped(true);
      else if (!kept && fault instanceof ApiProblem && fault.code === 'event_changed') await lookAgain();
      else if (!kept && newer === null && showFaults(form, fault)) focusFirstFault(box.current);
      else setProblem(fault);
    }
  };
  const save = form.handleSubmit(
    // Once it was stored, the rest is stored over it.
    (ready) => send(ready, payloadOf(ready, language, stored ? { ...edit, version: null } : edit)),
    () => {
      touchAll(form);
      focusFirstFault(box.current);
    },
  );

  const position = series.findIndex(({ id }) => id === event.id);
  return {
    form,
    values,
    base,
    alone,
    later: series.slice(Math.max(0, position)),
    scope,
    setScope,
    pictureChanges: JSON.stringify(values.picture) !== JSON.stringify(start.picture),
    changed: !stored && JSON.stringify(values) !== JSON.stringify(start),
    saving,
    stored,
    taken,
    problem,
    stopped,
    announcement: (ahead === null ? foretold : tells) ? announcement : null,
    again,
    upload,
    conflict: ahead && {
      before: start,
      newer: ahead.values,
      typed: values,
      take() {
        goOnFrom(ahead.one, ahead.values);
        setTaken(true);
        setProblem(null);
      },
      keep() {
        // A change that can't be stored is corrected in the form.
        if (!isFaultless(checkForm(mine, language, now, editOf(ahead.one, ahead.values)))) goOnFrom(ahead.one, mine);
        else void send(mine, payload);
      },
    },
    save: (submitted) => void save(submitted as never),
    finish,
  };
}

/** Suggestions for filling in the form, empty until they are loaded. */
export function useEditHelp() {
  const { data: help } = useQuery(eventQueries.suggestions());
  const { data: defaults } = useQuery(eventQueries.defaults());
  return {
    names: help?.names ?? [],
    addresses: help?.addresses ?? [],
    pictures: help?.pictures ?? [],
    upcoming: help?.upcoming ?? [],
    locations: defaults?.locations ?? [],
  };
}
