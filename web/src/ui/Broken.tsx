import { useTranslation } from 'react-i18next';
import { Button } from '@mantine/core';
import styles from './noticePage.module.css';

/** A page whose code threw: says so and offers the one thing that helps. Never shows a stack. */
export function Broken() {
  const { t } = useTranslation('common');
  return (
    <main className={styles.notice}>
      <h1 className={styles.title}>{t('broken.title')}</h1>
      <p className={styles.text}>{t('broken.text')}</p>
      <Button onClick={() => window.location.reload()}>{t('tryAgain')}</Button>
    </main>
  );
}
