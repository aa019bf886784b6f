/**
 * The programme form without its view: the typed values, their faults, and the resulting payload. The contract's schema
 * validates; this file adds only what the schema cannot know: how people type numbers, and the date.
 */
import {
  type Event,
  eventInput,
  type EventType,
  type OwnEvent,
  type RepetitionRule,
  type Currency,
  isDay,
  shiftedDates,
  YEARS_AHEAD_MAX,
} from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import { isTimeZone } from '@fieldroom/contract/text/timeZones';
import { type AttendeeRow, checkRows, isBlank, type RowFaults } from '../attendees/attendeeInput.ts';
import type { EventPayload } from '../eventsApi.ts';
import { parsePrice, parseTime, typedPrice, usualCurrency } from '../formatting.ts';
import { monthPlus } from '../dates/calendarDays.ts';
import type { ImageRef, Picture } from '../picture/choose/chosenPicture.ts';
import { repeatedFirsts, type RepetitionUnit } from './when/repeatedDays.ts';
import { dayAt, instantOf } from '../dates/wallClock.ts';

export interface EventFormValues {
  eventName: string;
  description: string;
  type: EventType;
  isOnline: boolean;
  eventLocation: string;
  address: string;
  /** Days of the first occurrence, sorted. */
  dates: string[];
  startTime: string;
  endTime: string;
  timeZone: string;
  repeat: boolean;
  unit: RepetitionUnit;
  frequency: string;
  occasions: string;
  /** First days of the rule that the therapist removed. */
  removed: string[];
  maximumParticipant: string;
  price: string;
  currency: Currency;
  attendees: AttendeeRow[];
  picture: Picture;
}
/** Places of the form that can show a fault, beside rows of attendees. */
export const FORM_FIELDS = [
  'eventName',
  'description',
  'type',
  'isOnline',
  'eventLocation',
  'address',
  'dates',
  'startTime',
  'endTime',
  'timeZone',
  'repeat',
  'unit',
  'frequency',
  'occasions',
  'maximumParticipant',
  'price',
  'currency',
  'picture',
] as const satisfies readonly (keyof EventFormValues)[];
export type FormField = (typeof FORM_FIELDS)[number];

/** An empty form. Takes the language, which decides the usual currency, and the IANA zone of the event. */
export function blankValues(language: Language, timeZone: string): EventFormValues {
  return {
    eventName: '',
    description: '',
    type: 'GROUP',
    isOnline: true,
    eventLocation: '',
    address: '',
    dates: [],
    startTime: '',
    endTime: '',
    timeZone,
    repeat: false,
    unit: 'week',
    frequency: '1',
    occasions: '4',
    removed: [],
    maximumParticipant: '',
    price: '',
    currency: usualCurrency(language),
    attendees: [],
    picture: { kind: 'none' },
  };
}

/** An event as the form shows it. Takes the event and the language that prices are typed in. */
export function valuesOf(event: Event | OwnEvent, language: Language): EventFormValues {
  const fileName = event.files[0];
  return {
    eventName: event.eventName,
    description: event.description,
    type: event.type,
    isOnline: event.isOnline,
    eventLocation: event.eventLocation,
    address: event.address,
    dates: [...event.dates],
    startTime: event.startTime,
    endTime: event.endTime,
    timeZone: event.timeZone,
    repeat: event.repetitionRule !== null,
    unit: event.repetitionRule?.unit ?? 'week',
    frequency: String(event.repetitionRule?.frequency ?? 1),
    occasions: String(event.repetitionRule?.occasions ?? 4),
    removed: [],
    maximumParticipant: String(event.maximumParticipant),
    price: typedPrice(event.price, event.currency, language),
    currency: event.currency,
    attendees: [],
    picture: fileName ? { kind: 'stored', ref: { eventId: event.id, fileName } } : { kind: 'none' },
  };
}

/** An earlier event as the start of a new one: everything except its days and bookings. */
export function valuesFromEarlier(event: Event | OwnEvent, language: Language): EventFormValues {
  return { ...valuesOf(event, language), dates: [], removed: [] };
}

/** A whole number as typed; the fault's key if it is invalid. */
export function wholeNumber(text: string): number | 'required' | 'not_whole' | 'not_a_number' {
  const typed = text.trim();
  if (typed === '') return 'required';
  if (/^\d{1,9}$/.test(typed)) return Number(typed);
  return /^\d+[.,]\d+$/.test(typed) ? 'not_whole' : 'not_a_number';
}

/** The rule of a valid repetition, else null. */
export function ruleOf({
  repeat,
  unit,
  frequency,
  occasions,
}: Pick<EventFormValues, 'repeat' | 'unit' | 'frequency' | 'occasions'>): RepetitionRule | null {
  const [every, times] = [wholeNumber(frequency), wholeNumber(occasions)];
  return repeat &&
    typeof every === 'number' &&
    typeof times === 'number' &&
    every >= 1 &&
    every <= 52 &&
    times >= 1 &&
    times <= 100
    ? { unit, frequency: every, occasions: times }
    : null;
}

/** The first days of the further occurrences that will be published, and those that the therapist removed. */
export function furtherOf(
  values: Pick<EventFormValues, 'dates' | 'repeat' | 'unit' | 'frequency' | 'occasions' | 'removed'>,
): { kept: string[]; removed: string[] } {
  const rule = ruleOf(values);
  const first = values.dates[0];
  const all = rule && first ? repeatedFirsts(first, rule) : [];
  return {
    kept: all.filter((day) => !values.removed.includes(day)),
    removed: all.filter((day) => values.removed.includes(day)),
  };
}

/** The days of every occurrence, the first one included, in order. */
export function occurrencesOf(
  values: Pick<EventFormValues, 'dates' | 'repeat' | 'unit' | 'frequency' | 'occasions' | 'removed'>,
): string[][] {
  if (values.dates.length === 0) return [];
  return [values.dates, ...furtherOf(values).kept.map((first) => shiftedDates(values.dates, first))];
}

/** The subject of an edit: the event and whether the later ones of its series change too. */
export interface Edit {
  id: number;
  scope: 'this' | 'later';
  /** The picture before the edit; an unchanged one is not sent. */
  before: Picture;
  /** The series has no other occurrence, so a repetition may be added. */
  alone: boolean;
  /** The opened version, so that nothing newer is overwritten unseen; null overwrites any version. */
  version: string | null;
}

/**
 * Takes the typed values, and the subject of an edit, null for a new event. Returns the contract's payload of
 * `event/save`. A new picture is uploaded after the save, so it is not part of it. An edit keeps its series' rule.
 */
export function payloadOf(values: EventFormValues, language: Language, edit: Edit | null = null): EventPayload {
  const rule = edit && !edit.alone ? null : ruleOf(values);
  const places = wholeNumber(values.maximumParticipant);
  return {
    id: edit?.id ?? null,
    eventName: values.eventName,
    type: values.type,
    isOnline: values.isOnline,
    // Values typed for an event on site are kept in the form while it is online.
    eventLocation: values.isOnline ? '' : values.eventLocation,
    address: values.isOnline ? '' : values.address,
    description: values.description,
    dates: values.dates,
    repetitions: rule ? furtherOf(values).kept : [],
    startTime: parseTime(values.startTime) ?? values.startTime,
    endTime: parseTime(values.endTime) ?? values.endTime,
    timeZone: values.timeZone,
    price: parsePrice(values.price, values.currency, language) ?? values.price,
    currency: values.currency,
    maximumParticipant: values.type === 'ONE_ON_ONE' ? 1 : typeof places === 'number' ? places : Number.NaN,
    ...(edit ? { scope: edit.scope } : {}),
    ...(edit?.version ? { version: edit.version } : {}),
    // Without a new rule an edit keeps that of its series.
    ...(rule || !edit ? { repetitionRule: rule } : {}),
    ...pictureOf(values.picture, edit?.before ?? { kind: 'none' }),
  };
}

function pictureOf(picture: Picture, before: Picture): { pictureFrom?: ImageRef | null } {
  if (picture.kind === 'new') return {};
  if (picture.kind === 'none') return before.kind === 'none' ? {} : { pictureFrom: null };
  return before.kind === 'stored' && before.ref.fileName === picture.ref.fileName ? {} : { pictureFrom: picture.ref };
}

export interface FormFaults {
  fields: Partial<Record<FormField, string>>;
  /** By row; an empty object for a valid row. */
  rows: RowFaults[];
}

/** Returns the form's field for a path of the contract's faults, undefined if no field shows it. */
export function fieldOf(path: string): FormField | undefined {
  const [first = '', second] = path.split('.');
  if (first === 'repetitionRule')
    return second === 'frequency' || second === 'occasions' || second === 'unit' ? second : 'repeat';
  if (first === 'repetitions') return 'repeat';
  if (first === 'pictureFrom' || first === 'files') return 'picture';
  return FORM_FIELDS.find((field) => field === first);
}

/**
 * Takes the values, the language of its numbers, now (product time in ms) and the subject of an edit. Returns all
 * faults of the form, by place, as stable keys. An event that has begun may still be edited, so the server checks its
 * days.
 */
export function checkForm(
  values: EventFormValues,
  language: Language,
  now: number,
  edit: Edit | null = null,
): FormFaults {
  const payload = payloadOf(values, language, edit);
  const fields: FormFaults['fields'] = {};
  const fault = (field: FormField, code: string) => {
    fields[field] ??= code;
  };
  // The typed text is checked before the value made of it.
  if (values.price.trim() === '') fault('price', 'required');
  else if (parsePrice(values.price, values.currency, language) === null)
    fault('price', values.price.trim().startsWith('-') ? 'price_negative' : 'not_a_price');
  for (const field of ['startTime', 'endTime'] as const) {
    if (values[field].trim() === '') fault(field, 'required');
    else if (parseTime(values[field]) === null) fault(field, 'not_a_time');
  }
  if (values.type === 'GROUP') {
    const places = wholeNumber(values.maximumParticipant);
    if (typeof places === 'string') fault('maximumParticipant', places);
  }
  if ((!edit || edit.alone) && values.repeat) {
    for (const field of ['frequency', 'occasions'] as const) {
      const number = wholeNumber(values[field]);
      if (typeof number === 'string') fault(field, number);
      else if (number < 1) fault(field, 'too_small');
      else if (number > (field === 'frequency' ? 52 : 100)) fault(field, 'too_large');
    }
  }
  // The schema compares fields only when each of them is valid by itself; here all faults are shown at once.
  const [from, to] = [parseTime(values.startTime), parseTime(values.endTime)];
  if (from !== null && to !== null && to <= from) fault('endTime', 'end_before_start');
  if (!values.isOnline && values.eventLocation.trim() === '') fault('eventLocation', 'required');
  for (const issue of eventInput.safeParse(payload).error?.issues ?? []) {
    const field = fieldOf(issue.path.join('.'));
    // Compared above, where both are known to be valid times.
    if (field && issue.message !== 'end_before_start') fault(field, issue.message);
  }
  const first = values.dates[0];
  if (!edit && first && isDay(first) && isTimeZone(values.timeZone)) {
    const today = dayAt(now, values.timeZone);
    if (first < today) fault('dates', 'in_past');
    else if (from !== null && instantOf(first, from, values.timeZone) <= now) fault('startTime', 'in_past');
    const furthest = monthPlus(today, YEARS_AHEAD_MAX * 12);
    if ((values.dates.at(-1) as string) > furthest) fault('dates', 'too_far');
    else if ((furtherOf(values).kept.at(-1) ?? '') > furthest) fault('occasions', 'too_far');
  }
  const people = edit ? [] : values.attendees;
  // An empty row is not a person.
  const rows = checkRows(people).map((found, index) => (isBlank(people[index] as AttendeeRow) ? {} : found));
  const wanted = people.filter((row) => !isBlank(row)).length;
  const places = values.type === 'ONE_ON_ONE' ? 1 : wholeNumber(values.maximumParticipant);
  if (typeof places === 'number' && wanted > places) fault('maximumParticipant', 'fewer_than_people');
  return { fields, rows };
}

/** Whether a form has no fault, in its fields and its rows. */
export const isFaultless = ({ fields, rows }: FormFaults): boolean =>
  Object.keys(fields).length === 0 && rows.every((row) => Object.keys(row).length === 0);

/** Fields that have a meaning only together: compared, shown and merged as one. */
const EVENT_PARTS = {
  eventName: ['eventName'],
  description: ['description'],
  kind: ['type', 'maximumParticipant'],
  place: ['isOnline', 'eventLocation', 'address'],
  days: ['dates'],
  times: ['startTime', 'endTime', 'timeZone'],
  price: ['price', 'currency'],
  picture: ['picture'],
} as const satisfies Record<string, readonly (keyof EventFormValues)[]>;
export type EventPart = keyof typeof EVENT_PARTS;

/** A part of a form in a comparable form: different typings of the same value are equal. */
function comparable(values: EventFormValues, part: EventPart): string {
  if (part === 'place' && values.isOnline) return 'online';
  if (part === 'kind' && values.type === 'ONE_ON_ONE') return values.type;
  // Several events may have the same picture.
  if (part === 'picture' && values.picture.kind === 'stored') return values.picture.ref.fileName;
  return JSON.stringify(
    EVENT_PARTS[part].map((field) => {
      const value = values[field];
      if (typeof value !== 'string') return value;
      return (field === 'startTime' || field === 'endTime' ? parseTime(value) : null) ?? value.trim();
    }),
  );
}

/** The parts in which two states of an event differ. */
export function changedParts(before: EventFormValues, after: EventFormValues): EventPart[] {
  return (Object.keys(EVENT_PARTS) as EventPart[]).filter(
    (part) => comparable(before, part) !== comparable(after, part),
  );
}

/** The changes typed over `before`, applied to a newer state: the changed parts, and the newer state in all others. */
export function rebased(typed: EventFormValues, before: EventFormValues, newer: EventFormValues): EventFormValues {
  const mine = new Set(changedParts(before, typed));
  const fields = (Object.keys(EVENT_PARTS) as EventPart[])
    .filter((part) => !mine.has(part))
    .flatMap((part): readonly (keyof EventFormValues)[] => EVENT_PARTS[part]);
  return { ...typed, ...Object.fromEntries(fields.map((field) => [field, newer[field]])) };
}

/** Whether booked people are notified of a change: time or place (docs/product.md#9.6). */
export function movesPeople(before: EventFormValues, after: EventFormValues): boolean {
  return changedParts(before, after).some((part) => part === 'days' || part === 'times' || part === 'place');
}
