/** Tells the therapist about a newer version, which can wait until the session is over (docs/product.md#11.37). */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOutdated } from '../../../platform/newVersion.ts';
import act from '../../../ui/controls/barAct.module.css';
import styles from './OutdatedNotice.module.css';

/** Once closed it stays closed until the page is reloaded. */
export function OutdatedNotice() {
  const { t } = useTranslation('room');
  const { t: tc } = useTranslation('common');
  const outdated = useOutdated();
  const [closed, setClosed] = useState(false);
  if (!outdated || closed) return null;
  return (
    <div className={styles.notice}>
      <span>{t('outdated')}</span>
      <button type="button" className={act.act} onClick={() => setClosed(true)}>
        {tc('close')}
      </button>
    </div>
  );
}
