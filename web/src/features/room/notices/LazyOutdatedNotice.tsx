/** That there is a newer web, fetched once the room stands. */
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';

const notice = lazyPart(() => import('./OutdatedNotice.tsx'));

export function LazyOutdatedNotice() {
  const part = useLazyPart(notice, true);
  return part && <part.OutdatedNotice />;
}
