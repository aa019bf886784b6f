/** The client's countdown, fetched when the therapist is away for the first time. */
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { IdleCountdownProps } from './IdleCountdown.tsx';

export const idleCountdown = lazyPart(() => import('./IdleCountdown.tsx'));

export function LazyIdleCountdown(props: IdleCountdownProps) {
  const part = useLazyPart(idleCountdown, props.away);
  return part && <part.IdleCountdown {...props} />;
}
