/** The countdown of clients, fetched when the therapist is away for the first time. */
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { IdleCountdownProps } from './IdleCountdown.tsx';

/** The countdown's code, for `useWarmUp`. */
export const idleCountdown = lazyPart(() => import('./IdleCountdown.tsx'));

/** `IdleCountdown`, drawn once its code is loaded. */
export function LazyIdleCountdown(props: IdleCountdownProps) {
  const part = useLazyPart(idleCountdown, props.away);
  return part && <part.IdleCountdown {...props} />;
}
