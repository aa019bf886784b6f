/**
 * The hold that this tab has on an event. It asks the server before the hold is shown, every minute after that, and
 * when the page becomes visible again. An answer given in another tab of this browser arrives at once. The server says
 * only that somebody answered, not how: anyone could have typed the address here (docs/product.md#9.17).
 */
import { type HoldView, lookAtHold } from '@fieldroom/contract/bookings';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../../../platform/api/request.ts';
import {
  forgetHold,
  onTabNews,
  isAbout,
  keepHold,
  type KeptHold,
  readHold,
  type TabNews,
  timeAndPlace,
} from '../../sessionStorage.ts';
import { answersInOrder } from '../../answersInOrder.ts';
import { anonymousApi } from '../../anonymousApi.ts';
import { useProductClock, useSecondsUntil } from '../../frame/productClock.ts';
import type { EventData } from '../../pageFromPath.ts';

/** Real time between two requests while the page is open. */
const LOOK_AGAIN_MS = 60_000;

/**
 * The server's state of a hold; the end of a new one is not known yet. `isLost`: the answer with its next handle was
 * lost, so the server reports nothing more about it. It counts as held until its last known end.
 */
export type Standing = Omit<HoldView, 'asOf'> & { asOf: string | null; isLost?: boolean };

export interface Holding {
  hold: KeptHold | null;
  /** The server's state; null before its first answer. */
  view: Standing | null;
  problem: unknown;
  /** The answer given in this browser. */
  answer: TabNews['state'] | null;
  /** The place is held as far as is known. */
  isHeld: boolean;
  /** Remembers a hold just made on an event. */
  begin(hold: KeptHold, data: EventData): void;
  /** The hold after resending or correcting, with the next handle. */
  renew(hold: KeptHold): void;
  forget(): void;
  /** Asks the server. */
  look(): Promise<void>;
}

/** Takes the id of the page's event, null if the page has none. */
export function useHolding(eventId: number | null): Holding {
  const [hold, setHold] = useState(() => (eventId === null ? null : readHold(eventId)));
  const [view, setView] = useState<Standing | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [answer, setAnswer] = useState<TabNews['state'] | null>(null);
  const handle = hold?.handle ?? null;
  // An answer about a handle that has been used since is outdated.
  const current = useRef(handle);
  current.current = handle;
  const [ask] = useState(answersInOrder);

  const forget = useCallback(() => {
    forgetHold();
    setHold(null);
    setView(null);
    setAnswer(null);
  }, []);
  const known = useRef(view);
  known.current = view;
  const look = useCallback(async () => {
    if (handle === null) return;
    const question = ask();
    try {
      const found = await anonymousApi.call(lookAtHold, { body: { handle } });
      if (current.current !== handle || question.isLate()) return;
      question.take();
      setView(found);
      setProblem(null);
    } catch (fault) {
      if (current.current !== handle || question.isLate()) return;
      if (!(fault instanceof ApiProblem && (fault.code === 'link_invalid' || fault.code === 'invalid_input')))
        setProblem(fault);
      else if (known.current?.state === 'HELD') setView({ ...known.current, isLost: true });
      else forget();
    }
  }, [handle, forget, ask]);
  useEffect(() => {
    if (handle === null) return;
    void look();
    const back = () => {
      if (document.visibilityState === 'visible') void look();
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [handle, look]);

  const standsHeld = hold !== null && answer === null && view?.state === 'HELD';
  // The server reports the end of every other hold.
  const lostUntil = standsHeld && view.isLost ? view.heldUntil : null;
  const lostClock = useProductClock(lostUntil !== null);
  const isHeld = useSecondsUntil(lostClock, lostUntil) !== 0 && standsHeld;
  useEffect(() => {
    if (!isHeld) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void look();
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isHeld, look]);
  useEffect(
    () =>
      hold === null
        ? undefined
        : onTabNews((news) => {
            if (!isAbout(news, hold)) return;
            // Shown for as long as the page is open; never again as held.
            forgetHold();
            setAnswer(news.state);
          }),
    [hold],
  );

  const keep = (next: KeptHold) => {
    keepHold(next);
    setHold(next);
    setAnswer(null);
  };
  return {
    hold,
    view,
    problem,
    answer,
    isHeld,
    forget,
    look,
    begin(next, { event, host }) {
      keep({ ...next, booked: timeAndPlace(event) });
      setView({
        state: 'HELD',
        heldUntil: next.heldUntil,
        event: { ...event, therapistFirstName: host.firstName, therapistLastName: host.lastName },
        asOf: null,
      });
    },
    renew(next) {
      keep(next);
      setView((before) => before && { ...before, state: 'HELD', heldUntil: next.heldUntil, isLost: false });
    },
  };
}
