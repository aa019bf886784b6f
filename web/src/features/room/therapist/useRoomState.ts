/** The room's code, link and switches as the server has them, for the therapist. */
import type { RoomState } from '@fieldroom/contract/clients';
import { useCallback, useEffect, useRef, useState } from 'react';
import { storage } from '../../../platform/storage.ts';
import { retryUntilDone } from '../../../ui/lazy/retryUntilDone.ts';
import type { TherapistCalls } from './useTherapistRoom.ts';

export interface KnownRoom {
  /** null until the server has answered. */
  room: RoomState | null;
  /** Fetches again, until the server answers. */
  refresh(): void;
  /** Applies the change of a call. */
  change(patch: Partial<RoomState>): void;
}

/**
 * Fetches the room when it is mounted, and keeps its join link in storage. A call's change applies at once; an answer
 * that may be older is fetched again.
 */
export function useRoomState(calls: Pick<TherapistCalls, 'getRoom'>): KnownRoom {
  const [room, setRoom] = useState<RoomState | null>(null);
  /** Aborts the pending request; null if there is none. */
  const stopAsking = useRef<(() => void) | null>(null);
  const refresh = useCallback(() => {
    // Only the last request counts: the answer to an earlier one may arrive later.
    stopAsking.current?.();
    stopAsking.current = retryUntilDone(
      () => calls.getRoom(),
      (now) => {
        stopAsking.current = null;
        setRoom(now);
        keepJoinLink(now.joinLink);
      },
    );
  }, [calls]);
  useEffect(() => {
    refresh();
    return () => {
      stopAsking.current?.();
      stopAsking.current = null;
    };
  }, [refresh]);
  const change = useCallback(
    (patch: Partial<RoomState>) => {
      setRoom((before) => before && { ...before, ...patch });
      if (patch.joinLink !== undefined) keepJoinLink(patch.joinLink);
      // A pending answer may be from before the change.
      if (stopAsking.current) refresh();
    },
    [refresh],
  );
  return { room, refresh, change };
}

/** Stores the link, so that the dashboard in another tab shows the valid one. */
function keepJoinLink(joinLink: string): void {
  const user = storage.get('user');
  if (user && user.joinLink !== joinLink) storage.set('user', { ...user, joinLink });
}
