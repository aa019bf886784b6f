import { Logo } from '../figures/index.ts';
import styles from './LoadingView.module.css';

/** Shown while the first page loads: only the mark, after a moment, so that quick loads show nothing. */
export function LoadingView() {
  return (
    <div className={styles.view} data-view="loading" role="status" aria-busy="true" aria-label="Fieldroom">
      <Logo size={44} />
    </div>
  );
}
