/** How clients get in: by the join link, or by the code of a running live session. */
import { CODE_PAGE, joinPage } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { Card } from '../Card.tsx';
import styles from '../Dashboard.module.css';

/**
 * The join link, which opens in another tab. Takes the secret and the whole address, which shows without its scheme.
 */
export function LinkCard({ joinLink, address }: { joinLink: string; address: string }) {
  const { t } = useTranslation('dashboard');
  return (
    <Card title={t('link.title')}>
      <p>{t('link.text')}</p>
      <a className={styles.address} href={joinPage(joinLink)} target="_blank" rel="noopener">
        {address.replace(/^https?:\/\//, '')}
      </a>
    </Card>
  );
}

/** The page on which a client types the code, with a button that copies its address. */
export function CodeCard() {
  const { t } = useTranslation('dashboard');
  const { copy, copied, error } = useClipboard({ timeout: 6_000 });
  const address = `${window.location.origin}${CODE_PAGE}`;
  return (
    <Card title={t('code.title')}>
      <p>{t('code.text')}</p>
      <a className={styles.address} href={CODE_PAGE} target="_blank" rel="noreferrer">
        {address.replace(/^https?:\/\//, '')}
      </a>
      <Button variant="default" mt="sm" onClick={() => copy(address)}>
        {t('code.copy')}
      </Button>
      <span role="status">{copied && !error ? t('code.copied') : null}</span>
    </Card>
  );
}
