import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { ApiProblem } from '../../platform/api/index.ts';

/**
 * Brings what the server found to the fields of a form. In: the form, the problem, the names of its fields.
 * Out: false when something is left that no field can show; then the page says the problem as a whole.
 */
export function showServerFaults<V extends FieldValues>(
  form: Pick<UseFormReturn<V>, 'setError'>,
  problem: ApiProblem,
  names: readonly Path<V>[],
): boolean {
  let shown = 0;
  for (const fault of problem.fields) {
    const name = names.find((candidate) => candidate === fault.path);
    if (!name) continue;
    form.setError(name, { type: 'server', message: fault.code }, { shouldFocus: shown === 0 });
    shown += 1;
  }
  return problem.fields.length > 0 && shown === problem.fields.length;
}
