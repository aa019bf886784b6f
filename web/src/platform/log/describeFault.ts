/**
 * What may leave the browser about a fault (docs/product.md#12.11): its kind, its code, and positions in our own
 * scripts. Never a message: those quote names, addresses and what people type.
 */
import { PROBLEMS } from '@fieldroom/contract/problems';
import { ApiProblem } from '../api/index.ts';
import { faultReference } from './faultReference.ts';

/** Names of errors from the language, from browsers and from our code. A name that somebody made up is not in the
 * list. */
const KINDS: ReadonlySet<string> = new Set([
  ...['AggregateError', 'Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
  ...['AbortError', 'ConstraintError', 'DataCloneError', 'DataError', 'EncodingError', 'HierarchyRequestError'],
  ...['InvalidAccessError', 'InvalidCharacterError', 'InvalidModificationError', 'InvalidStateError', 'NetworkError'],
  ...['NotAllowedError', 'NotFoundError', 'NotReadableError', 'NotSupportedError', 'OperationError'],
  ...['OverconstrainedError', 'QuotaExceededError', 'SecurityError', 'TimeoutError', 'UnknownError'],
  ...['ApiProblem', 'ConnectionFault'],
]);

const FRAMES_MAX = 12;
/** A file with line and column, as a line of a stack has it after the origin. */
const POSITION = /^([\w./-]+)(?:\?[^:]*)?:(\d+):(\d+)\)?$/;
const OUR_FILES = /^(?:assets|src)\//;
/** A reference by which the server's log knows a fault. */
const REFERENCE = /^[\w-]{6,24}$/;

/** The kind of a fault: a known name, or `Error` or `thrown value`. */
export function kindOf(fault: unknown): string {
  if (fault instanceof ApiProblem) return 'ApiProblem';
  if (!(fault instanceof Error) && !(fault instanceof DOMException)) return 'thrown value';
  return KINDS.has(fault.name) ? fault.name : 'Error';
}

/** Whether a fault is a lost connection or an aborted call, which pages report themselves. */
export const isOrdinary = (fault: unknown): boolean =>
  fault instanceof ApiProblem ? fault.code === 'offline' : kindOf(fault) === 'AbortError';

/** Positions in our own scripts, innermost first. Takes a stack as the browser writes it. */
function positionsIn(stack: string, origin: string): string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const from = line.lastIndexOf(`${origin}/`);
      const [, file = '', row, column] =
        from < 0 ? [] : (POSITION.exec(line.slice(from + origin.length + 1).trim()) ?? []);
      return OUR_FILES.test(file) ? [`at ${file}:${row}:${column}`] : [];
    })
    .slice(0, FRAMES_MAX);
}

/**
 * Returns what may be logged about a fault (docs/product.md#12.11). Takes what was thrown, and the page's own origin.
 */
export function describeFault(fault: unknown, origin: string = window.location.origin): string[] {
  const told: string[] = [];
  if (fault instanceof ApiProblem) {
    told.push(`code ${fault.code === 'offline' || Object.hasOwn(PROBLEMS, fault.code) ? fault.code : 'unknown'}`);
    told.push(`status ${fault.status}`);
    if (fault.reference !== null && REFERENCE.test(fault.reference)) told.push(`reference ${fault.reference}`);
  }
  // A code of the video server's protocol.
  if (fault instanceof Error && fault.name === 'ConnectionFault' && 'code' in fault && Number.isInteger(fault.code))
    told.push(`code ${String(fault.code).slice(0, 5)}`);
  if (fault instanceof Error && typeof fault.stack === 'string') told.push(...positionsIn(fault.stack, origin));
  return told;
}

/** The reference that a broken page shows, so that the operator can find its entry. */
export function referenceOf(fault: unknown): string[] {
  const reference = faultReference(fault);
  return REFERENCE.test(reference) ? [`reference ${reference}`] : [];
}
