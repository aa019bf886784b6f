/** Date, greeting, and the two most frequent acts. */
import { THERAPIST_ROOM } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { IconFocusCentered, IconLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { dateFormat } from '../../platform/i18n/formats.ts';
import '../../ui/theme/voice.css';
import { greetingKey } from './dashboardWords.ts';
import styles from './Dashboard.module.css';

export interface DashboardHeadProps {
  firstName: string;
  /** Whether a live session is running: then the button leads back to it. */
  running: boolean;
  onCopy(): void;
}

/**
 * The head of the dashboard. Its two buttons open the room and copy the join link. The greeting fits the hour at which
 * the page was opened.
 */
export function DashboardHead({ firstName, running, onCopy }: DashboardHeadProps) {
  const { t } = useTranslation('dashboard');
  const [now] = useState(() => new Date());
  const today = dateFormat(currentLanguage(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });
  return (
    <div className={styles.head}>
      <div>
        <p className={styles.date}>{today.format(now)}</p>
        <h1 className="fr-voice">{t(`greeting.${greetingKey(now.getHours())}`, { name: firstName })}</h1>
      </div>
      <div className={styles.acts}>
        <Button
          size="lg"
          component={Link}
          to={THERAPIST_ROOM}
          leftSection={<IconFocusCentered size={22} stroke={1.75} aria-hidden />}
        >
          {running ? t('back') : t('open')}
        </Button>
        <Button
          size="lg"
          variant="default"
          leftSection={<IconLink size={20} stroke={1.75} aria-hidden />}
          onClick={onCopy}
        >
          {t('copy')}
        </Button>
      </div>
    </div>
  );
}
