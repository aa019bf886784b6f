import { isClient } from '@fieldroom/contract/accounts';
import { SUPPORT_PAGE } from '@fieldroom/contract/pages';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { storage } from '../../platform/storage.ts';
import { TrialNotice } from '../usage/running/index.ts';
import styles from './HelpPage.module.css';

interface Group {
  title: string;
  questions: { q: string; a: string }[];
}

/** Help (/app/welcome): questions with their answers, and where to ask further ones. */
export function HelpPage() {
  const { t } = useTranslation('help');
  // The page behind the link is for therapists and admins (docs/product.md#11.39).
  const canWrite = !isClient(storage.get('user'));
  const groups = t('groups', { returnObjects: true }) as Group[];
  return (
    <div className={styles.help}>
      <TrialNotice />
      <p className={styles.lead}>{t('lead')}</p>
      {groups.map(({ title, questions }, groupIndex) => (
        <section key={title} className={styles.group}>
          <h2>{title}</h2>
          {questions.map(({ q, a }, index) => (
            <details key={q} className={styles.part} open={groupIndex === 0 && index === 0}>
              <summary>
                <h3>{q}</h3>
              </summary>
              <p>{a}</p>
            </details>
          ))}
        </section>
      ))}
      {canWrite ? (
        <p className={styles.more}>
          {t('more')} <Link to={SUPPORT_PAGE}>{t('write')}</Link>
        </p>
      ) : null}
    </div>
  );
}
