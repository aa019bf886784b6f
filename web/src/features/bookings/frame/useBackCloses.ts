/** A step back in the browser closes a dialog instead of leaving the page (docs/product.md#11.63). */
import { useEffect, useRef } from 'react';

/** While it is mounted the history has an entry of its own. `close` returns false when it must stay open. */
export function useBackCloses(close: () => boolean): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const { history } = window;
    const { scrollRestoration } = history;
    // The step back to the page must not scroll it: it was only covered.
    history.scrollRestoration = 'manual';
    const push = () => history.pushState(history.state, '');
    push();
    let stepped = false;
    const onBack = () => {
      if (latest.current()) stepped = true;
      else push();
    };
    const restore = () => {
      history.scrollRestoration = scrollRestoration;
    };
    window.addEventListener('popstate', onBack);
    return () => {
      window.removeEventListener('popstate', onBack);
      if (stepped) {
        restore();
        return;
      }
      window.addEventListener('popstate', restore, { once: true });
      history.back();
    };
  }, []);
}
