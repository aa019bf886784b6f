/**
 * What the dialog fetches and changes, and under which key it is cached. Keys begin with the therapist's id, so that
 * nobody sees another person's data.
 */
import {
  allConstellations,
  type Constellation,
  constellationFigures,
  constellationName,
  deleteConstellation,
  renameConstellation,
  saveConstellation,
} from '@fieldroom/contract/constellations';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, ApiProblem } from '../../platform/api/index.ts';
import { formFault } from '../../platform/forms/formFault.ts';
import { sayProblem } from '../../platform/i18n/app.ts';
import { faultText, problemText } from '../../platform/i18n/faults.ts';
import { storage } from '../../platform/storage.ts';
import { useSinglePress } from '../../platform/forms/useSinglePress.ts';

const ownKey = () => ['constellations', storage.get('user')?.id ?? 0] as const;

export const constellationQueries = {
  /** The list. Another tab may have changed it since it was fetched. */
  all: () =>
    queryOptions({
      queryKey: [...ownKey(), 'all'],
      queryFn: ({ signal }) => api.call(allConstellations, { signal }),
    }),

  /** The figures of one constellation. They are fetched again when it was saved again or lost an icon. */
  figures: ({ id, savedOn, standIns }: Constellation) =>
    queryOptions({
      queryKey: [...ownKey(), 'figures', id, savedOn, standIns],
      queryFn: ({ signal }) => api.call(constellationFigures, { params: { constellationId: id }, signal }),
      staleTime: Infinity,
    }),
};

/**
 * Fetches the list again. A pending answer may be from before the change, so its request is cancelled here; otherwise
 * the cache would wait for it.
 */
export async function askAgain(queries: QueryClient): Promise<void> {
  const { queryKey } = constellationQueries.all();
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}

/** Returns the fault of a typed name, in words, or null. */
export function nameFault(name: string): string | null {
  const fault = formFault(constellationName, name);
  return fault === null ? null : faultText(sayProblem, 'name', fault);
}

/** The refusal of a change, in words: at the name if the server says so. */
function changeFault(error: unknown): string | null {
  if (error === null) return null;
  if (!(error instanceof ApiProblem)) return problemText(sayProblem, error);
  const [first] = error.fields;
  if (first) return faultText(sayProblem, 'name', first.code);
  return error.code === 'not_found' ? sayProblem('problem.constellation_gone') : problemText(sayProblem, error);
}

/**
 * Runs a call that changes the list. `place` puts the answer into the list that is shown. Returns `run`, whether it
 * runs, the refusal in words (`fault`) and as code of the problem, and `reset`, which forgets a refusal.
 */
function useChange<Input, Result>(
  call: (input: Input) => Promise<Result>,
  place: (others: readonly Constellation[], result: Result) => Constellation[],
  onDone: (result: Result) => void,
) {
  const queries = useQueryClient();
  const { queryKey } = constellationQueries.all();
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: call,
    onSuccess(result) {
      const shown = queries.setQueryData(queryKey, (before) => before && place(before, result));
      if (shown === undefined) void askAgain(queries);
      onDone(result);
    },
    // Another tab may have deleted or renamed it: the list shows what is true.
    onError: () => askAgain(queries),
  });
  return {
    run: useSinglePress(mutateAsync),
    isPending,
    reset,
    fault: changeFault(error),
    code: error instanceof ApiProblem ? error.code : null,
  };
}

const placed = (list: readonly Constellation[], one: Constellation): Constellation[] => [
  ...list.filter(({ id }) => id !== one.id),
  one,
];

/**
 * Saves the field under a name (docs/product.md#5.17). Without `replace`, a name that exists is refused with
 * `constellation_name_taken`.
 */
export const useSaving = (onSaved: (saved: Constellation) => void) =>
  useChange(
    (input: { name: string; replace: boolean }) => api.call(saveConstellation, { body: input }),
    placed,
    onSaved,
  );

/** Renames a constellation. Takes its id; `run` takes the new name. */
export const useRenaming = (id: number, onRenamed: () => void) =>
  useChange(
    (name: string) => api.call(renameConstellation, { params: { constellationId: id }, body: { name } }),
    placed,
    onRenamed,
  );

/** Deletes a constellation and takes it from the list. Takes its id. */
export const useDeleting = (id: number, onDeleted: () => void) =>
  useChange(
    () => api.call(deleteConstellation, { params: { constellationId: id } }),
    (list) => list.filter((one) => one.id !== id),
    onDeleted,
  );
