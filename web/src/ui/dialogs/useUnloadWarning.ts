import { useEffect } from 'react';

/**
 * While `active`, the browser asks in words of its own before the page is reloaded or closed. It listens only then: a
 * page that always listens is not kept for the way back.
 */
export function useUnloadWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
}
