import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { ApiProblem } from '../api/index.ts';

/**
 * Shows what the server found at the fields of a form. Takes the form, the problem, and the form's fields: their names
 * if they are those of the contract, otherwise a function that turns a path of the contract into a field.
 *
 * @returns false when something is left that no field can show; then the page shows the problem as a whole.
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
