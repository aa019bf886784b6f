import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Whether the focus goes to something else inside the element that hears of it. */
const staysInside = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
  currentTarget.contains(relatedTarget as Node | null);

interface NewsOnPage {
  /** What is told, another value for each news; null while nothing is. */
  news: unknown;
  /** After how many ms it goes; null where it stays. */
  ms: number | null;
  /** Takes it away. A stable function. */
  onGone(): void;
  /** Takes the focus that was in the news, where nothing is left to go back to. */
  orElse?(): void;
}

/**
 * News that goes after its time, but never from under the pointer or the focus: its time begins again when both have
 * left. The focus of news that has gone returns to where it was (docs/product.md#11.71). Returns the event
 * handlers for the element around the news, which has to stay when the news goes.
 */
export function useNews({ news, ms, onGone, orElse }: NewsOnPage) {
  // Which news it was. An element that is removed from under pointer or focus fires no event that they have left,
  // and news that replaces other news fires none that they have come.
  const [pointed, setPointed] = useState<unknown>(null);
  const [focused, setFocused] = useState<unknown>(null);
  const isHeld = news === pointed || news === focused;
  useEffect(() => {
    if (news === null || ms === null || isHeld) return undefined;
    const timer = setTimeout(onGone, ms);
    return () => clearTimeout(timer);
  }, [news, ms, isHeld, onGone]);

  /** Where the focus was; undefined while it is not in the news. */
  const before = useRef<HTMLElement | null | undefined>(undefined);
  /** What has the focus in the news. */
  const inside = useRef<Element | null>(null);
  const otherwise = useRef(orElse);
  otherwise.current = orElse;
  // Not while the news is being taken away: React does not hear of a focus that moves meanwhile.
  useLayoutEffect(() => {
    const came = before.current;
    if (came !== undefined && inside.current?.isConnected && document.activeElement === inside.current) {
      setFocused(news);
      return;
    }
    before.current = undefined;
    if (came === undefined || (document.activeElement !== null && document.activeElement !== document.body)) return;
    if (came?.isConnected) came.focus({ preventScroll: true });
    else otherwise.current?.();
  }, [news]);

  return {
    onPointerOver: () => setPointed(news),
    onPointerMove: () => setPointed(news),
    onPointerLeave: () => setPointed(null),
    onFocus(event: FocusEvent) {
      setFocused(news);
      inside.current = event.target;
      if (!staysInside(event)) before.current = event.relatedTarget as HTMLElement | null;
    },
    onBlur(event: FocusEvent) {
      if (staysInside(event)) return;
      setFocused(null);
      before.current = undefined;
    },
  };
}
