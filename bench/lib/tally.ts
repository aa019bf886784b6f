/** Counts what happened in a long run, by kind, and collects what must never happen. */
export interface Tally {
  count(what: string, times?: number): void;
  /** Something that must never happen. The first of a kind is printed at once. */
  broken(what: string): void;
  readonly counts: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<string, number>;
}

/** An empty tally. */
export function createTally(): Tally {
  const counts = new Map<string, number>();
  const faults = new Map<string, number>();
  const add = (to: Map<string, number>, what: string, times: number) => to.set(what, (to.get(what) ?? 0) + times);
  return {
    count: (what, times = 1) => void add(counts, what, times),
    broken(what) {
      if (!faults.has(what)) console.error(`broken: ${what}`);
      add(faults, what, 1);
    },
    counts,
    faults,
  };
}
