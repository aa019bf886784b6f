/** What the chosen country and kind of customer mean: currency, price of an hour, tax. Follows the form. */
import type { Billing } from '@fieldroom/contract/billing';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { money, percent, shortMoney } from '../billingWords.ts';
import { costsOf, type Terms } from '../costs.ts';
import { countryName } from './countryNames.ts';
import styles from './CustomerSummary.module.css';

export interface CustomerSummaryProps {
  /** null until a country is chosen. */
  terms: Terms | null;
  billing: Billing;
  /** How many fields are wrong, once they were checked. */
  faults: number;
}

/** Beside the form, with the button that submits it. */
export function CustomerSummary({ terms, billing, faults }: CustomerSummaryProps) {
  const { t } = useTranslation('billing');
  const first = billing.customer === null;
  return (
    <aside className={styles.summary} aria-labelledby="summary-title">
      <h2 id="summary-title">{t('summary.title')}</h2>
      <div aria-live="polite">{terms === null ? <p>{t('summary.noCountry')}</p> : <TermsFacts terms={terms} />}</div>
      {faults > 0 ? (
        <p className={styles.faults} role="status">
          {t('summary.faults', { count: faults })}
        </p>
      ) : null}
      <Button type="submit" size="lg" fullWidth>
        {first ? t('summary.check') : t('summary.checkChange')}
      </Button>
      <p className={styles.under}>{t('summary.hint')}</p>
    </aside>
  );
}

/** Price, country, currency and tax as a list. */
export function TermsFacts({ terms }: { terms: Terms }) {
  const { t } = useTranslation('billing');
  const { country, currency, hourPrice, taxPercent, reverseCharge } = terms;
  return (
    <>
      <p className={styles.price}>
        <strong>{shortMoney(hourPrice, currency)}</strong> {t('summary.perHour')}
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>{t('summary.country')}</dt>
          <dd>{countryName(country, currentLanguage())}</dd>
        </div>
        <div>
          <dt>{t('summary.currency')}</dt>
          <dd>{currency}</dd>
        </div>
        <div>
          <dt>{t('summary.tax')}</dt>
          <dd>{reverseCharge ? t('summary.noTax') : percent(taxPercent)}</dd>
        </div>
        {reverseCharge ? null : (
          <div>
            <dt>{t('summary.withTax')}</dt>
            <dd>{money(costsOf(3600, terms).gross, currency)}</dd>
          </div>
        )}
      </dl>
      {reverseCharge ? <p className={styles.note}>{t('summary.reverseCharge')}</p> : null}
    </>
  );
}
