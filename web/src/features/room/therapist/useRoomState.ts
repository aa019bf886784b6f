/** The room's code, link and switches as the server has them, for the therapist. */
import type { RoomState } from '@fieldroom/contract/clients';
import { useCallback, useEffect, useState } from 'react';
import { storage } from '../../../platform/storage.ts';
import type { TherapistCalls } from './useTherapistRoom.ts';

export interface KnownRoom {
  /** null until the server answered. */
  room: RoomState | null;
  /** Asks the server again. */
  refresh(): void;
  /** Takes what a call has just changed. */
  change(patch: Partial<RoomState>): void;
}

export function useRoomState(calls: Pick<TherapistCalls, 'getRoom'>): KnownRoom {
  const [room, setRoom] = useState<RoomState | null>(null);
  const refresh = useCallback(() => {
    calls.getRoom().then(
      (now) => {
        setRoom(now);
        keepJoinLink(now.joinLink);
      },
      () => undefined,
    );
  }, [calls]);
  useEffect(refresh, [refresh]);
  const change = useCallback((patch: Partial<RoomState>) => {
    setRoom((before) => before && { ...before, ...patch });
    if (patch.joinLink !== undefined) keepJoinLink(patch.joinLink);
  }, []);
  return { room, refresh, change };
}

/** Stores the link, so that the dashboard in another tab shows the one that is valid. */
function keepJoinLink(joinLink: string): void {
  const user = storage.get('user');
  if (user && user.joinLink !== joinLink) storage.set('user', { ...user, joinLink });
}
