/** What every page of the shell says at its top: that the connection is lost, and that there is a newer web. */
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useOutdated } from '../../platform/newVersion.ts';
import styles from './Bars.module.css';

/** Calls back when the browser loses or regains its connection. Returns how to stop. */
function onConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** docs/product.md#11.36, 11.37 */
export function Bars() {
  return (
    <div className={styles.bars}>
      <OfflineBar />
      <OutdatedBar />
    </div>
  );
}

function OfflineBar() {
  const { t: tc } = useTranslation('common');
  const online = useSyncExternalStore(onConnection, () => navigator.onLine);
  if (online) return null;
  return (
    <p className={`${styles.bar} ${styles.offline}`} role="status">
      {tc('offline')}
    </p>
  );
}

/** Reloading is left to the person, who may have typed something. */
function OutdatedBar() {
  const { t } = useTranslation('shell');
  const outdated = useOutdated();
  const [putOff, setPutOff] = useState(false);
  if (!outdated || putOff) return null;
  return (
    <div className={`${styles.bar} ${styles.outdated}`} role="status">
      <span>{t('outdated.text')}</span>
      <button type="button" className={styles.act} onClick={() => window.location.reload()}>
        {t('outdated.reload')}
      </button>
      <button type="button" className={styles.act} onClick={() => setPutOff(true)}>
        {t('outdated.later')}
      </button>
    </div>
  );
}
