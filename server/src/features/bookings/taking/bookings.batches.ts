/**
 * Collects requests about events while a batch is on its way to the database, and sends them together in the next one
 * (decision 0005). Each event has a queue, served in the order of arrival. An event is in one batch at a time. Queues
 * take turns, so that a crowd at one event does not keep others waiting.
 */
import { isDatabaseUnavailable, isLockTimeout } from '../../../platform/db/db.ts';
import { withoutWaits } from '../../../platform/db/waits.ts';

/** A batch's result for one request: an answer, a fault, or to put it back at the head of its queue. */
export type Served<Answer> = { readonly answer: Answer } | { readonly fault: unknown } | 'again' | 'locked';

export interface Batches<Request, Answer> {
  /** Queues a request about an event. Returns its answer. */
  ask(eventId: number, request: Request): Promise<Answer>;
  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void>;
}

export interface BatchesParts<Request, Answer> {
  /**
   * Serves a batch and returns the result of each request, in the same order. `patient` batches are about one event
   * that another transaction had locked, and wait for it. A fault it throws goes to the whole batch, unless a lock was
   * not free in time for a batch of several events: then each of these events gets a patient batch.
   */
  serve(requests: readonly Request[], patient: boolean): Promise<Served<Answer>[]>;
  /** Batches at the same time, each about other events. */
  batches: number;
  /** Patient batches at the same time, on top of those. */
  patientBatches: number;
  /** Maximum number of requests in a batch. */
  size: number;
  /**
   * Minimum number of milliseconds from the start of one batch to that of the next: requests that arrive in between
   * share a batch. The first of a crowd does not wait. 0 by default.
   */
  apartMs?: number;
}

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (fault: unknown) => void;
  tries: number;
}

/** Far more times than an event changes while somebody books it. */
const TRIES_MAX = 20;

/** Makes the queues. Takes the function that serves a batch, the number of concurrent batches, and their size. */
export function createBatches<Request, Answer>({
  serve,
  batches,
  patientBatches,
  size,
  apartMs = 0,
}: BatchesParts<Request, Answer>): Batches<Request, Answer> {
  type Queue = Waiting<Request, Answer>[];
  /** By event, in the order in which the events are served. */
  const queues = new Map<number, Queue>();
  /** Events that are in a batch. */
  const inService = new Set<number>();
  /** Events that were locked at the last try. */
  const locked = new Set<number>();
  const running = { quick: 0, patient: 0 };
  let isScheduled = false;
  let startedMs = -Infinity;
  const idlers: (() => void)[] = [];

  /** The next batch: whole queues as far as they fit, and the head of the last one. */
  function nextBatch(): Map<number, Queue> {
    const batch = new Map<number, Queue>();
    let free = size;
    for (const [eventId, queue] of queues) {
      if (free === 0) break;
      if (inService.has(eventId) || locked.has(eventId)) continue;
      const head = queue.splice(0, free);
      free -= head.length;
      batch.set(eventId, head);
      queues.delete(eventId);
      // The rest of the queue is queued behind the other events.
      if (queue.length > 0) queues.set(eventId, queue);
    }
    return batch;
  }

  function nextPatientBatch(): Map<number, Queue> {
    for (const eventId of locked) {
      const queue = queues.get(eventId);
      if (inService.has(eventId) || queue === undefined) continue;
      locked.delete(eventId);
      const head = queue.splice(0, size);
      if (queue.length === 0) queues.delete(eventId);
      return new Map([[eventId, head]]);
    }
    return new Map();
  }

  /** Runs `startBatches` later, once. */
  function schedule(later: (start: () => void) => void): void {
    if (isScheduled) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      withoutWaits(startBatches);
    });
  }

  function startBatches(): void {
    const earlyMs = apartMs > 0 && queues.size > 0 ? startedMs + apartMs - performance.now() : 0;
    if (earlyMs > 0) return schedule((start) => setTimeout(start, earlyMs));
    while (running.quick < batches) {
      const batch = nextBatch();
      if (batch.size === 0) break;
      startedMs = performance.now();
      void run(batch, 'quick');
    }
    while (running.patient < patientBatches) {
      const batch = nextPatientBatch();
      if (batch.size === 0) break;
      void run(batch, 'patient');
    }
    if (queues.size === 0 && running.quick + running.patient === 0) for (const resolve of idlers.splice(0)) resolve();
  }

  async function run(batch: Map<number, Queue>, kind: keyof typeof running): Promise<void> {
    running[kind] += 1;
    for (const eventId of batch.keys()) inService.add(eventId);
    const all = [...batch].flatMap(([eventId, queue]) => queue.map((waiting) => ({ eventId, waiting })));
    const putBack = new Map<number, Queue>();
    try {
      const answers = await serve(
        all.map(({ waiting }) => waiting.request),
        kind === 'patient',
      );
      for (const [index, { eventId, waiting }] of all.entries()) {
        const served = answers[index]!;
        if (served === 'again' || served === 'locked') {
          waiting.tries += 1;
          if (waiting.tries > TRIES_MAX) {
            waiting.reject(new Error('an event could not be served'));
            continue;
          }
          if (served === 'locked') locked.add(eventId);
          putBack.set(eventId, [...(putBack.get(eventId) ?? []), waiting]);
        } else if ('fault' in served) waiting.reject(served.fault);
        else waiting.resolve(served.answer);
      }
    } catch (fault) {
      if (isLockTimeout(fault) && batch.size > 1 && patientBatches > 0) {
        // One of them waits for something that another transaction has locked. Each continues in its own batch, and
        // delays no other.
        for (const [eventId, queue] of batch) {
          locked.add(eventId);
          putBack.set(eventId, queue);
        }
      } else {
        for (const { waiting } of all) waiting.reject(fault);
        // Requests behind them would wait as long, for the same reason.
        if (isDatabaseUnavailable(fault))
          for (const eventId of batch.keys()) {
            for (const waiting of queues.get(eventId) ?? []) waiting.reject(fault);
            queues.delete(eventId);
          }
      }
    }
    for (const eventId of batch.keys()) inService.delete(eventId);
    for (const [eventId, queue] of putBack) queues.set(eventId, [...queue, ...(queues.get(eventId) ?? [])]);
    running[kind] -= 1;
    startBatches();
  }

  return {
    ask: (eventId, request) =>
      new Promise<Answer>((resolve, reject) => {
        const waiting = { request, resolve, reject, tries: 0 };
        const queue = queues.get(eventId);
        if (queue) queue.push(waiting);
        else queues.set(eventId, [waiting]);
        // At the end of this turn, so that requests of the same turn go together.
        schedule(setImmediate);
      }),

    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        if (!isScheduled) startBatches();
      }),
  };
}
