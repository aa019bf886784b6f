import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { ApiProblem } from '../api/index.ts';

/**
 * Brings what the server found to the fields of a form. Takes the form, the problem, and its fields: their names where
 * they are those of the contract, else how a path of the contract becomes a field.
 *
 * @returns false when something is left that no field can show; then the page says the problem as a whole.
 */
export function showServerFaults<V extends FieldValues>(
  form: Pick<UseFormReturn<V>, 'setError'>,
  problem: ApiProblem,
  fields: readonly Path<V>[] | ((path: string) => Path<V> | undefined),
): boolean {
  const fieldOf = typeof fields === 'function' ? fields : (path: string) => fields.find((name) => name === path);
  let shown = 0;
  for (const fault of problem.fields) {
    const name = fieldOf(fault.path);
    if (!name) continue;
    form.setError(name, { type: 'server', message: fault.code }, { shouldFocus: shown === 0 });
    shown += 1;
  }
  return problem.fields.length > 0 && shown === problem.fields.length;
}
