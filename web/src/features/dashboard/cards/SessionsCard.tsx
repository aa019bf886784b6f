/** The latest live sessions: when, who, the figures on the field, how long. */
import type { LiveSessionDetails } from '@fieldroom/contract/sessions';
import { HISTORY_PAGE } from '@fieldroom/contract/pages';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { FigureIcon } from '../../../ui/figures/index.ts';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { durationWords, momentWords, sessionQueries, whoWords } from '../../sessions/index.ts';
import { Card, Loaded } from '../Card.tsx';
import styles from '../Dashboard.module.css';
import { ASKED } from '../dashboardQueries.ts';

/** Figures that a row shows. */
const SHOWN = 4;

/** The card of the latest live sessions. Each row leads to the details; up to 4 figures show, without own icons. */
export function SessionsCard() {
  const { t } = useTranslation('dashboard');
  const query = useQuery({ ...sessionQueries.latest(), ...ASKED });
  return (
    <Card title={t('sessions.title')} rows aside={<Link to={HISTORY_PAGE}>{t('sessions.all')}</Link>}>
      <Loaded query={query} failed={t('sessions.failed')} bones={<Bones />}>
        {({ content }) =>
          content.length === 0 ? (
            <p className={styles.none}>{t('sessions.none')}</p>
          ) : (
            <ul className={styles.rows}>
              {content.map((session) => (
                <Row key={session.id} session={session} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Bones() {
  return (
    <div className={styles.rowBones}>
      {[1, 2, 3, 4].map((key) => (
        <Skeleton key={key} height={30} radius={8} />
      ))}
    </div>
  );
}

function Row({ session }: { session: LiveSessionDetails }) {
  const { t } = useTranslation('dashboard');
  const { t: ts } = useTranslation('sessions');
  const { scheme } = useAppearance();
  const language = currentLanguage();
  const running = session.endedOn === null;
  const figures = (session.field?.figures ?? []).filter(({ iconType }) => iconType !== 'CUSTOM').slice(0, SHOWN);
  const length = durationWords(ts, session.countedSeconds);
  const facts = session.clients > 0 ? [ts('people', { count: session.clients }), length] : [length];
  return (
    <li>
      <Link to={HISTORY_PAGE} search={{ session: session.id }} className={styles.session}>
        <span className={styles.day}>
          {momentWords(session.startedOn, language, { day: 'numeric', month: 'short' })}
        </span>
        <span className={styles.title}>{whoWords(ts, session, language)}</span>
        <span className={styles.figures} aria-hidden>
          {figures.map(({ id, iconType, color }) => (
            <FigureIcon key={id} kind={iconType} tone={color} scheme={scheme} size={26} />
          ))}
        </span>
        {running ? (
          <span className={styles.facts}>
            <span className={styles.pill} data-state="CONFIRMED">
              {t('sessions.running')}
            </span>
          </span>
        ) : (
          <span className={styles.facts}>{facts.join(' · ')}</span>
        )}
      </Link>
    </li>
  );
}
