/**
 * The time used and the trees planted, as a small pill (docs/product.md#11.2): green while it is running, grey while it
 * is stopped.
 */
import { type Timer, treesOf } from '@fieldroom/contract/usage';
import { IconTree } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { hoursAndMinutes } from '../../../platform/i18n/durations.ts';
import { TreePlanted } from './TreePlanted.tsx';
import { useTimerPart } from './timerContext.ts';
import { useSeconds } from './useTimer.ts';
import styles from './TimerBadge.module.css';

interface TimerBadgeProps {
  timer: Timer | null;
  /** Leaves out the word "trees" if there is little room. */
  short?: boolean;
}

/** Draws nothing until the time is known. Shows a planted tree for a moment (docs/product.md#7.5). */
export function TimerBadge({ timer, short = false }: TimerBadgeProps) {
  const { t } = useTranslation('usage');
  const seconds = useSeconds(timer);
  if (timer === null || seconds === null) return null;
  const trees = treesOf(seconds);
  const minutes = Math.floor(seconds / 60);
  return (
    <span className={styles.place}>
      <span
        className={styles.badge}
        data-timer={timer.counting ? 'running' : 'stopped'}
        data-short={short || undefined}
        role="img"
        aria-label={t(timer.counting ? 'badge.running' : 'badge.stopped', {
          hours: Math.floor(minutes / 60),
          minutes: minutes % 60,
          trees: t('badge.trees', { count: trees }),
        })}
        title={`${t('TREE_HOVER_TXT_1')} ${t('TREE_HOVER_TXT_2')}`}
      >
        <span className={styles.disc} aria-hidden>
          <IconTree size={18} stroke={1.75} />
        </span>
        <span className={styles.time} aria-hidden>
          {hoursAndMinutes(seconds)}
        </span>
        <span className={styles.trees} aria-hidden>
          {short ? trees : t('badge.trees', { count: trees })}
        </span>
      </span>
      <TreePlanted seconds={seconds} />
    </span>
  );
}

/** The badge of the room. */
export function RoomTimerBadge({ short = false }: { short?: boolean }) {
  return <TimerBadge timer={useTimerPart((model) => model.timer)} short={short} />;
}
