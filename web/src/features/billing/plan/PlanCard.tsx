/** How the package works: the trial, what follows, and the connection that a room needs. */
import type { Billing } from '@fieldroom/contract/billing';
import { counterAt, TREE_SECONDS, TRIAL_SECONDS, TRIAL_WARNING_SECONDS, type Usage } from '@fieldroom/contract/usage';
import {
  type Icon,
  IconBell,
  IconCalendarTime,
  IconGift,
  IconHourglassHigh,
  IconTrees,
  IconUsers,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { hoursAndMinutes } from '../../../platform/i18n/durations.ts';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { useProductClock } from '../../../platform/time/useProductClock.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import { ProgressLine } from '../../../ui/states/ProgressLine.tsx';
import section from '../../../ui/sectionCard.module.css';
import styles from './Plan.module.css';

/** The speeds that a room needs, in Mbit/s, by the number of people in it. */
const CONNECTIONS = [
  { from: 1, to: 5, down: 15, up: 2 },
  { from: 5, to: 20, down: 30, up: 10 },
] as const;

const hours = (seconds: number) => seconds / 3600;

/**
 * Shown above the form while the registration is not complete. `usage` is null if it could not be read; then the line
 * about the trial is missing.
 */
export function PlanCard({ billing, usage }: { billing: Billing; usage: Usage | null }) {
  const { t } = useTranslation('billing');
  return (
    <section className={`${section.card} ${styles.part}`} aria-labelledby="plan-title">
      <h2 id="plan-title">{t('plan.title')}</h2>
      {billing.plan === 'TRIAL' && usage ? <TrialLine usage={usage} /> : null}
      <ul className={styles.facts}>
        <Fact icon={IconGift}>{t('plan.trial', { hours: hours(TRIAL_SECONDS) })}</Fact>
        <Fact icon={IconBell}>{t('plan.warning', { hours: hours(TRIAL_WARNING_SECONDS) })}</Fact>
        <Fact icon={IconHourglassHigh}>{t('plan.started')}</Fact>
        <Fact icon={IconCalendarTime}>{t('plan.bills', { count: billing.dueDays })}</Fact>
        <Fact icon={IconTrees}>{t('plan.tree', { hours: hours(TREE_SECONDS) })}</Fact>
      </ul>
      <Connections />
    </section>
  );
}

function Fact({ icon: FactIcon, children }: { icon: Icon; children: string }) {
  return (
    <li>
      <FactIcon size={21} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </li>
  );
}

/** How much of the trial is used, or that it is over. */
function TrialLine({ usage: { timer, trialOver } }: { usage: Usage }) {
  const { t } = useTranslation('billing');
  const clock = useProductClock();
  if (trialOver) return <Callout>{t('plan.over')}</Callout>;
  const used = Math.min(TRIAL_SECONDS, counterAt(timer, clock()));
  return (
    <ProgressLine
      words={t('plan.used', { used: hoursAndMinutes(used), all: hoursAndMinutes(TRIAL_SECONDS) })}
      part={used / TRIAL_SECONDS}
      language={currentLanguage()}
    />
  );
}

/** The connection that a room needs. */
function Connections() {
  const { t } = useTranslation('billing');
  return (
    <div className={styles.connections}>
      <h3>{t('connection.title')}</h3>
      <ul>
        {CONNECTIONS.map(({ from, to, down, up }) => (
          <li key={from}>
            <IconUsers size={20} stroke={1.75} aria-hidden />
            <span>
              <strong>{t('connection.people', { from, to })}</strong> {t('connection.speed', { down, up })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
