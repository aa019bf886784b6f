/** A highlighted sentence: what will happen, what went well, what did not. */
import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import styles from './Callout.module.css';

const ICONS = { plain: IconInfoCircle, done: IconCircleCheck, fault: IconAlertCircle };

export interface CalloutProps {
  tone?: keyof typeof ICONS;
  /** Replaces the tone's own icon. */
  icon?: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  /** `alert` for a fault that appears without an act; not needed inside a live region. */
  role?: 'alert';
  children: ReactNode;
}

/** A box with an icon. Its tone decides colour and icon; without `role` it is not announced. */
export function Callout({ tone = 'plain', icon: Icon = ICONS[tone], role, children }: CalloutProps) {
  return (
    <div className={styles.callout} data-tone={tone} role={role}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
