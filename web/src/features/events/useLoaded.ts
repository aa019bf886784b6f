import { useCallback, useEffect, useRef, useState } from 'react';

export interface Loaded<T> {
  /** What came last; stays while it is fetched again. */
  data: T | null;
  /** Why the last try failed; null while it runs or after it went well. */
  problem: unknown;
  busy: boolean;
  again(): void;
}

/**
 * Fetches for a page and gives up with it. In: how to fetch, and what it is about: another key fetches anew and forgets what
 * stood, null waits. Out: see `Loaded`.
 */
export function useLoaded<T>(key: string | number | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [kept, setKept] = useState<{ key: string | number | null; data: T | null; problem: unknown; busy: boolean }>({
    key: null,
    data: null,
    problem: null,
    busy: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  useEffect(() => {
    if (key === null) return;
    const leaving = new AbortController();
    setKept((now) => ({ key, data: now.key === key ? now.data : null, problem: null, busy: true }));
    latest.current(leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) setKept({ key, data, problem: null, busy: false });
      },
      (problem: unknown) => {
        if (!leaving.signal.aborted) setKept((now) => ({ ...now, problem, busy: false }));
      },
    );
    return () => leaving.abort();
  }, [key, round]);
  const again = useCallback(() => setRound((now) => now + 1), []);
  const current = kept.key === key;
  return {
    data: current ? kept.data : null,
    problem: current ? kept.problem : null,
    busy: !current || kept.busy,
    again,
  };
}
