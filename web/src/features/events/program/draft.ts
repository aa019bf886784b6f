/**
 * The typed text of an unpublished event, stored on this device for the same therapist, with the picture. People's
 * names and addresses are not written to the disk of a device that others may use; they live as long as the tab does.
 */
import { EVENT_TYPES, CURRENCIES, isDay, REPETITION_UNITS } from '@fieldroom/contract/events';
import { isTimeZone } from '@fieldroom/contract/text/timeZones';
import { deviceStore, type TextStore } from '../../../platform/storage.ts';
import type { EventFormValues } from '../form/formValues.ts';
import type { Picture } from '../picture/choose/chosenPicture.ts';

const keyOf = (therapistId: number) => `event_draft_${therapistId}`;
const pictureKeyOf = (therapistId: number) => `event_draft_picture_${therapistId}`;
/** In addition to the disk: complete values in this tab, by therapist. */
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

/** Stores a draft. If the browser refuses, only this tab keeps it. Returns whether it is on the device. */
export function keepDraft(therapistId: number, values: EventFormValues, local: TextStore = deviceStore): boolean {
  inThisTab.set(therapistId, values);
  const { attendees: _people, picture, ...words } = values;
  const text = JSON.stringify({ ...words, ...(picture.kind === 'stored' ? { picture } : {}) });
  return local.set(keyOf(therapistId), text);
}

type NewPicture = Extract<Picture, { kind: 'new' }>;
const AS_TEXT = 'data:image/jpeg;base64,';

/** A file as text, the only type that a browser's storage accepts. */
function textOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(file);
  });
}

function pictureOf(text: string | null): NewPicture | null {
  if (!text?.startsWith(AS_TEXT)) return null;
  try {
    const bytes = Uint8Array.from(atob(text.slice(AS_TEXT.length)), (letter) => letter.charCodeAt(0));
    const file = new File([bytes], 'picture.jpg', { type: 'image/jpeg' });
    return { kind: 'new', file, address: URL.createObjectURL(file) };
  } catch {
    return null;
  }
}

/**
 * Stores the picture that was just cropped beside the draft; any other picture is part of the draft itself. Returns
 * whether it is on the device: a picture may exceed the browser's quota.
 */
export async function keepDraftPicture(
  therapistId: number,
  picture: Picture,
  local: TextStore = deviceStore,
): Promise<boolean> {
  const key = pictureKeyOf(therapistId);
  const text = picture.kind === 'new' ? await textOf(picture.file).catch(() => null) : null;
  if (text?.startsWith(AS_TEXT) && local.set(key, text)) return true;
  local.remove(key);
  return picture.kind !== 'new';
}

/**
 * The draft of a therapist applied to `blank`, null if there is none. Invalid values of an older or corrupt draft stay
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
  const cut = stored ? null : pictureOf(local.get(pictureKeyOf(therapistId)));
  return {
    ...blank,
    ...(Object.fromEntries(words) as Partial<EventFormValues>),
    ...(stored ? { picture: picture as Picture } : {}),
    ...(cut ? { picture: cut } : {}),
  };
}

/** Removes the draft: after publishing, or because the person wants it. */
export function dropDraft(therapistId: number, local: TextStore = deviceStore): void {
  inThisTab.delete(therapistId);
  local.remove(keyOf(therapistId));
  local.remove(pictureKeyOf(therapistId));
}
