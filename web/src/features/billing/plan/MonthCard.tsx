/** What the running month costs so far. */
import type { Billing } from '@fieldroom/contract/billing';
import { useTranslation } from 'react-i18next';
import { hoursAndMinutes } from '../../../platform/i18n/durations.ts';
import { money, monthWords, percent, shortMoney } from '../billingWords.ts';
import section from '../../../ui/sectionCard.module.css';
import styles from './Plan.module.css';

/** Shows hours, net price, tax and sum of the running month. Hours are rounded up once (docs/product.md#8.1). */
export function MonthCard({ month: costs }: { month: NonNullable<Billing['thisMonth']> }) {
  const { t } = useTranslation('billing');
  const { month, seconds, hours, currency, hourPrice, net, taxPercent, tax, gross, reverseCharge } = costs;
  return (
    <section className={`${section.card} ${styles.part}`} aria-labelledby="month-title">
      <h2 id="month-title">{t('month.title', { month: monthWords(month) })}</h2>
      <div>
        <p className={styles.big}>
          <strong>{money(gross, currency)}</strong>
          <span>{t('month.soFar')}</span>
        </p>
        <p className={styles.muted}>{t('month.used', { used: hoursAndMinutes(seconds), count: hours })}</p>
      </div>
      <dl className={styles.costs}>
        <div>
          <dt>{t('example.net', { count: hours, price: shortMoney(hourPrice, currency) })}</dt>
          <dd>{money(net, currency)}</dd>
        </div>
        <div>
          <dt>{reverseCharge ? t('summary.noTax') : t('cost.tax', { percent: percent(taxPercent) })}</dt>
          <dd>{money(tax, currency)}</dd>
        </div>
        <div data-sum>
          <dt>{t('cost.gross')}</dt>
          <dd>{money(gross, currency)}</dd>
        </div>
      </dl>
    </section>
  );
}
