/** The outcome of the last act with events: shown for a while, with a way to undo it if there is one. */
import { useCallback, useState } from 'react';
import { sayProblem } from '../../../../platform/i18n/app.ts';
import { problemText } from '../../../../platform/i18n/faults.ts';
import { NEWS_MS, NEWS_WITH_ACT_MS } from '../../../../ui/states/newsTimes.ts';
import { useNews } from '../../../../ui/states/useNews.ts';
import type { OfferedUndo, Outcome } from './OutcomeNotice.tsx';

/**
 * Keeps the outcome of the last act. It is removed after a while; a fault stays, and so do the offers after publishing.
 * Takes a stable function, called once something was undone. Returns the outcome, functions that show another one and
 * that undo, and the event handlers of the element that shows it.
 */
export function useOutcome(onUndone: () => void) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const onGone = useCallback(() => setOutcome(null), []);
  const goes = outcome?.tone === 'done' && !outcome.published;
  const ms = outcome?.undo ? NEWS_WITH_ACT_MS : NEWS_MS;
  const newsHandlers = useNews({ news: outcome, ms: goes ? ms : null, onGone });
  const undo = useCallback(
    ({ act, undone }: OfferedUndo) => {
      setOutcome(null);
      act().then(
        () => {
          setOutcome({ text: undone, tone: 'done' });
          onUndone();
        },
        (fault: unknown) => setOutcome({ text: problemText(sayProblem, fault), tone: 'fault' }),
      );
    },
    [onUndone],
  );
  return { outcome, setOutcome, undo, newsHandlers };
}
