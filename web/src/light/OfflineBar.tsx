/** Says in a thin bar that the connection is lost (docs/product.md#11.36). Stands before all else of a page. */
import { useSyncExternalStore } from 'react';
import styles from './OfflineBar.module.css';

/** Calls back when the browser loses or regains its connection. Returns how to stop. */
function onConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Draws nothing while the browser has a connection, and on the server. */
export function OfflineBar({ text }: { text: string }) {
  const online = useSyncExternalStore(
    onConnection,
    () => navigator.onLine,
    () => true,
  );
  return online ? null : (
    <p className={styles.bar} role="status">
      {text}
    </p>
  );
}
