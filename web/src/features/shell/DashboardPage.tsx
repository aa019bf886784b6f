/** The therapist's start: greeting, the join link to send, the way into the room. */
import type { User } from '@fieldroom/contract/accounts';
import { Button } from '@mantine/core';
import { useClipboard, useDocumentVisibility, useWindowEvent } from '@mantine/hooks';
import { IconCircleCheck, IconFocusCentered, IconLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { localeOf } from '../../platform/i18n/languages.ts';

import { FieldPicture } from '../../ui/FieldPicture.tsx';
import { useAppearance } from '../../ui/theme/appearance.ts';
import '../../ui/theme/voice.css';
import { useCurrentUser } from '../accounts/index.ts';
import { RetentionCard } from '../retention/index.ts';
import styles from './DashboardPage.module.css';

/** Greets by the hour of the person's own clock. */
export function greetingKey(hour: number): 'morning' | 'day' | 'evening' {
  if (hour >= 4 && hour < 11) return 'morning';
  return hour >= 11 && hour < 18 ? 'day' : 'evening';
}

/** The signed-in person, asked for again whenever somebody looks: a join link renewed elsewhere must not be sent on. */
function useFreshUser(): User | null {
  const { user, refresh } = useCurrentUser();
  const visibility = useDocumentVisibility();
  useEffect(() => {
    if (visibility === 'visible') refresh();
  }, [visibility, refresh]);
  useWindowEvent('focus', () => {
    if (document.visibilityState === 'visible') refresh();
  });
  return user;
}

export function DashboardPage() {
  const { t } = useTranslation('shell');
  const { scheme } = useAppearance();
  const user = useFreshUser();
  const joinLink = user?.joinLink ?? '';
  const joinAddress = `${window.location.origin}/user/join/${joinLink}`;
  // What was said stays.
  const clipboard = useClipboard({ timeout: 2 ** 31 - 1 });

  return (
    <>
      <Head firstName={user?.firstName ?? ''} onCopy={() => clipboard.copy(joinAddress)} />
      <p className={styles.told} role="status">
        {clipboard.copied && !clipboard.error ? (
          <>
            <IconCircleCheck size={20} stroke={1.75} aria-hidden /> {t('dashboard.copied')}
          </>
        ) : null}
        {clipboard.error ? (
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
            <a className={styles.address} href={`/user/join/${joinLink}`} target="_blank" rel="noopener">
              {joinAddress.replace(/^https?:\/\//, '')}
            </a>
          </section>
          <section className={styles.card}>
            <h2>{t('dashboard.codeTitle')}</h2>
            <p>{t('dashboard.codeText', { path: '/user/code' })}</p>
          </section>
          <RetentionCard className={styles.card} />
        </div>
      </div>
    </>
  );
}

/** Date, greeting, and the two things that a therapist comes for. */
function Head({ firstName, onCopy }: { firstName: string; onCopy(): void }) {
  const { t } = useTranslation('shell');
  const [now] = useState(() => new Date());
  const today = new Intl.DateTimeFormat(localeOf(currentLanguage()), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });
  return (
    <div className={styles.head}>
      <div>
        <p className={styles.date}>{today.format(now)}</p>
        <h1 className="fr-voice">{t(`dashboard.${greetingKey(now.getHours())}`, { name: firstName })}</h1>
      </div>
      <div className={styles.acts}>
        <Button
          size="lg"
          variant="default"
          leftSection={<IconLink size={20} stroke={1.75} aria-hidden />}
          onClick={onCopy}
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
  );
}
