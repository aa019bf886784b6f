import { useTranslation } from 'react-i18next';
import { TrialNotice } from '../usage/running/index.ts';
import styles from './WelcomePage.module.css';

/** Help (/app/welcome): what a therapist needs, in the order of a live session. */
export function WelcomePage() {
  const { t } = useTranslation('shell');
  const parts = t('welcome.parts', { returnObjects: true }) as { q: string; a: string }[];
  return (
    <div className={styles.help}>
      <TrialNotice />
      <p className={styles.lead}>{t('welcome.lead')}</p>
      {parts.map(({ q, a }, index) => (
        <details key={q} className={styles.part} open={index === 0}>
          <summary>
            <h2>{q}</h2>
          </summary>
          <p>{a}</p>
        </details>
      ))}
    </div>
  );
}
