/** The way out of a room with a document to itself: links, the browser's back button, and closing the document. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { leaveBack, useBackAsks } from '../../../ui/dialogs/backCloses.ts';
import type { Leaving, LeavingRules } from '../../../ui/dialogs/leaving.ts';

/** The target of a click within this site, in this tab; null for any other click. */
function addressOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.hasAttribute('download') || !['', '_self'].includes(link.target)) return null;
  if (link.origin !== window.location.origin || link.pathname === window.location.pathname) return null;
  return link.href;
}

/** Holds back a person who leaves, according to the rules. Both rules are stable functions. */
export function useDocumentLeaving({ asks, warns }: LeavingRules): Leaving {
  const [way, setWay] = useState<(() => void) | null>(null);
  const going = useRef(false);
  useBackAsks(
    useCallback(() => {
      if (asks()) setWay(() => () => leaveBack());
      else leaveBack();
    }, [asks]),
  );
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const address = addressOf(event);
      if (address === null || !asks()) return;
      event.preventDefault();
      setWay(() => () => window.location.assign(address));
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!going.current && warns()) event.preventDefault();
    };
    document.addEventListener('click', onClick);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [asks, warns]);
  return {
    asked: way !== null,
    stay: () => setWay(null),
    go: () => {
      going.current = true;
      way?.();
    },
  };
}
