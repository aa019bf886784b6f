import { ApiProblem } from '../../../platform/api/index.ts';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { showServerFaults } from '../../../platform/forms/serverFaults.ts';
import { type FieldErrors, type Resolver, useForm, type UseFormReturn } from 'react-hook-form';
import { useRef } from 'react';
import {
  checkForm,
  type Edit,
  type EventFormValues,
  fieldOf,
  FORM_FIELDS,
  type FormFaults,
  isFaultless,
} from './formValues.ts';

function errorsOf({ fields, rows }: FormFaults): FieldErrors<EventFormValues> {
  const told = (faults: object) =>
    Object.fromEntries(
      Object.entries(faults).map(([name, message]) => [name, { type: 'check', message: message as string }]),
    );
  const rowErrors = rows.map((row) => (Object.keys(row).length > 0 ? told(row) : undefined));
  return {
    ...told(fields),
    ...(rowErrors.some(Boolean) ? { attendees: rowErrors } : {}),
  } as FieldErrors<EventFormValues>;
}

/**
 * The form's state under the contract's rules. Takes its initial values, product time in milliseconds, and the subject
 * of an edit for the check. Returns react-hook-form's form; `handleSubmit` gets nothing while there is a fault.
 */
export function useEventForm(
  start: EventFormValues,
  now: number,
  edit: () => Edit | null,
): UseFormReturn<EventFormValues> {
  const latest = useRef({ now, edit });
  latest.current = { now, edit };
  const resolver: Resolver<EventFormValues> = (values) => {
    const faults = checkForm(values, currentLanguage(), latest.current.now, latest.current.edit());
    return isFaultless(faults) ? { values, errors: {} } : { values: {}, errors: errorsOf(faults) };
  };
  return useForm<EventFormValues>({ resolver, defaultValues: start, shouldFocusError: false });
}

/** Marks all fields as touched, as in an invalid form (docs/product.md#9.19). */
export function touchAll(form: UseFormReturn<EventFormValues>): void {
  for (const field of FORM_FIELDS) form.setValue(field, form.getValues(field) as never, { shouldTouch: true });
}

/** Number of places with a fault. */
export function countFaults(errors: FieldErrors<EventFormValues>): number {
  const { attendees, ...fields } = errors;
  const rows = Array.isArray(attendees) ? attendees : [];
  return (
    Object.keys(fields).filter((name) => name !== 'root').length +
    rows.reduce((sum, row) => sum + Object.keys((row ?? {}) as object).length, 0)
  );
}

/**
 * Shows what the server found at the fields. Fewer places than taken ones are a fault of that field, however the server
 * says it.
 *
 * @returns false when something is left that no field shows; then the page says the problem as a whole.
 */
export function showFaults(form: UseFormReturn<EventFormValues>, problem: unknown): boolean {
  if (!(problem instanceof ApiProblem)) return false;
  if (problem.code !== 'places_below_taken') return showServerFaults(form, problem, fieldOf);
  form.setError('maximumParticipant', { type: 'server', message: 'places_below_taken' });
  return true;
}
