/**
 * What goes wrong in this page, for the operator (docs/product.md#12.10). Any code may log; `browserLogs.ts` uploads it
 * if somebody is signed in. Until that is loaded, and on pages without a sign-in, the first few entries wait here.
 */
import type { EntryLevel } from '@fieldroom/contract/logs';

/**
 * A constant sentence from the code: no text that a person wrote, no id, nothing composed at runtime
 * (docs/product.md#12.11).
 */
type LogEvent =
  | 'A page broke'
  | 'A call failed'
  | 'An error was not caught'
  | 'A promise was rejected'
  | 'Video failed'
  | 'Entries were lost';

export interface Logged {
  readonly level: EntryLevel;
  readonly event: LogEvent;
  /** What was thrown. Only its kind, its code and its position leave this browser. */
  readonly fault?: unknown;
}

type Sink = (logged: Logged) => void;

const WAITING_MAX = 20;
const waiting: Logged[] = [];
let sink: Sink = (logged) => {
  if (waiting.length < WAITING_MAX) waiting.push(logged);
};

/** Logs one entry. Never throws. */
export const log: Sink = (logged) => sink(logged);

/** Passes everything that is logged, and the entries that wait, to the queue. */
export function passLogsTo(queue: Sink): void {
  sink = queue;
  waiting.splice(0).forEach(queue);
}
