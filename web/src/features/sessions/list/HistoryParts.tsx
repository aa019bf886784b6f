/** The two tabs of a person's history: this page with the live sessions, and the bills on the page of the package. */
import { HISTORY_PAGE, PACKAGE_PAGE } from '@fieldroom/contract/pages';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './HistoryParts.module.css';

/** A line of two links above the list (docs/product.md#6.3). */
export function HistoryParts() {
  const { t } = useTranslation('sessions');
  return (
    <nav className={styles.parts} aria-label={t('parts.label')}>
      <Link to={HISTORY_PAGE} search={{}} className={styles.part} aria-current="page">
        {t('parts.sessions')}
      </Link>
      <Link to={PACKAGE_PAGE} hash="bills-title" className={styles.part}>
        {t('parts.bills')}
      </Link>
    </nav>
  );
}
