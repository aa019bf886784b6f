/** The programme form: what it is about, where, when, places and price, and who comes already. Used to write an event and to edit one. */
import { EVENT_TYPES, YEARS_AHEAD_MAX } from '@fieldroom/contract/events.rules';
import type { Language } from '@fieldroom/contract/text';
import { Autocomplete, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { IconMapPin, IconUser, IconUsers, IconVideo } from '@tabler/icons-react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../platform/i18n/app.ts';
import field from '../../ui/Field.module.css';
import { AttendeeRows } from './AttendeeRows.tsx';
import type { RowFaults } from './attendees.ts';
import type { Clash } from './clashes.ts';
import { DaysField } from './DaysField.tsx';
import type { EventFormValues, FormField } from './events.form.ts';
import { CURRENCY_CODES, parsePrice, parseTime, typedPrice } from './events.format.ts';
import { monthPlus } from './repetition.ts';
import { Repetition } from './Repetition.tsx';
import { dayAt } from './wall-clock.ts';
import { cityWords, faultWords, type Say, typeWords } from './words.ts';
import styles from './EventForm.module.css';

/** Faults that stand or fall with another field are judged again with it. */
const TOGETHER: Partial<Record<keyof EventFormValues, readonly FormField[]>> = {
  startTime: ['endTime'],
  isOnline: ['eventLocation', 'address'],
  type: ['maximumParticipant'],
  currency: ['price'],
  timeZone: ['dates'],
  attendees: ['maximumParticipant'],
  dates: ['repeat', 'occasions'],
  unit: ['occasions'],
  frequency: ['occasions'],
  removed: ['occasions'],
};

const choicesOf = new Map<Language, { value: string; label: string }[]>();
/** All zones by city, and the one that is set even where this browser does not list it. Some 400, so made once a language. */
function zoneChoices(t: Say, language: Language, set: string): { value: string; label: string }[] {
  const choice = (zone: string) => ({
    value: zone,
    label: zone.includes('/') ? `${cityWords(t, zone)} (${zone})` : zone,
  });
  let choices = choicesOf.get(language);
  if (!choices) {
    choices = Intl.supportedValuesOf('timeZone').map(choice);
    choicesOf.set(language, choices);
  }
  return choices.some(({ value }) => value === set) ? choices : [choice(set), ...choices];
}

export interface EventFormProps {
  form: UseFormReturn<EventFormValues>;
  mode: 'new' | 'edit';
  /** Product time in ms, for what is past. */
  now: number;
  /** One for each occurrence. */
  clashes: readonly (Clash | null)[];
  /** Days of the therapist's other events, with their names. */
  marked: ReadonlyMap<string, string>;
  /** Days of the first occurrence that fall into something else. */
  clashing: ReadonlySet<string>;
  names: readonly string[];
  addresses: readonly string[];
  /** Places that are taken already, which fewer may not be than. */
  taken?: number;
  /** Whether a repetition can be set: for a new event, and for one that is alone in its series. */
  repeatable?: boolean;
  disabled?: boolean;
}

export function EventForm({
  form,
  mode,
  now,
  clashes,
  marked,
  clashing,
  names,
  addresses,
  taken = 0,
  repeatable = mode === 'new',
  disabled = false,
}: EventFormProps) {
  const { t } = useTranslation('events');
  const language = currentLanguage();
  const values = form.watch();
  const { errors, isSubmitted } = form.formState;
  const faultOf = (field: FormField) => (errors[field] as { message?: string } | undefined)?.message;
  const errorOf = (field: FormField) => faultWords(t, field, faultOf(field));
  const change = <K extends keyof EventFormValues>(name: K, value: EventFormValues[K]) => {
    form.setValue(name, value as never, { shouldDirty: true, shouldTouch: true });
    if (isSubmitted) void form.trigger([name, ...(TOGETHER[name] ?? [])] as (keyof EventFormValues)[]);
  };
  const tidy = (name: 'startTime' | 'endTime') => {
    const time = parseTime(values[name]);
    if (time !== null && time !== values[name]) change(name, time);
  };
  const tidyPrice = () => {
    const price = parsePrice(values.price, values.currency, language);
    if (price !== null) change('price', typedPrice(price, values.currency, language));
  };
  const zones = zoneChoices(t, language, values.timeZone);
  const today = dayAt(now, values.timeZone);
  const rowFaults = (
    (errors.attendees ?? []) as unknown as ({ [K in keyof RowFaults]?: { message?: string } } | undefined)[]
  ).map(
    (row) => Object.fromEntries(Object.entries(row ?? {}).map(([name, fault]) => [name, fault?.message])) as RowFaults,
  );

  return (
    <fieldset className={styles.form} data-mode={mode} disabled={disabled}>
      <section className={styles.card} aria-labelledby="about-title">
        <h2 id="about-title">{t('form.about')}</h2>
        <Autocomplete
          label={t('form.name')}
          data={[...new Set(names)]}
          limit={6}
          comboboxProps={{ withinPortal: false }}
          openOnFocus={false}
          autoComplete="off"
          value={values.eventName}
          error={errorOf('eventName')}
          onChange={(text) => change('eventName', text)}
        />
        <Textarea
          label={t('form.description')}
          autosize
          minRows={5}
          maxRows={20}
          value={values.description}
          error={errorOf('description')}
          onChange={(event) => change('description', event.currentTarget.value)}
        />
        <div className={styles.types} role="radiogroup" aria-label={t('form.type')}>
          {EVENT_TYPES.map((type) => (
            <label key={type} className={styles.type}>
              <input
                type="radio"
                name={`event-type-${mode}`}
                value={type}
                checked={values.type === type}
                onChange={() => change('type', type)}
              />
              {type === 'GROUP' ? (
                <IconUsers size={22} stroke={1.75} aria-hidden />
              ) : (
                <IconUser size={22} stroke={1.75} aria-hidden />
              )}
              <span>
                <span className={styles.typeName}>{typeWords(t, type)}</span>
                <span className={styles.typeHint}>{t(type === 'GROUP' ? 'type.groupHint' : 'type.oneToOneHint')}</span>
              </span>
            </label>
          ))}
        </div>
      </section>

      <section className={styles.card} aria-labelledby="where-title">
        <h2 id="where-title">{t('form.where')}</h2>
        <div className={styles.where}>
          <div>
            <span id={`place-kind-${mode}`} className={field.label}>
              {t('form.place')}
            </span>
            <SegmentedControl
              aria-labelledby={`place-kind-${mode}`}
              classNames={{ root: styles.segments ?? '', label: styles.segment ?? '' }}
              fullWidth
              value={values.isOnline ? 'online' : 'onsite'}
              data={[
                {
                  value: 'online',
                  label: (
                    <span className={styles.segmentWords}>
                      <IconVideo size={20} stroke={1.75} aria-hidden />
                      {t('place.online')}
                    </span>
                  ),
                },
                {
                  value: 'onsite',
                  label: (
                    <span className={styles.segmentWords}>
                      <IconMapPin size={20} stroke={1.75} aria-hidden />
                      {t('place.onSite')}
                    </span>
                  ),
                },
              ]}
              onChange={(kind) => change('isOnline', kind === 'online')}
            />
          </div>
          {values.isOnline ? (
            <p className={styles.onlineHint}>{t('form.onlineHint')}</p>
          ) : (
            <TextInput
              label={t('form.location')}
              placeholder={t('form.locationExample')}
              autoComplete="off"
              value={values.eventLocation}
              error={errorOf('eventLocation')}
              onChange={(event) => change('eventLocation', event.currentTarget.value)}
            />
          )}
        </div>
        {values.isOnline ? null : (
          <Autocomplete
            label={t('form.address')}
            description={t('form.addressHint')}
            data={[...new Set(addresses)].filter(Boolean)}
            limit={6}
            comboboxProps={{ withinPortal: false }}
            openOnFocus={false}
            autoComplete="off"
            value={values.address}
            error={errorOf('address')}
            onChange={(text) => change('address', text)}
          />
        )}
      </section>

      <section className={styles.card} aria-labelledby="when-title">
        <h2 id="when-title">{t('form.when')}</h2>
        <div className={styles.when}>
          <DaysField
            language={language}
            days={values.dates}
            today={today}
            {...(mode === 'new' ? { from: today } : {})}
            to={monthPlus(today, YEARS_AHEAD_MAX * 12)}
            marked={marked}
            clashing={clashing}
            error={errorOf('dates')}
            onChange={(days) => change('dates', days)}
          />
          {(['startTime', 'endTime'] as const).map((name) => (
            <TextInput
              key={name}
              label={t(`form.${name}`)}
              placeholder={name === 'startTime' ? '09:30' : '17:00'}
              autoComplete="off"
              maxLength={8}
              value={values[name]}
              error={errorOf(name)}
              onChange={(event) => change(name, event.currentTarget.value)}
              onBlur={() => tidy(name)}
            />
          ))}
        </div>
        <Select
          label={t('form.timeZone')}
          description={t('form.timeZoneHint')}
          data={zones}
          searchable
          limit={60}
          nothingFoundMessage={t('form.timeZoneNone')}
          value={values.timeZone}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          error={errorOf('timeZone')}
          onChange={(zone) => zone && change('timeZone', zone)}
        />
        {repeatable ? (
          <Repetition language={language} values={values} clashes={clashes} change={change} errorOf={errorOf} />
        ) : null}
      </section>

      <section className={styles.card} aria-labelledby="places-title">
        <h2 id="places-title">{t('form.placesAndPrice')}</h2>
        <div className={styles.price}>
          {values.type === 'ONE_ON_ONE' ? (
            <TextInput
              label={t('form.places')}
              description={t('form.onePlace')}
              value="1"
              disabled
              error={errorOf('maximumParticipant')}
            />
          ) : (
            <TextInput
              label={t('form.places')}
              {...(taken > 0 ? { description: t('form.taken', { count: taken }) } : {})}
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              value={values.maximumParticipant}
              error={errorOf('maximumParticipant')}
              onChange={(event) => change('maximumParticipant', event.currentTarget.value)}
            />
          )}
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

      {mode === 'new' ? (
        <section className={styles.card} aria-labelledby="people-title">
          <h2 id="people-title">{t('form.people')}</h2>
          <p className={styles.lead}>{t('form.peopleHint')}</p>
          <AttendeeRows
            rows={values.attendees}
            faults={rowFaults}
            max={values.type === 'ONE_ON_ONE' ? 1 : 500}
            onChange={(rows) => change('attendees', rows)}
          />
        </section>
      ) : null}
    </fieldset>
  );
}
