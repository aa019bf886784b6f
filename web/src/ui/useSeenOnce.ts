import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Whether an element has come into view; it stays true. For data that is fetched only once somebody could see it. A
 * browser that cannot report it counts everything as seen.
 */
export function useSeenOnce<T extends Element>(): { box: RefObject<T | null>; seen: boolean } {
  const box = useRef<T>(null);
  const [seen, setSeen] = useState(() => typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (seen || box.current === null) return undefined;
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [seen]);
  return { box, seen };
}
