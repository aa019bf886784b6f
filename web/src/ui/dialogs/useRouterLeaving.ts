/** Holds back a person who leaves a page of the app, by a link or by the browser's back button
 * (docs/product.md#11.50). */
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { leaveBack, useBackAsks } from './backCloses.ts';
import type { Leaving, LeavingRules } from './leaving.ts';

interface Way {
  go(): void;
  stay(): void;
}

/**
 * Takes the rules, each the same function as long as its meaning is the same, and whether there is something to ask at
 * all. Going to another query or fragment of the page does not count as leaving.
 */
export function useRouterLeaving({ asks, warns }: LeavingRules, active = true): Leaving {
  const { history } = useRouter();
  const [way, setWay] = useState<Way | null>(null);
  /** The person has answered, or need not be asked: nothing holds them back any more. */
  const going = useRef(false);
  const goBack = useCallback((pages?: number) => {
    going.current = true;
    leaveBack(pages);
  }, []);
  useBackAsks(
    useCallback(() => {
      if (asks()) setWay({ go: goBack, stay: () => {} });
      else goBack();
    }, [asks, goBack]),
    active,
  );
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: () => !going.current && warns(),
        blockerFn: ({ action, currentLocation, nextLocation }) => {
          const leaves = currentLocation.pathname !== nextLocation.pathname;
          if (!leaves) going.current = false;
          if (!leaves || going.current || !asks()) return false;
          if (action === 'PUSH' || action === 'REPLACE')
            return new Promise<boolean>((resolve) => {
              setWay({ go: () => resolve(false), stay: () => resolve(true) });
            });
          // A step over the entry that was kept for the question. The router steps back to this page; only there may
          // the question open, which adds an entry.
          const pages = currentLocation.state.__TSR_index - nextLocation.state.__TSR_index;
          const there = () => history.push(nextLocation.href, nextLocation.state, { ignoreBlocker: true });
          const ask = () => setWay({ go: pages > 0 ? () => goBack(pages) : there, stay: () => {} });
          window.addEventListener('popstate', ask, { once: true });
          return true;
        },
      }),
    [history, asks, warns, goBack],
  );
  const answer = (act: 'go' | 'stay') => () => {
    setWay(null);
    way?.[act]();
  };
  return { asked: way !== null, stay: answer('stay'), go: answer('go') };
}
