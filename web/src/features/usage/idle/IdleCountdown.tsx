/** Tells a client, while the therapist is away, how long the page waits for an act. Mounted in the room's area. */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSharedClock } from '../../../platform/time/sharedClock.ts';
import { minutesAndSeconds } from '../timer/timerModel.ts';
import { useEachSecond } from '../timer/useTimer.ts';
import { type IdleLogout, startIdleLogout } from './idleLogout.ts';
import styles from './IdleCountdown.module.css';

export interface IdleCountdownProps {
  away: boolean;
  /** Whether the page would learn that the therapist is back. */
  connected: boolean;
  onExpired(): void;
  /** Takes an element over the field; the returned function is called when it is removed. A stable function. */
  onPlace(element: Element): (() => void) | undefined;
}

/**
 * Shown in the client's room while `away` holds (docs/product.md#7.6). Acts on the page postpone the end; `onExpired`
 * is called at the end, once, and never without a connection.
 */
export function IdleCountdown({ away, connected, onExpired, onPlace }: IdleCountdownProps): ReactNode {
  const { t } = useTranslation('usage');
  const clock = useSharedClock();
  const [idle, setIdle] = useState<IdleLogout | null>(null);
  const latest = useRef({ connected, onExpired });
  useEffect(() => {
    latest.current = { connected, onExpired };
  });
  useEffect(() => {
    if (!away || clock === null) return undefined;
    const begun = startIdleLogout({
      now: clock.now,
      isConnected: () => latest.current.connected,
      onExpired: () => latest.current.onExpired(),
    });
    setIdle(begun);
    return () => {
      begun.stop();
      setIdle(null);
    };
  }, [away, clock]);
  useEachSecond(idle !== null);
  const note = useRef<HTMLElement>(null);
  const shown = idle !== null && clock !== null;
  useLayoutEffect(() => (shown && note.current ? onPlace(note.current) : undefined), [shown, onPlace]);
  if (!shown) return null;
  return (
    <section ref={note} className={styles.note} aria-label={t('idle.text')} data-idle>
      <p>
        {t('idle.text')}{' '}
        <span role="timer" className={styles.time}>
          {minutesAndSeconds(idle.expires() - clock.now())}
        </span>
      </p>
    </section>
  );
}
