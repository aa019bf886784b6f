import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  useForm,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { ApiProblem } from '../../../platform/api/index.ts';
import { showServerFaults } from '../../../platform/forms/serverFaults.ts';
import { useUnsaved } from './UnsavedChanges.tsx';

export interface SectionFormOptions<Typed extends FieldValues, Read extends FieldValues> {
  schema: z.core.$ZodType<Read, Typed>;
  /** The saved values. When they change elsewhere the form follows, except for fields with typed text. */
  stored: Typed;
  /** Saves. Returns the form's new values. Throws `ApiProblem`. */
  save(values: Read): Promise<Typed>;
  /** The fields that show the server's faults, by the contract's names. */
  fields: readonly Path<Typed>[];
  /** Shows a refusal in another way. Returns whether it did. */
  onRefused?(problem: ApiProblem, form: UseFormReturn<Typed, unknown, Read>): boolean;
}

export interface SectionForm<Typed extends FieldValues, Read extends FieldValues> {
  form: UseFormReturn<Typed, unknown, Read>;
  /** Props of the form element. */
  submit(event: { preventDefault(): void }): void;
  /** A refusal that no field shows. */
  problem: unknown;
  changed: boolean;
  saving: boolean;
  /** It was saved, and nothing has been typed since. */
  saved: boolean;
}

/** A form that saves on its own. Pressing the button without a change saves the present values, and confirms it. */
export function useSectionForm<Typed extends FieldValues, Read extends FieldValues>({
  schema,
  stored,
  save,
  fields,
  onRefused,
}: SectionFormOptions<Typed, Read>): SectionForm<Typed, Read> {
  const [problem, setProblem] = useState<unknown>(null);
  const [saved, setSaved] = useState(false);
  const form = useForm<Typed, unknown, Read>({
    resolver: zodResolver(schema),
    defaultValues: stored as DefaultValues<Typed>,
    values: stored,
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  });
  const { isDirty, isSubmitting } = form.formState;
  useUnsaved(isDirty);
  useEffect(() => {
    if (isDirty) setSaved(false);
  }, [isDirty]);

  const submit = form.handleSubmit(async (values) => {
    setProblem(null);
    setSaved(false);
    const sent = form.getValues();
    try {
      const kept = await save(values);
      const typed = form.getValues();
      // Unlike other answers of the server, this one is about the typed values, except for those typed since.
      form.reset(kept, { keepDirtyValues: false, keepErrors: false });
      for (const name of Object.keys(typed) as (keyof Typed & Path<Typed>)[])
        if (typed[name] !== sent[name])
          form.setValue(name, typed[name] as PathValue<Typed, typeof name>, { shouldDirty: true });
      setSaved(true);
    } catch (fault) {
      if (fault instanceof ApiProblem && (onRefused?.(fault, form) || showServerFaults(form, fault, fields))) return;
      setProblem(fault);
    }
  });
  return {
    form,
    submit: (event) => {
      event.preventDefault();
      void submit();
    },
    problem,
    changed: isDirty,
    saving: isSubmitting,
    saved,
  };
}

/** Reports at the field `password` that it is not the current one. */
export function wrongPassword(
  { code }: ApiProblem,
  { setError }: { setError(name: 'password', fault: { message: string }, options: { shouldFocus: boolean }): void },
): boolean {
  if (code !== 'current_password_wrong') return false;
  setError('password', { message: 'wrong' }, { shouldFocus: true });
  return true;
}
