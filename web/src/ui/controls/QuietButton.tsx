/** An icon that everybody knows, without text, with a name for screen readers: previous and next, remove an entry. */
import type { ReactNode } from 'react';
import styles from './QuietButton.module.css';

export interface QuietButtonProps {
  label: string;
  onClick(): void;
  /** 44 px by default; small is 40, inside a field 32. */
  size?: 'small' | 'inside';
  children: ReactNode;
}

/** A square button without a frame. `label` is its accessible name, children its icon, hidden from screen readers. */
export function QuietButton({ label, onClick, size, children }: QuietButtonProps) {
  return (
    <button type="button" className={styles.quiet} data-size={size} aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}
