/** The notice that there is a newer web. Its code is fetched once the room stands. */
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';

const notice = lazyPart(() => import('./OutdatedNotice.tsx'));

/** Stands at the top of the therapist's room. */
export function LazyOutdatedNotice() {
  const part = useLazyPart(notice, true);
  return part && <part.OutdatedNotice />;
}
