import { type RefObject, useEffect, useState } from 'react';
import { type LazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import { useSeenOnce } from '../../ui/useSeenOnce.ts';

/** Maximum wait, in ms, of people who read on without scrolling, with a screen reader or by searching the page. */
const UNSEEN_MS = 3000;

/**
 * What stands further down a page, whose code is not fetched with the page's first parts: once it comes into sight, or
 * a while after them. Returns where its place is, and the part; null until it is there.
 */
export function useLaterPart<T>(part: LazyPart<T>): { box: RefObject<HTMLElement | null>; part: T | null } {
  const { box, seen } = useSeenOnce<HTMLElement>();
  // What was there when the page was last drawn is drawn at once.
  const [due, setDue] = useState(() => part.get() !== null);
  useEffect(() => {
    if (due) return undefined;
    const timer = setTimeout(() => setDue(true), UNSEEN_MS);
    return () => clearTimeout(timer);
  }, [due]);
  return { box, part: useLazyPart(part, seen || due) };
}
