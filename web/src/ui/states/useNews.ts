import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Whether the focus goes to something else inside the same element. */
const staysInside = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
  currentTarget.contains(relatedTarget as Node | null);

interface NewsOnPage {
  /** The message, a different value for each; null while there is none. */
  news: unknown;
  /** The time in ms after which it disappears; null if it stays. */
  ms: number | null;
  /** Removes it. A stable function. */
  onGone(): void;
  /** Takes the focus that was in the message, if there is no element to return it to. */
  orElse?(): void;
}

/**
 * A message that disappears after its time, but never under the pointer or the focus: its time restarts when both have
 * left. When it has gone, the focus returns to where it was (docs/product.md#11.71). Returns the event handlers for the
 * element around the message, which has to stay when the message goes.
 */
export function useNews({ news, ms, onGone, orElse }: NewsOnPage) {
  // Identifies the message. An element that is removed under the pointer or focus fires no event that they have left,
  // and a message that replaces another fires none that they have arrived.
  const [pointed, setPointed] = useState<unknown>(null);
  const [focused, setFocused] = useState<unknown>(null);
  const isHeld = news === pointed || news === focused;
  useEffect(() => {
    if (news === null || ms === null || isHeld) return undefined;
    const timer = setTimeout(onGone, ms);
    return () => clearTimeout(timer);
  }, [news, ms, isHeld, onGone]);

  /** Where the focus was; undefined while it is not in the message. */
  const before = useRef<HTMLElement | null | undefined>(undefined);
  /** The focused element in the message. */
  const inside = useRef<Element | null>(null);
  const otherwise = useRef(orElse);
  otherwise.current = orElse;
  // Not while the message is being removed: React does not report a focus that moves during that.
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
