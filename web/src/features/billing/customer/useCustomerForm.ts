/** The state of the customer's form, under the contract's rules and with a draft. */
import type { Customer } from '@fieldroom/contract/billing';
import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { type FieldErrors, type Resolver, useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../platform/api/index.ts';
import { showServerFaults } from '../../../platform/forms/serverFaults.ts';
import { KEEP_AFTER_MS } from '../../../ui/typingTimes.ts';
import { ownId } from '../billingQueries.ts';
import { faultWords } from '../billingWords.ts';
import {
  checkCustomer,
  type CustomerValues,
  dropDraft,
  type Faults,
  type Field,
  FIELDS,
  findDraft,
  isField,
  keepDraft,
} from './customerForm.ts';

/** A fault that depends on another field is checked again with that field. */
const CHECKED_WITH: Partial<Record<Field, readonly Field[]>> = { 'entity.country': ['entity.taxNumber'] };

function errorsOf(faults: Faults): FieldErrors<CustomerValues> {
  const errors: Record<string, unknown> = {};
  const entity: Record<string, unknown> = {};
  for (const [path, message] of Object.entries(faults)) {
    const fault = { type: 'check', message };
    if (path.startsWith('entity.')) entity[path.slice('entity.'.length)] = fault;
    else errors[path] = fault;
  }
  return (Object.keys(entity).length > 0 ? { ...errors, entity } : errors) as FieldErrors<CustomerValues>;
}

const resolver: Resolver<CustomerValues> = (values) => {
  const checked = checkCustomer(values);
  return checked.customer === null
    ? { values: {}, errors: errorsOf(checked.faults) }
    : { values: values as never, errors: {} };
};

export interface CustomerForm {
  values: CustomerValues;
  /** The fault of a field in words. */
  errorOf(field: Field): string | null;
  change(field: Field, value: string): void;
  /** Number of marked fields. */
  faults: number;
  /** Checks everything. Calls back with the customer, or marks the faults. */
  check(onGood: (customer: Customer) => void, onFaulty: () => void): void;
  /** Marks the server's faults. Returns false if no field shows one of them. */
  showFaults(problem: unknown): boolean;
  /** The typed text is in a draft. */
  kept: boolean;
  /** Forgets the draft and starts again. */
  startOver(): void;
  /** The data is stored: no draft is needed. */
  end(): void;
}

/** Takes the initial values without a draft. */
export function useCustomerForm(start: CustomerValues): CustomerForm {
  const { t } = useTranslation('billing');
  const [therapistId] = useState(ownId);
  const [draft] = useState(() => findDraft(therapistId, start));
  const form: UseFormReturn<CustomerValues> = useForm<CustomerValues>({
    resolver,
    defaultValues: draft ?? start,
    shouldFocusError: false,
  });
  const values = useWatch({ control: form.control }) as CustomerValues;
  const { isSubmitted } = form.formState;
  const [kept, setKept] = useState(draft !== null);
  const latest = useRef(values);
  latest.current = values;
  const typed = useRef(false);

  const keep = () => {
    if (typed.current) setKept(keepDraft(therapistId, latest.current));
  };
  const keepSoon = useDebouncedCallback(keep, KEEP_AFTER_MS);
  useWindowEvent('pagehide', keep);
  // Leaving within the app must not lose the last words.
  useEffect(
    () => () => {
      if (typed.current) keepDraft(therapistId, latest.current);
    },
    [therapistId],
  );
  const forget = () => {
    typed.current = false;
    dropDraft(therapistId);
    setKept(false);
  };

  return {
    values,
    errorOf: (field) => {
      const message = form.getFieldState(field, form.formState).error?.message;
      return message === undefined ? null : faultWords(t, field, message);
    },
    faults: FIELDS.filter((field) => form.getFieldState(field, form.formState).error !== undefined).length,
    change(field, value) {
      typed.current = true;
      form.setValue(field, value, { shouldDirty: true });
      keepSoon();
      // Those fields are no longer shown.
      if (field === 'kind' && value === 'person') form.clearErrors('entity');
      if (isSubmitted) void form.trigger([field, ...(CHECKED_WITH[field] ?? [])]);
    },
    check: (onGood, onFaulty) =>
      void form.handleSubmit((checked) => {
        const { customer } = checkCustomer(checked);
        if (customer !== null) onGood(customer);
      }, onFaulty)(),
    showFaults: (problem) =>
      problem instanceof ApiProblem && showServerFaults(form, problem, (path) => (isField(path) ? path : undefined)),
    kept,
    startOver() {
      forget();
      form.reset(start);
    },
    end: forget,
  };
}
