/**
 * What was typed and is not published yet, kept on this device for the same therapist. Names and addresses of people
 * are not written to the disk of a device that others may use; they and a picture that was just cut live as long as the
 * tab does.
 */
import { EVENT_TYPES, CURRENCIES, isDay, isTimeZone, REPETITION_UNITS } from '@fieldroom/contract/events';
import { deviceStore, type TextStore } from '../../../platform/storage.ts';
import type { EventFormValues } from '../form/formValues.ts';

const keyOf = (therapistId: number) => `event_draft_${therapistId}`;
/** Beyond the disk: whole values of this tab, by therapist. */
const inThisTab = new Map<number, EventFormValues>();

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isDays = (value: unknown): value is string[] => isTexts(value) && value.every(isDay);
const oneOf = (known: readonly string[]) => (value: unknown) => typeof value === 'string' && known.includes(value);
const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const LOOKS_RIGHT: Record<Exclude<keyof EventFormValues, 'attendees' | 'picture'>, (value: unknown) => boolean> = {
  eventName: isText,
  description: isText,
  type: oneOf(EVENT_TYPES),
  isOnline: isFlag,
  eventLocation: isText,
  address: isText,
  dates: isDays,
  startTime: isText,
  endTime: isText,
  timeZone: (value) => typeof value === 'string' && isTimeZone(value),
  repeat: isFlag,
  unit: oneOf(REPETITION_UNITS),
  frequency: isText,
  occasions: isText,
  removed: isDays,
  maximumParticipant: isText,
  price: isText,
  currency: oneOf(Object.keys(CURRENCIES)),
};

/** Keeps a draft. Where the browser refuses, only this tab keeps it. Returns whether it is on the device. */
export function keepDraft(therapistId: number, values: EventFormValues, local: TextStore = deviceStore): boolean {
  inThisTab.set(therapistId, values);
  const { attendees: _people, picture, ...words } = values;
  const text = JSON.stringify({ ...words, ...(picture.kind === 'stored' ? { picture } : {}) });
  return local.set(keyOf(therapistId), text);
}

/**
 * The draft of a therapist over `blank`, null where there is none. What an older or broken draft says wrongly is left
 * blank.
 */
export function findDraft(
  therapistId: number,
  blank: EventFormValues,
  local: TextStore = deviceStore,
): EventFormValues | null {
  const whole = inThisTab.get(therapistId);
  if (whole) return whole;
  let kept: unknown;
  try {
    kept = JSON.parse(local.get(keyOf(therapistId)) ?? 'null');
  } catch {
    return null;
  }
  if (typeof kept !== 'object' || kept === null) return null;
  const found = kept as Record<string, unknown>;
  const words = Object.entries(LOOKS_RIGHT)
    .filter(([name, right]) => right(found[name]))
    .map(([name]) => [name, found[name]]);
  if (words.length === 0) return null;
  const picture = found.picture as { kind?: unknown; ref?: { eventId?: unknown; fileName?: unknown } } | undefined;
  const stored =
    picture?.kind === 'stored' &&
    Number.isSafeInteger(picture.ref?.eventId) &&
    typeof picture.ref?.fileName === 'string';
  return {
    ...blank,
    ...(Object.fromEntries(words) as Partial<EventFormValues>),
    ...(stored ? { picture: picture as EventFormValues['picture'] } : {}),
  };
}

/** Forgets the draft: after publishing, or because the person wants it. */
export function dropDraft(therapistId: number, local: TextStore = deviceStore): void {
  inThisTab.delete(therapistId);
  local.remove(keyOf(therapistId));
}
