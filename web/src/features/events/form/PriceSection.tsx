/** The number of places, and the price. */
import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { CURRENCY_CODES, parsePrice, typedPrice } from '../formatting.ts';
import type { EventFormValues } from './formValues.ts';
import type { EventFields } from './useEventFields.ts';
import section from '../../../ui/sectionCard.module.css';
import styles from './EventForm.module.css';

/** `taken` places can't be removed. */
export function PriceSection({ fields, taken }: { fields: EventFields; taken: number }) {
  const { t } = useTranslation('events');
  const language = currentLanguage();
  const { values, errors, errorOf, change } = fields;
  const tidyPrice = () => {
    const price = parsePrice(values.price, values.currency, language);
    if (price !== null) change('price', typedPrice(price, values.currency, language));
  };
  return (
    <section className={section.card} aria-labelledby="places-title">
      <h2 id="places-title">{t('form.placesAndPrice')}</h2>
      <div className={styles.price}>
        <PlacesField fields={fields} taken={taken} />
        <TextInput
          label={t('form.price')}
          {...(errors.price ? {} : { description: t('form.priceHint') })}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={values.price}
          error={errorOf('price')}
          onChange={(event) => change('price', event.currentTarget.value)}
          onBlur={tidyPrice}
        />
        <Select
          label={t('form.currency')}
          data={CURRENCY_CODES}
          value={values.currency}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          error={errorOf('currency')}
          onChange={(currency) => currency && change('currency', currency as EventFormValues['currency'])}
        />
      </div>
    </section>
  );
}

function PlacesField({ fields: { values, errorOf, change }, taken }: { fields: EventFields; taken: number }) {
  const { t } = useTranslation('events');
  const error = errorOf('maximumParticipant');
  if (values.type === 'ONE_ON_ONE')
    return <TextInput label={t('form.places')} description={t('form.onePlace')} value="1" disabled error={error} />;
  return (
    <TextInput
      label={t('form.places')}
      {...(taken > 0 ? { description: t('form.taken', { count: taken }) } : {})}
      inputMode="numeric"
      autoComplete="off"
      maxLength={6}
      value={values.maximumParticipant}
      error={error}
      onChange={(event) => change('maximumParticipant', event.currentTarget.value)}
    />
  );
}
