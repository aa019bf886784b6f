/** Hours used by week, as bars and, for screen readers, as a table. */
import type { Usage } from '@fieldroom/contract/usage';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { durationWords } from '../../sessions/index.ts';
import { usageQuery } from '../../usage/running/index.ts';
import { Card, Loaded } from '../Card.tsx';
import { ASKED } from '../dashboardQueries.ts';
import { hoursWords, weekNames } from '../dashboardWords.ts';
import styles from './HoursCard.module.css';

/** Height of the highest bar in px; a week with little use still shows a bar. */
const HIGHEST = 120;
const LOWEST = 3;

/** The card of used hours. The last of its weeks is the current one; its sum stands in the head. */
export function HoursCard() {
  const { t } = useTranslation('dashboard');
  const { t: ts } = useTranslation('sessions');
  const query = useQuery({ ...usageQuery(), ...ASKED });
  const thisWeek = query.data?.weeks.at(-1)?.seconds;
  return (
    <Card
      title={t('hours.title')}
      aside={
        thisWeek === undefined ? null : <span>{t('hours.thisWeek', { duration: durationWords(ts, thisWeek) })}</span>
      }
    >
      <Loaded query={query} failed={t('hours.failed')} bones={<Skeleton height={HIGHEST + 40} radius={12} />}>
        {({ weeks }) => (weeks.some(({ seconds }) => seconds > 0) ? <Weeks weeks={weeks} /> : <p>{t('hours.none')}</p>)}
      </Loaded>
    </Card>
  );
}

function Weeks({ weeks }: Pick<Usage, 'weeks'>) {
  const { t } = useTranslation('dashboard');
  const { t: ts } = useTranslation('sessions');
  const language = currentLanguage();
  const most = Math.max(1, ...weeks.map(({ seconds }) => seconds));
  return (
    <>
      <div className={styles.chart} aria-hidden>
        {weeks.map(({ monday, seconds }, index) => (
          <div key={monday} className={styles.week} data-now={index === weeks.length - 1 || undefined}>
            <span className={styles.used}>
              <span className={styles.value}>{seconds > 0 ? hoursWords(seconds, language) : ''}</span>
              <span
                className={styles.bar}
                style={{ height: seconds > 0 ? Math.max(LOWEST, Math.round((HIGHEST * seconds) / most)) : 0 }}
              />
            </span>
            <span className={styles.label}>{weekNames(monday, language).short}</span>
          </div>
        ))}
      </div>
      {/* Around the table, because a table itself does not shrink. */}
      <div className="fr-hidden">
        <table>
          <caption>{t('hours.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('hours.week')}</th>
              <th scope="col">{t('hours.used')}</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map(({ monday, seconds }) => (
              <tr key={monday}>
                <th scope="row">{t('hours.weekOf', { day: weekNames(monday, language).long })}</th>
                <td>{durationWords(ts, seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
