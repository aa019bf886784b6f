/**
 * The faults in an input, as places and stable keys that the web translates (`contract/problems.ts`, FieldFault).
 */
import type { FieldFault } from '@fieldroom/contract/problems';
import type * as z from 'zod/mini';

/** More faults than this would say nothing new. */
const FAULTS_MAX = 50;
const OWN_KEY = /^[a-z][a-z0-9_]{1,60}$/;

type Issue = z.core.$ZodIssue;

/**
 * Turns zod's issues into faults. Takes the error and its input (a missing value is `required`, a wrong one
 * `invalid_value`). If a schema's own message is a snake_case key, it is the code.
 */
export function fieldFaults(error: z.core.$ZodError, input: unknown): FieldFault[] {
  return error.issues.flatMap((issue) => faultsOf(issue, [], input)).slice(0, FAULTS_MAX);
}

function faultsOf(issue: Issue, above: readonly PropertyKey[], input: unknown): FieldFault[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: write([...path, key]), code: 'unknown_property' }));
  if (issue.code === 'invalid_union' && !OWN_KEY.test(issue.message)) {
    // The branch with the fewest faults is most likely the one that was meant.
    const branches = issue.errors
      .map((issues) => issues.flatMap((inner) => faultsOf(inner, path, input)))
      .filter((faults) => faults.length > 0);
    const nearest = branches.toSorted((a, b) => a.length - b.length)[0];
    return nearest ?? [{ path: write(path), code: 'invalid_value' }];
  }
  return [{ path: write(path), code: codeOf(issue, valueAt(input, path)) }];
}

function codeOf(issue: Issue, value: unknown): string {
  // `required` comes before the schema's own words, which are about a value that is there.
  if (issue.code === 'invalid_type' && value === undefined) return 'required';
  if (OWN_KEY.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int' ? 'not_a_number' : 'invalid_value';
    case 'too_small':
      return isCount(issue.origin) ? 'out_of_range' : 'too_short';
    case 'too_big':
      return isCount(issue.origin) ? 'out_of_range' : 'too_long';
    case 'not_multiple_of':
      return 'out_of_range';
    case 'invalid_format':
      return 'invalid_format';
    default:
      return value === undefined ? 'required' : 'invalid_value';
  }
}

const isCount = (origin: string) => origin === 'number' || origin === 'int' || origin === 'bigint' || origin === 'date';

const write = (path: readonly PropertyKey[]) =>
  path
    .map((part) => String(part).slice(0, 100))
    .join('.')
    .slice(0, 300);

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let at = input;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}
