/** The notices at the top of every page of the shell: a lost connection, and a newer version. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OfflineBar } from '../../../light/OfflineBar.tsx';
import { useOutdated } from '../../../platform/newVersion.ts';
import act from '../../../ui/controls/barAct.module.css';
import styles from './TopNotices.module.css';

/** docs/product.md#11.36, 11.37 */
export function TopNotices() {
  const { t: tc } = useTranslation('common');
  return (
    <div className={styles.bars}>
      <OfflineBar text={tc('offline')} />
      <OutdatedBar />
    </div>
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
      <button type="button" className={act.act} onClick={() => window.location.reload()}>
        {t('outdated.reload')}
      </button>
      <button type="button" className={act.act} onClick={() => setPutOff(true)}>
        {t('outdated.later')}
      </button>
    </div>
  );
}
