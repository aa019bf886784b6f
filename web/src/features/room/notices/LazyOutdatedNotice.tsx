/** The notice of a newer version. Its code is fetched once the room is drawn. */
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';

const notice = lazyPart(() => import('./OutdatedNotice.tsx'));

/** At the top of the therapist's room. */
export function LazyOutdatedNotice() {
  const part = useLazyPart(notice, true);
  return part && <part.OutdatedNotice />;
}
