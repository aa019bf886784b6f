/** The pending calls, by their subject. */
import { useState } from 'react';

/** The id of a person, `all` for everybody who waits, `link` for the join link. */
type BusyWith = number | 'all' | 'link';

export interface Busy {
  /** Whether a call about this subject is pending; a call about everybody counts for each person. */
  is(about: BusyWith): boolean;
  /** Runs a call. While it is pending only the buttons about the same subject are disabled. */
  run(about: BusyWith, work: () => Promise<void>): Promise<void>;
}

/** Keeps track of the therapist's calls about people, so that no button sends one twice. */
export function useBusy(): Busy {
  const [busy, setBusy] = useState<ReadonlySet<BusyWith>>(new Set());
  return {
    is: (about) => busy.has(about) || (typeof about === 'number' && busy.has('all')),
    async run(about, work) {
      setBusy((now) => new Set(now).add(about));
      try {
        await work();
      } finally {
        setBusy((now) => {
          const rest = new Set(now);
          rest.delete(about);
          return rest;
        });
      }
    },
  };
}
