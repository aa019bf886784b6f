import { Button } from '@mantine/core';
import { IconCircleCheck, IconFocusCentered, IconLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { storage } from '../../platform/storage.ts';
import { FieldPicture } from '../../ui/FieldPicture.tsx';
import { useAppearance } from '../../ui/theme/appearance.ts';
import '../../ui/theme/voice.css';
import styles from './DashboardPage.module.css';

/** Greets by the hour of the person's own clock. */
export function greetingKey(hour: number): 'morning' | 'day' | 'evening' {
  if (hour >= 4 && hour < 11) return 'morning';
  return hour >= 11 && hour < 18 ? 'day' : 'evening';
}

export function DashboardPage() {
  const { t } = useTranslation('shell');
  const { scheme } = useAppearance();
  const user = storage.get('user');
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  const [now] = useState(() => new Date());
  const joinAddress = `${window.location.origin}/user/join/${user?.joinLink ?? ''}`;

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(joinAddress);
      setCopied('yes');
    } catch {
      setCopied('failed');
    }
  };

  return (
    <>
      <div className={styles.head}>
        <div>
          <p className={styles.date}>
            {new Intl.DateTimeFormat(currentLanguage(), { weekday: 'long', day: 'numeric', month: 'long' }).format(now)}
          </p>
          <h1 className="fr-voice">{t(`dashboard.${greetingKey(now.getHours())}`, { name: user?.firstName ?? '' })}</h1>
        </div>
        <div className={styles.acts}>
          <Button
            size="lg"
            variant="default"
            leftSection={<IconLink size={20} stroke={1.75} aria-hidden />}
            onClick={() => void copy()}
          >
            {t('dashboard.copy')}
          </Button>
          <Button
            size="lg"
            component={Link}
            to="/app/play-area"
            leftSection={<IconFocusCentered size={22} stroke={1.75} aria-hidden />}
          >
            {t('dashboard.open')}
          </Button>
        </div>
      </div>
      <p className={styles.told} role="status">
        {copied === 'yes' ? (
          <>
            <IconCircleCheck size={20} stroke={1.75} aria-hidden /> {t('dashboard.copied')}
          </>
        ) : null}
        {copied === 'failed' ? (
          <>
            {t('dashboard.copyFailed')} <code>{joinAddress}</code>
          </>
        ) : null}
      </p>
      <div className={styles.grid}>
        <section className={styles.field}>
          <div className={styles.picture}>
            <FieldPicture scheme={scheme} />
          </div>
          <div className={styles.words}>
            <h2>{t('dashboard.fieldTitle')}</h2>
            <p>{t('dashboard.fieldText')}</p>
          </div>
        </section>
        <div className={styles.column}>
          <section className={styles.card}>
            <h2>{t('dashboard.linkTitle')}</h2>
            <p>{t('dashboard.linkText')}</p>
            <a className={styles.address} href={`/user/join/${user?.joinLink ?? ''}`} target="_blank" rel="noopener">
              {joinAddress.replace(/^https?:\/\//, '')}
            </a>
          </section>
          <section className={styles.card}>
            <h2>{t('dashboard.codeTitle')}</h2>
            <p>{t('dashboard.codeText', { path: '/user/code' })}</p>
          </section>
        </div>
      </div>
    </>
  );
}
