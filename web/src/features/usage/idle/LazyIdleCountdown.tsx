/** The client's countdown, fetched when the therapist is away for the first time. */
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';

export const idleCountdown = lazyPart(() => import('./IdleCountdown.tsx'));

export function LazyIdleCountdown(props: { away: boolean; onExpired(): void }) {
  const part = useLazyPart(idleCountdown, props.away);
  return part && <part.IdleCountdown {...props} />;
}
