/** Keeps the notices of this page up to date (docs/product.md#11.22). */
import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { retryUntilDone } from '../../ui/lazy/retryUntilDone.ts';
import { useAskAgain } from './noticesQuery.ts';

/**
 * How long a page in the background keeps its connection. The number of connections per person is limited, and the room
 * must not lose its own because of tabs in the background.
 */
const HIDDEN_MS = 30_000;

/** Whether the page is visible, or was a moment ago. */
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
 * Receives changes while the page is visible, and fetches again whenever the connection opens. Takes a further listener
 * for the room. Returns whether the connection is open; while it is not, the page has to poll.
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
    // Until its code is loaded the page keeps polling.
    const stopFetching = retryUntilDone(() => import('./liveNotices.ts'), begin);
    return () => {
      stopFetching();
      stop?.();
      setOpen(false);
    };
  }, [lookedAt]);
  return open;
}
