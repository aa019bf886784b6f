/** The fields of the programme form: the typed values, their faults, and how to change them. */
import type { FieldErrors, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { faultWords } from '../eventWords.ts';
import type { EventFormValues, FormField } from './formValues.ts';

export type FormInput = UseFormReturn<EventFormValues>;

/** A fault that depends on another field is checked again with that field. */
const CHECKED_WITH: Partial<Record<keyof EventFormValues, readonly FormField[]>> = {
  startTime: ['endTime'],
  isOnline: ['eventLocation', 'address'],
  type: ['maximumParticipant'],
  currency: ['price'],
  timeZone: ['dates'],
  attendees: ['maximumParticipant'],
  dates: ['repeat', 'occasions'],
  unit: ['occasions'],
  frequency: ['occasions'],
  removed: ['occasions'],
};

export interface EventFields {
  values: EventFormValues;
  errors: FieldErrors<EventFormValues>;
  /** The fault of a field in words. */
  errorOf(field: FormField): string | null;
  change<K extends keyof EventFormValues>(name: K, value: EventFormValues[K]): void;
}

/**
 * Joins react-hook-form with this form's words. After the first try to send, a change checks its field and those that
 * depend on it.
 */
export function useEventFields(form: FormInput): EventFields {
  const { t } = useTranslation('events');
  const { errors, isSubmitted } = form.formState;
  return {
    values: form.watch(),
    errors,
    errorOf: (field) => faultWords(t, field, (errors[field] as { message?: string } | undefined)?.message),
    change(name, value) {
      form.setValue(name, value as never, { shouldDirty: true, shouldTouch: true });
      if (isSubmitted) void form.trigger([name, ...(CHECKED_WITH[name] ?? [])] as (keyof EventFormValues)[]);
    },
  };
}
