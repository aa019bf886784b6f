/** Shown if a list is empty: what will be there, and the first step. */
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

export interface EmptyStateProps {
  /** Two small figures, or an icon. */
  picture: ReactNode;
  title: string;
  text: string;
  /** The title's heading level. */
  heading?: 'h2' | 'h3';
  /** The button of the first step. */
  children?: ReactNode;
}

/** The picture is decoration, hidden from screen readers. */
export function EmptyState({ picture, title, text, heading: Heading = 'h2', children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.picture} aria-hidden>
        {picture}
      </div>
      <Heading>{title}</Heading>
      <p>{text}</p>
      {children}
    </div>
  );
}
