import { useEffect } from 'react';

/**
 * While `active`, the browser asks in its own words before the page is reloaded or closed. It listens only then,
 * because a page that always listens is excluded from the back/forward cache.
 */
export function useUnloadWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
}
