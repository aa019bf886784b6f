/** A switch whose state the server keeps. */
import { useRef, useState } from 'react';

interface ServerSwitch {
  /** The state that was requested and is not confirmed yet; null otherwise. */
  asked: boolean | null;
  /** The last change failed. */
  failed: boolean;
  turn(on: boolean): void;
}

/**
 * Takes the call that changes it. Calls are made one after the other, because concurrent calls may arrive out of order.
 * While one runs, only the last press is kept.
 */
export function useServerSwitch(change: (on: boolean) => Promise<void>): ServerSwitch {
  const [asked, setAsked] = useState<boolean | null>(null);
  const [failed, setFailed] = useState(false);
  const wanted = useRef<boolean | null>(null);
  const running = useRef(false);

  const run = async () => {
    running.current = true;
    for (let on = wanted.current; on !== null; on = wanted.current) {
      wanted.current = null;
      await change(on).then(
        () => setFailed(false),
        () => setFailed(true),
      );
    }
    running.current = false;
    setAsked(null);
  };

  return {
    asked,
    failed,
    turn(on) {
      setAsked(on);
      setFailed(false);
      wanted.current = on;
      if (!running.current) void run();
    },
  };
}
