/** The room's badge, fetched after the room: the field comes first. */
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';

const badge = lazyPart(() => import('./TimerBadge.tsx'));

/** Time used and trees, in the top bar of both rooms. `short` leaves out the word "trees". */
export function LazyRoomTimerBadge({ short = false }: { short?: boolean }) {
  const part = useLazyPart(badge, true);
  return part && <part.RoomTimerBadge short={short} />;
}
