/** Tells the therapist about people who have joined the waiting list. */
import { useEffect, useRef } from 'react';
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { useRoomPart } from '../../store/useRoom.ts';

/**
 * Calls `onWaiting` with each waiting list, then `onArrived` with the people added since the previous list, except
 * those of the first list.
 */
export function useArrivals(
  onArrived: (people: readonly WaitingPerson[]) => void,
  onWaiting: (people: readonly WaitingPerson[]) => void,
): void {
  const waiting = useRoomPart((model) => model.waiting);
  const peopleKnown = useRoomPart((model) => model.peopleKnown);
  const known = useRef<ReadonlySet<number> | null>(null);
  useEffect(() => {
    if (!peopleKnown) return;
    const before = known.current;
    known.current = new Set(waiting.map((person) => person.id));
    const arrived = before === null ? [] : waiting.filter((person) => !before.has(person.id));
    onWaiting(waiting);
    if (arrived.length > 0) onArrived(arrived);
  }, [waiting, peopleKnown, onArrived, onWaiting]);
}
