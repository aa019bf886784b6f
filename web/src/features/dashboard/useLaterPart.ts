import { type RefObject, useEffect, useState } from 'react';
import { type LazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import { useSeenOnce } from '../../ui/useSeenOnce.ts';

/** Maximum wait, in ms, for people who do not scroll, such as with a screen reader or when searching the page. */
const UNSEEN_MS = 3000;

/**
 * A part further down the page, whose code is not fetched with the page's first parts: it is fetched once it scrolls
 * into view, or some time after them. Returns a ref for its place, and the part; null until it is loaded.
 */
export function useLaterPart<T>(part: LazyPart<T>): { box: RefObject<HTMLElement | null>; part: T | null } {
  const { box, seen } = useSeenOnce<HTMLElement>();
  // A part that was loaded when the page was last drawn is drawn at once.
  const [due, setDue] = useState(() => part.get() !== null);
  useEffect(() => {
    if (due) return undefined;
    const timer = setTimeout(() => setDue(true), UNSEEN_MS);
    return () => clearTimeout(timer);
  }, [due]);
  return { box, part: useLazyPart(part, seen || due) };
}
