/**
 * What goes wrong in this page, for the operator (docs/product.md#12.10). Any code may log; `browserLogs.ts` uploads it
 * where somebody is signed in. Until that is loaded, and on pages of strangers, the first few entries wait here.
 */
import type { EntryLevel } from '@fieldroom/contract/logs';

/**
 * A sentence that stands in the code: no text that a person wrote, no id, nothing that was put together
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
  /** What was thrown. Only its kind, its code and where it happened leave this browser. */
  readonly fault?: unknown;
}

type Sink = (logged: Logged) => void;

const WAITING_MAX = 20;
const waiting: Logged[] = [];
let sink: Sink = (logged) => {
  if (waiting.length < WAITING_MAX) waiting.push(logged);
};

/** Logs one thing. Never throws. */
export const log: Sink = (logged) => sink(logged);

/** Hands everything that is logged, and what waits, to the queue. */
export function passLogsTo(queue: Sink): void {
  sink = queue;
  waiting.splice(0).forEach(queue);
}
