/**
 * Gathers those who want something of events while a round to the database is on its way, and sends them together in the
 * next one (decision 5). Those of one event stand in one line and are served in the order they came; an event is in one round
 * at a time. Lines take turns, so that a crowd at one event does not keep others waiting.
 */

/** What a round says about one who waited: an answer, or to stand at the head of the line once more. */
export type Served<R> = { readonly answer: R } | { readonly fault: unknown } | 'again' | 'locked';

export interface Gatherer<T, R> {
  /** In: which event it is about, and what is wanted. Out: the answer. */
  ask(eventId: number, wish: T): Promise<R>;
  /** Resolves when nobody waits and nothing runs. */
  idle(): Promise<void>;
}

export interface GathererParts<T, R> {
  /** Serves some at once. `patient`: about one event alone, which others had locked before. Out: in the same order. What it throws, all are told. */
  serve(wishes: readonly T[], patient: boolean): Promise<Served<R>[]>;
  /** Rounds at the same time, each about other events. */
  rounds: number;
  /** Rounds at the same time that wait for a lock of others; they do not count above. */
  patientRounds: number;
  /** Wishes in one round at most. */
  together: number;
}

interface Waiting<T, R> {
  readonly wish: T;
  readonly resolve: (answer: R) => void;
  readonly reject: (fault: unknown) => void;
  tries: number;
}

/** Far more often than an event is changed while somebody books it. */
const TRIES_MAX = 20;

/** Makes a gatherer. In: who serves, and how many at once. */
export function createGatherer<T, R>({ serve, rounds, patientRounds, together }: GathererParts<T, R>): Gatherer<T, R> {
  /** By event; in the order in which they are served. */
  const lines = new Map<number, Waiting<T, R>[]>();
  const served = new Set<number>();
  /** Events that somebody else had locked when we came. */
  const locked = new Set<number>();
  const running = { quick: 0, patient: 0 };
  let scheduled = false;
  const idlers: (() => void)[] = [];

  /** The next round: whole lines where they fit, of longer ones the head. */
  function nextRound(): Map<number, Waiting<T, R>[]> {
    const round = new Map<number, Waiting<T, R>[]>();
    let free = together;
    for (const [eventId, line] of lines) {
      if (free === 0) break;
      if (served.has(eventId) || locked.has(eventId)) continue;
      const some = line.splice(0, free);
      free -= some.length;
      round.set(eventId, some);
      lines.delete(eventId);
      // Who was left over stands behind the others now.
      if (line.length > 0) lines.set(eventId, line);
    }
    return round;
  }

  function nextPatient(): Map<number, Waiting<T, R>[]> {
    for (const eventId of locked) {
      const line = lines.get(eventId);
      if (served.has(eventId) || line === undefined) continue;
      locked.delete(eventId);
      const some = line.splice(0, together);
      if (line.length === 0) lines.delete(eventId);
      return new Map([[eventId, some]]);
    }
    return new Map();
  }

  function begin(): void {
    scheduled = false;
    while (running.quick < rounds) {
      const round = nextRound();
      if (round.size === 0) break;
      void run(round, 'quick');
    }
    while (running.patient < patientRounds) {
      const round = nextPatient();
      if (round.size === 0) break;
      void run(round, 'patient');
    }
    if (lines.size === 0 && running.quick + running.patient === 0) for (const resolve of idlers.splice(0)) resolve();
  }

  async function run(round: Map<number, Waiting<T, R>[]>, kind: keyof typeof running): Promise<void> {
    running[kind] += 1;
    for (const eventId of round.keys()) served.add(eventId);
    const all = [...round].flatMap(([eventId, line]) => line.map((waiting) => ({ eventId, waiting })));
    const back = new Map<number, Waiting<T, R>[]>();
    try {
      const answers = await serve(
        all.map(({ waiting }) => waiting.wish),
        kind === 'patient',
      );
      for (const [index, { eventId, waiting }] of all.entries()) {
        const answer = answers[index]!;
        if (answer === 'again' || answer === 'locked') {
          waiting.tries += 1;
          if (waiting.tries > TRIES_MAX) {
            waiting.reject(new Error('an event could not be served'));
            continue;
          }
          if (answer === 'locked') locked.add(eventId);
          back.set(eventId, [...(back.get(eventId) ?? []), waiting]);
        } else if ('fault' in answer) waiting.reject(answer.fault);
        else waiting.resolve(answer.answer);
      }
    } catch (fault) {
      for (const { waiting } of all) waiting.reject(fault);
    }
    for (const eventId of round.keys()) served.delete(eventId);
    for (const [eventId, line] of back) lines.set(eventId, [...line, ...(lines.get(eventId) ?? [])]);
    running[kind] -= 1;
    begin();
  }

  return {
    ask: (eventId, wish) =>
      new Promise<R>((resolve, reject) => {
        const waiting = { wish, resolve, reject, tries: 0 };
        const line = lines.get(eventId);
        if (line) line.push(waiting);
        else lines.set(eventId, [waiting]);
        if (scheduled) return;
        scheduled = true;
        // At the end of this turn, so that those who came in the same one go along.
        setImmediate(begin);
      }),

    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        if (!scheduled) begin();
      }),
  };
}
