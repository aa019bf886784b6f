/** Tells a client, while the therapist is away, how long the page waits for a sign of life. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSharedClock } from '../../../platform/time/sharedClock.ts';
import { minutesAndSeconds } from '../timer/timerModel.ts';
import { useEachSecond } from '../timer/useTimer.ts';
import { type IdleLogout, startIdleLogout } from './idleLogout.ts';
import styles from './IdleCountdown.module.css';

export function IdleCountdown({ away, onExpired }: { away: boolean; onExpired(): void }): ReactNode {
  const { t } = useTranslation('usage');
  const clock = useSharedClock();
  const [idle, setIdle] = useState<IdleLogout | null>(null);
  const expired = useRef(onExpired);
  useEffect(() => {
    expired.current = onExpired;
  });
  useEffect(() => {
    if (!away || clock === null) return undefined;
    const begun = startIdleLogout({ now: clock.now, onExpired: () => expired.current() });
    setIdle(begun);
    return () => {
      begun.stop();
      setIdle(null);
    };
  }, [away, clock]);
  useEachSecond(idle !== null);
  if (idle === null || clock === null) return null;
  return (
    <section className={styles.note} aria-label={t('idle.text')} data-idle>
      <p>
        {t('idle.text')}{' '}
        <span role="timer" className={styles.time}>
          {minutesAndSeconds(idle.expires() - clock.now())}
        </span>
      </p>
    </section>
  );
}
