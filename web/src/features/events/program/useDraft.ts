/** Stores typed text on this device: a moment after the last key, and at once when the page is left. */
import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { KEEP_AFTER_MS } from '../../../ui/typingTimes.ts';
import type { EventFormValues } from '../form/formValues.ts';
import { dropDraft, keepDraft, keepDraftPicture } from './draft.ts';

const same = (a: EventFormValues, b: EventFormValues) => JSON.stringify(a) === JSON.stringify(b);

export interface DraftStart {
  values: EventFormValues;
  /** The form with nothing typed. */
  empty: EventFormValues;
  fromDraft: boolean;
}

/** An empty form is not stored. An unchanged form is only if it came from a draft. */
const isWorthKeeping = (values: EventFormValues, start: DraftStart): boolean =>
  !same(values, start.empty) && (start.fromDraft || !same(values, start.values));

export interface Draft {
  /** A draft is stored on this device. */
  kept: boolean;
  /** The picture too, if there is one. */
  pictureKept: boolean;
  drop(): void;
  /** The event is published: no draft is needed. */
  end(): void;
}

/** Takes the therapist's id, the initial values, and the current ones. */
export function useDraft(therapistId: number, start: DraftStart, values: EventFormValues): Draft {
  const [kept, setKept] = useState(start.fromDraft);
  const [pictureKept, setPictureKept] = useState(true);
  const ended = useRef(false);
  const latest = useRef(values);
  latest.current = values;
  /** There is a draft that this form wrote or started from; in this tab only if the browser refuses to store it. */
  const ownDraft = useRef(start.fromDraft);
  const onDevice = useRef(start.fromDraft);

  /** Stores typed text. A form that was emptied by hand loses its draft; otherwise its old text would return. */
  const save = () => {
    if (ended.current) return onDevice.current;
    if (isWorthKeeping(latest.current, start)) {
      ownDraft.current = true;
      onDevice.current = keepDraft(therapistId, latest.current);
    } else if (ownDraft.current && same(latest.current, start.empty)) {
      dropDraft(therapistId);
      ownDraft.current = false;
      onDevice.current = false;
    }
    return onDevice.current;
  };
  const latestSave = useRef(save);
  latestSave.current = save;
  const keep = () => setKept(save());
  const keepSoon = useDebouncedCallback(keep, KEEP_AFTER_MS);
  const typed = JSON.stringify(values);
  useEffect(() => keepSoon(), [typed, keepSoon]);
  useWindowEvent('pagehide', keep);
  const { picture } = values;
  useEffect(() => {
    let isNewest = true;
    void keepDraftPicture(therapistId, picture).then((isKept) => {
      if (ended.current) dropDraft(therapistId);
      else if (isNewest) setPictureKept(isKept);
    });
    return () => {
      isNewest = false;
    };
  }, [therapistId, picture]);

  // Leaving within the app must not lose the last words.
  useEffect(
    () => () => {
      latestSave.current();
    },
    [therapistId, start],
  );

  return {
    kept,
    pictureKept,
    drop() {
      dropDraft(therapistId);
      setKept(false);
    },
    end() {
      ended.current = true;
      dropDraft(therapistId);
    },
  };
}
