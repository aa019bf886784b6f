/** Keeps the notices of this page up to date (docs/product.md#11.22). */
import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { retryUntilDone } from '../../ui/lazy/retryUntilDone.ts';
import { useAskAgain } from './noticesQuery.ts';

/**
 * How long a page in the background keeps its connection. A person has few of them, and the room must not lose its own
 * because of tabs that nobody looks at.
 */
const HIDDEN_MS = 30_000;

/** Whether somebody looks at the page, or did so a moment ago. */
function useLookedAt(): boolean {
  const visible = useDocumentVisibility() === 'visible';
  const [lookedAt, setLookedAt] = useState(visible);
  useEffect(() => {
    if (visible) {
      setLookedAt(true);
      return undefined;
    }
    const timer = setTimeout(() => setLookedAt(false), HIDDEN_MS);
    return () => clearTimeout(timer);
  }, [visible]);
  return lookedAt;
}

/**
 * Hears of changes while somebody looks at the page, and asks again whenever the connection opens. Takes who else wants
 * to hear of the room. Returns whether it is open; while it is not, the page has to ask by itself.
 */
export function useLiveNotices(onRoom: () => void): boolean {
  const lookedAt = useLookedAt();
  const [open, setOpen] = useState(false);
  const askAgain = useAskAgain();
  const ask = useRef(askAgain);
  const room = useRef(onRoom);
  useEffect(() => {
    ask.current = askAgain;
    room.current = onRoom;
  });
  useEffect(() => {
    if (!lookedAt) return undefined;
    let stop: (() => void) | undefined;
    const begin = ({ listenToNotices }: typeof import('./liveNotices.ts')) => {
      stop = listenToNotices({
        onState: (state) => ask.current(state),
        onRoom: () => room.current(),
        onOpen: () => {
          setOpen(true);
          ask.current();
          room.current();
        },
        onLost: () => setOpen(false),
      });
    };
    // Until its code is there the page goes on asking by itself.
    const stopFetching = retryUntilDone(() => import('./liveNotices.ts'), begin);
    return () => {
      stopFetching();
      stop?.();
      setOpen(false);
    };
  }, [lookedAt]);
  return open;
}
