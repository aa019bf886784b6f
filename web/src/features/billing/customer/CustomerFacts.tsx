/** A customer's data to read. */
import type { Customer } from '@fieldroom/contract/billing';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { countryName } from './countryNames.ts';
import styles from './CustomerFacts.module.css';

/** An address in lines, as it stands on a bill. */
function Lines({ place }: { place: Pick<Customer, 'address' | 'zip' | 'city' | 'country'> }) {
  const lines = [place.address, `${place.zip} ${place.city}`, countryName(place.country, currentLanguage())];
  return lines.map((words) => (
    <Fragment key={words}>
      <br />
      {words}
    </Fragment>
  ));
}

/**
 * Shows a legal entity first and then the person who acts for it, or the private person alone. Used on the page of the
 * package and in the dialog that asks before the data is saved.
 */
export function CustomerFacts({ customer }: { customer: Customer }) {
  const { t } = useTranslation('billing');
  const { entity } = customer;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t(`kind.${customer.kind}`)}</dt>
        <dd>
          {entity ? entity.name : customer.name}
          <Lines place={entity ?? customer} />
        </dd>
      </div>
      {entity ? (
        <>
          <div>
            <dt>{t('form.taxNumber')}</dt>
            <dd>{entity.taxNumber}</dd>
          </div>
          <div>
            <dt>{t('customer.person')}</dt>
            <dd>
              {customer.name}
              <Lines place={customer} />
            </dd>
          </div>
        </>
      ) : null}
      <div>
        <dt>{t('form.telephone')}</dt>
        <dd>{customer.telephone}</dd>
      </div>
      <div>
        <dt>{t('form.contact')}</dt>
        <dd>{customer.contactPerson}</dd>
      </div>
    </dl>
  );
}
