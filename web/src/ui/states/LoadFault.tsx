/** A part of a page could not be loaded: says why, and offers to try again. The rest of the page keeps working. */
import { IconAlertCircle } from '@tabler/icons-react';
import styles from './LoadFault.module.css';

export interface LoadFaultProps {
  /** What happened, as a sentence. */
  text: string;
  /** Words of the button. */
  retry: string;
  onRetry(): void;
}

/** Announced at once, as an alert. */
export function LoadFault({ text, retry, onRetry }: LoadFaultProps) {
  return (
    <div className={styles.fault} role="alert">
      <IconAlertCircle size={20} stroke={1.75} aria-hidden />
      <p>
        {text}{' '}
        <button type="button" onClick={onRetry}>
          {retry}
        </button>
      </p>
    </div>
  );
}
