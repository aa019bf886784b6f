/** Moments in the therapist's room, fetched once the room is drawn: the buttons, and with them the strip. */
import { loadWords } from '../../platform/i18n/app.ts';
import type { MenuParts } from '../../ui/lazy/LazyMenu.tsx';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import type { LatestMoments } from './latestMoments.ts';
import type { RoomMomentsProps } from './room/RoomMoments.tsx';

// Code and words together: without its words a part would hide the whole page until they are loaded.
const roomMoments = lazyPart(
  async () => (await Promise.all([import('./room/RoomMoments.tsx'), loadWords(['moments'])]))[0],
);

/** Draws nothing until code and words are loaded. */
export function LazyMoments(props: RoomMomentsProps) {
  const part = useLazyPart(roomMoments, true);
  return part && <part.RoomMoments {...props} />;
}

/** Keeping a moment and opening the strip, as entries of a phone's menu “More”. */
export function LazyMomentItems(props: { menu: MenuParts; latest: LatestMoments }) {
  const part = useLazyPart(roomMoments, true);
  return part && <part.MomentItems {...props} />;
}
