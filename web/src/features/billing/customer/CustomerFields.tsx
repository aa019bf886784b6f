/** The customer's data: the person, private or for a legal entity, and who gets emails about bills. */
import { CUSTOMER_KINDS, CUSTOMER_MAX } from '@fieldroom/contract/billing';
import { Button, Select, TextInput, type TextInputProps } from '@mantine/core';
import { IconBuilding, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { ChoiceCards } from '../../../ui/controls/choices/ChoiceCards.tsx';
import { countryList, matching, type NamedCountry } from './countryNames.ts';
import type { Field } from './customerForm.ts';
import type { CustomerForm } from './useCustomerForm.ts';
import section from '../../../ui/sectionCard.module.css';
import styles from './CustomerFields.module.css';

interface PartProps {
  form: CustomerForm;
}

/** `suggested`: the country was filled in from the browser's location. */
export function CustomerFields({ form, suggested }: PartProps & { suggested: boolean }) {
  return (
    <div className={styles.form}>
      <PersonSection form={form} suggested={suggested} />
      <KindSection form={form} />
      <ContactSection form={form} />
    </div>
  );
}

const ENTITY = 'entity.';
/** The value at a path of the form. */
const valueOf = ({ values }: CustomerForm, field: Field): string =>
  field.startsWith(ENTITY)
    ? values.entity[field.slice(ENTITY.length) as keyof typeof values.entity]
    : values[field as Exclude<keyof typeof values, 'entity'>];

interface TextFieldProps extends PartProps, Pick<TextInputProps, 'type' | 'inputMode' | 'description'> {
  field: Field;
  /** Characters that the server takes. */
  max: number;
  label: string;
  /** The autofill token. */
  autoComplete: string;
  className?: string | undefined;
}

function TextField({ form, field, max, label, description, ...more }: TextFieldProps) {
  const error = form.errorOf(field);
  return (
    <TextInput
      label={label}
      {...(description && error === null ? { description } : {})}
      // Text that is slightly too long is reported, not cut off.
      maxLength={max * 2}
      value={valueOf(form, field)}
      error={error}
      onChange={(event) => form.change(field, event.currentTarget.value)}
      {...more}
    />
  );
}

interface CountryFieldProps extends PartProps {
  field: 'country' | 'entity.country';
  description?: string | undefined;
}

function CountryField({ form, field, description }: CountryFieldProps) {
  const { t } = useTranslation('billing');
  const language = currentLanguage();
  const countries = countryList(language);
  const error = form.errorOf(field);
  return (
    <Select
      label={t('form.country')}
      {...(description && error === null ? { description } : {})}
      placeholder={t('form.countryExample')}
      nothingFoundMessage={t('form.noCountry')}
      data={countries}
      filter={({ search }) => matching(countries, search) as NamedCountry[]}
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange
      autoComplete="off"
      maxDropdownHeight={280}
      comboboxProps={{ withinPortal: false }}
      value={valueOf(form, field) || null}
      error={error}
      onChange={(code) => code && form.change(field, code)}
    />
  );
}

/** Country, address, zip and city. `section` separates the autofill of two addresses in one form. */
function PlaceFields({ form, of, section, hint }: PartProps & { of: '' | 'entity.'; section: string; hint?: string }) {
  const { t } = useTranslation('billing');
  return (
    <>
      <CountryField form={form} field={`${of}country`} description={hint} />
      <TextField
        form={form}
        field={`${of}address`}
        max={CUSTOMER_MAX.address}
        label={t('form.address')}
        autoComplete={`${section} address-line1`}
      />
      <div className={styles.zipAndCity}>
        <TextField
          form={form}
          field={`${of}zip`}
          max={CUSTOMER_MAX.zip}
          label={t('form.zip')}
          autoComplete={`${section} postal-code`}
        />
        <TextField
          form={form}
          field={`${of}city`}
          max={CUSTOMER_MAX.city}
          label={t('form.city')}
          autoComplete={`${section} address-level2`}
        />
      </div>
    </>
  );
}

function PersonSection({ form, suggested }: PartProps & { suggested: boolean }) {
  const { t } = useTranslation('billing');
  return (
    <section className={section.card} aria-labelledby="person-title">
      <h2 id="person-title">{t('form.person')}</h2>
      <div className={styles.two}>
        <TextField
          form={form}
          field="name"
          max={CUSTOMER_MAX.name}
          label={t('form.name')}
          autoComplete="section-person name"
        />
        <TextField
          form={form}
          field="telephone"
          max={CUSTOMER_MAX.telephone}
          label={t('form.telephone')}
          description={t('form.telephoneHint')}
          type="tel"
          inputMode="tel"
          autoComplete="section-person tel"
        />
      </div>
      <PlaceFields
        form={form}
        of=""
        section="section-person"
        {...(suggested ? { hint: t('form.countrySuggested') } : {})}
      />
    </section>
  );
}

const KIND_ICONS = { person: IconUser, entity: IconBuilding };

function KindSection({ form }: PartProps) {
  const { t } = useTranslation('billing');
  return (
    <section className={section.card} aria-labelledby="kind-title">
      <h2 id="kind-title">{t('form.kind')}</h2>
      <ChoiceCards
        label={t('form.kind')}
        choices={CUSTOMER_KINDS.map((value) => ({
          value,
          icon: KIND_ICONS[value],
          name: t(`kind.${value}`),
          hint: t(`kind.${value}Hint`),
        }))}
        value={form.values.kind}
        onChange={(kind) => form.change('kind', kind)}
      />
      {form.values.kind === 'entity' ? <EntityFields form={form} /> : null}
    </section>
  );
}

const PLACE = ['country', 'address', 'zip', 'city'] as const;

function EntityFields({ form }: PartProps) {
  const { t } = useTranslation('billing');
  return (
    <>
      <div className={styles.two}>
        <TextField
          form={form}
          field="entity.name"
          max={CUSTOMER_MAX.entityName}
          label={t('form.entityName')}
          autoComplete="section-entity organization"
        />
        <TextField
          form={form}
          field="entity.taxNumber"
          max={CUSTOMER_MAX.taxNumber}
          label={t('form.taxNumber')}
          description={t('form.taxNumberHint')}
          autoComplete="off"
        />
      </div>
      <Copying
        words={t('form.sameAddress')}
        told={t('form.addressCopied')}
        disabled={PLACE.every((field) => form.values[field].trim() === '')}
        onCopy={() => {
          for (const field of PLACE) form.change(`entity.${field}`, form.values[field]);
        }}
      />
      <PlaceFields form={form} of="entity." section="section-entity" />
    </>
  );
}

function ContactSection({ form }: PartProps) {
  const { t } = useTranslation('billing');
  return (
    <section className={section.card} aria-labelledby="contact-title">
      <h2 id="contact-title">{t('form.contact')}</h2>
      <TextField
        form={form}
        field="contactPerson"
        max={CUSTOMER_MAX.contactPerson}
        label={t('form.contactPerson')}
        description={t('form.contactHint')}
        autoComplete="section-contact name"
      />
      <Copying
        words={t('form.sameName')}
        told={t('form.nameCopied')}
        disabled={form.values.name.trim() === ''}
        onCopy={() => form.change('contactPerson', form.values.name)}
      />
    </section>
  );
}

/** Fills fields from others; a screen reader announces it. */
function Copying(props: { words: string; told: string; disabled: boolean; onCopy(): void }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className={styles.copying}>
      <Button
        size="sm"
        variant="default"
        disabled={props.disabled}
        onClick={() => {
          props.onCopy();
          setCopied(true);
        }}
      >
        {props.words}
      </Button>
      <span className="fr-hidden" role="status">
        {copied ? props.told : ''}
      </span>
    </div>
  );
}
