/**
 * The pure rules of the timer: what a counter shows, what is due next, and when it stops. Times are product time in
 * milliseconds. The numbers are those of README.md. Source: docs/product.md#7.
 */
import {
  IDLE_COUNTDOWN_SECONDS,
  IDLE_WARNING_SECONDS,
  type Plan,
  type Timer,
  TRIAL_SECONDS,
  TRIAL_WARNING_SECONDS,
} from '@fieldroom/contract/usage';

const TRIAL_MS = TRIAL_SECONDS * 1000;
const FOUR_HOURS_MS = TRIAL_WARNING_SECONDS * 1000;
const IDLE_MS = IDLE_WARNING_SECONDS * 1000;
const COUNTDOWN_MS = IDLE_COUNTDOWN_SECONDS * 1000;

/** A therapist's counter, as the database has it. */
export interface Counter {
  readonly plan: Plan;
  /** Length of all intervals that have ended. */
  readonly closedMs: number;
  /** Start of the running interval; null while the timer is stopped. */
  readonly startedMs: number | null;
  /**
   * When the timer stops by what the tabs scheduled, unless the room is in use then. For a stopped timer: when the
   * server stopped, after which it continues when the therapist's page is back (rule 3).
   */
  readonly stopMs: number | null;
  /** When the countdown of a warning ends. */
  readonly warningMs: number | null;
  readonly isMailed: boolean;
  readonly isTrialEnded: boolean;
}

/** The counter of a therapist who has never opened the room. */
export const NEW_COUNTER: Counter = {
  plan: 'TRIAL',
  closedMs: 0,
  startedMs: null,
  stopMs: null,
  warningMs: null,
  isMailed: false,
  isTrialEnded: false,
};

/** What happens to a counter at a moment. */
export interface Due {
  readonly what: 'fourHours' | 'trialOver' | 'warningOver' | 'stop' | 'idle';
  readonly atMs: number;
}

/** When a running counter will have counted this many milliseconds; never before its start. */
const reaches = ({ startedMs, closedMs }: Counter, countedMs: number) =>
  startedMs === null ? (closedMs >= countedMs ? -Infinity : Infinity) : startedMs + Math.max(0, countedMs - closedMs);

/**
 * What is due first. Takes since when nobody else was in the room and nobody acted (rule 6). Returns null if nothing
 * will be due.
 */
export function nextDue(counter: Counter, quietSinceMs: number): Due | null {
  const { plan, startedMs, stopMs, warningMs, isMailed, isTrialEnded } = counter;
  const all: Due[] = [];
  // In this order if two are due at one moment.
  if (plan === 'TRIAL' && !isMailed) all.push({ what: 'fourHours', atMs: reaches(counter, FOUR_HOURS_MS) });
  if (plan === 'TRIAL' && !isTrialEnded) all.push({ what: 'trialOver', atMs: reaches(counter, TRIAL_MS) });
  if (startedMs !== null) {
    if (warningMs !== null) all.push({ what: 'warningOver', atMs: warningMs });
    if (stopMs !== null) all.push({ what: 'stop', atMs: stopMs });
    if (warningMs === null) all.push({ what: 'idle', atMs: Math.max(startedMs, quietSinceMs) + IDLE_MS });
  }
  let first: Due | null = null;
  for (const due of all) if (due.atMs !== Infinity && (first === null || due.atMs < first.atMs)) first = due;
  return first;
}

/** When the countdown ends that a warning starts. Takes when the warning was due. */
export const warningEnd = (dueMs: number): number => dueMs + COUNTDOWN_MS;

/** What decides whether a scheduled stop happens (rule 4). */
export interface RoomUse {
  /** Until when the therapist is taken to be here: Infinity with an open connection. */
  readonly hereUntilMs: number;
  /** Whether a client is in the room, or media flow. */
  readonly isShared: boolean;
  readonly lastActMs: number;
}

/**
 * When a due stop is checked again; null if the timer stops. Takes when it was due, how long before that it was
 * scheduled or checked, and now. Only the current clients and media are known, so they count for every check until now.
 */
export function nextLook(
  { atMs, spanMs }: { atMs: number; spanMs: number },
  { hereUntilMs, isShared, lastActMs }: RoomUse,
  nowMs: number,
): number | null {
  if (atMs >= hereUntilMs) return null;
  if (isShared) return atMs + (hereUntilMs === Infinity ? Math.floor((nowMs - atMs) / spanMs) + 1 : 1) * spanMs;
  return lastActMs > atMs - spanMs ? atMs + spanMs : null;
}

/** When a running counter uses up the trial; -Infinity if it has. */
export const trialEnd = (counter: Counter): number => reaches(counter, TRIAL_MS);

/** The latest moment up to which a running counter certainly counts; Infinity without a limit. */
function limitOf(counter: Counter): number {
  const trialOver = counter.plan === 'TRIAL' ? trialEnd(counter) : Infinity;
  return Math.min(trialOver, counter.warningMs ?? Infinity);
}

/**
 * Milliseconds that a counter has counted by a moment. It ends at a stop that is due, even if nobody has noticed that
 * yet.
 */
export function countedAt(counter: Counter, nowMs: number): number {
  const { closedMs, startedMs, stopMs } = counter;
  if (startedMs === null) return closedMs;
  return closedMs + Math.max(0, Math.min(nowMs, limitOf(counter), stopMs ?? Infinity) - startedMs);
}

/** Stops a running counter at a moment, or at its start if that is later. */
export function stopped(counter: Counter, atMs: number): Counter & { readonly endedMs: number } {
  const startedMs = counter.startedMs ?? atMs;
  const endedMs = Math.max(startedMs, atMs);
  return {
    ...counter,
    closedMs: counter.closedMs + endedMs - startedMs,
    startedMs: null,
    stopMs: null,
    warningMs: null,
    endedMs,
  };
}

/** Whether the timer is stopped only because the server was. */
export const isInterrupted = ({ startedMs, stopMs }: Counter): boolean => startedMs === null && stopMs !== null;

/** A stopped timer that only a new start can continue. */
export const standing = (counter: Counter): Counter =>
  isInterrupted(counter) ? { ...counter, stopMs: null } : counter;

/** Whether a therapist on the trial has used it up, or its end was noted before (docs/product.md#7). */
export const hasTrialEnded = (counter: Counter, nowMs: number): boolean =>
  counter.plan === 'TRIAL' && (counter.isTrialEnded || countedAt(counter, nowMs) >= TRIAL_MS);

/**
 * The state for a browser. While it counts, `at` is the moment at which `counterState` was reached, so that all
 * messages about one interval agree on when the next second begins. A stop that is due and not yet decided holds it.
 */
export function timerAt(counter: Counter, nowMs: number): Timer {
  const counted = countedAt(counter, nowMs);
  const counterState = Math.floor(counted / 1000);
  const limitMs = limitOf(counter);
  const counting = counter.startedMs !== null && nowMs < limitMs;
  const isHeld = counter.stopMs !== null && nowMs > counter.stopMs;
  const warned = counter.startedMs !== null && counter.warningMs !== null ? counter.warningMs : null;
  const limits = [
    ...(counter.plan === 'TRIAL' ? [TRIAL_SECONDS] : []),
    ...(warned === null ? [] : [Math.floor((counter.closedMs + Math.max(0, warned - counter.startedMs!)) / 1000)]),
  ];
  return {
    counterState,
    counting,
    at: new Date(
      counting && !isHeld ? counter.startedMs! + counterState * 1000 - counter.closedMs : nowMs,
    ).toISOString(),
    stopsAtSeconds: limits.length === 0 ? null : Math.min(...limits),
  };
}
