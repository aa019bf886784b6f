/** What an hour costs by country, who is charged tax, and a worked example. */
import { BILL_CURRENCIES, type BillCurrency, type Billing } from '@fieldroom/contract/billing';
import { useTranslation } from 'react-i18next';
import { hoursAndMinutes } from '../../../platform/i18n/durations.ts';
import { money, percent, shortMoney } from '../billingWords.ts';
import { costsOf, EXAMPLE_SECONDS, type Terms } from '../costs.ts';
import section from '../../../ui/sectionCard.module.css';
import styles from './Plan.module.css';

export interface PricesCardProps {
  billing: Billing;
  /** Those of the customer; null until a country is chosen. */
  terms: Terms | null;
}

/** Prices are net (docs/product.md#8.2). Until a country is chosen, the example is about a private person in the EU. */
export function PricesCard({ billing, terms }: PricesCardProps) {
  const { t } = useTranslation('billing');
  return (
    <section className={`${section.card} ${styles.part}`} aria-labelledby="prices-title">
      <h2 id="prices-title">{t('prices.title')}</h2>
      <dl className={styles.prices}>
        {BILL_CURRENCIES.map((currency) => (
          <div key={currency} data-chosen={currency === terms?.currency || undefined}>
            <dt>{t(`prices.${currency}`)}</dt>
            <dd>
              <strong>{shortMoney(billing.prices[currency], currency)}</strong>
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.muted}>
        {t('prices.net')} {t('prices.tax', { percent: percent(billing.taxPercent) })} {t('prices.reverse')}
      </p>
      <Example terms={terms ?? personInEu(billing)} assumed={terms === null} />
    </section>
  );
}

/** The subject of the example until a country is chosen. */
const personInEu = ({ prices, taxPercent }: Billing): Pick<Terms, 'currency' | 'hourPrice' | 'taxPercent'> => ({
  currency: 'EUR',
  hourPrice: prices.EUR,
  taxPercent,
});

interface ExampleProps {
  terms: { currency: BillCurrency; hourPrice: string; taxPercent: number };
  /** Nothing is chosen yet. */
  assumed: boolean;
}

/** A month of 7 hours and 20 minutes, calculated as bills are. */
function Example({ terms, assumed }: ExampleProps) {
  const { t } = useTranslation('billing');
  const { hours, net, tax, gross } = costsOf(EXAMPLE_SECONDS, terms);
  const { currency, hourPrice, taxPercent } = terms;
  return (
    <div className={styles.example}>
      <h3>{t('example.title')}</h3>
      <p>
        {t('example.hours', { used: hoursAndMinutes(EXAMPLE_SECONDS), count: hours })}{' '}
        {assumed ? t('example.assumed') : ''}
      </p>
      <dl>
        <div>
          <dt>{t('example.net', { count: hours, price: shortMoney(hourPrice, currency) })}</dt>
          <dd>{money(net, currency)}</dd>
        </div>
        <div>
          <dt>{taxPercent > 0 ? t('cost.tax', { percent: percent(taxPercent) }) : t('summary.noTax')}</dt>
          <dd>{money(tax, currency)}</dd>
        </div>
        <div data-sum>
          <dt>{t('cost.gross')}</dt>
          <dd>{money(gross, currency)}</dd>
        </div>
      </dl>
    </div>
  );
}
