/**
 * The programme form: the subject, where, when, places and price, and attendees who are already known. Used to write an
 * event and to edit one.
 */
import { EVENT_TYPES, PLACES_MAX } from '@fieldroom/contract/events';
import { Autocomplete, SegmentedControl, Textarea } from '@mantine/core';
import { type Icon, IconMapPin, IconUser, IconUsers, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ChoiceCards } from '../../../ui/controls/choices/ChoiceCards.tsx';
import field from '../../../ui/controls/fieldLabel.module.css';
import type { RowFaults } from '../attendees/attendeeInput.ts';
import { AttendeeRows } from '../attendees/AttendeeRows.tsx';
import { blocksOf, Description } from '../description/index.ts';
import { typeWords } from '../eventWords.ts';
import type { EventFormValues } from './formValues.ts';
import { PriceSection } from './PriceSection.tsx';
import { type EventFields, type FormInput, useEventFields } from './useEventFields.ts';
import { WhenSection, type WhenSectionProps } from './when/WhenSection.tsx';
import section from '../../../ui/sectionCard.module.css';
import styles from './EventForm.module.css';

export interface EventFormProps extends Omit<WhenSectionProps, 'fields' | 'repeatable'> {
  form: FormInput;
  names: readonly string[];
  addresses: readonly string[];
  /** Names of earlier places. */
  locations: readonly string[];
  /** Places that are already taken: the minimum. */
  taken?: number;
  /** Whether a repetition can be set: for a new event, and for one that is alone in its series. */
  repeatable?: boolean;
  disabled?: boolean;
}

/**
 * All sections of the form, without its buttons. `mode` is `new` or `edit`; attendees can be entered only for a new
 * event.
 */
export function EventForm({
  form,
  mode,
  names,
  addresses,
  locations,
  taken = 0,
  repeatable = mode === 'new',
  disabled = false,
  ...when
}: EventFormProps) {
  const fields = useEventFields(form);
  return (
    <fieldset className={styles.form} data-mode={mode} disabled={disabled}>
      <AboutSection fields={fields} names={names} />
      <WhereSection fields={fields} mode={mode} addresses={addresses} locations={locations} />
      <WhenSection fields={fields} mode={mode} repeatable={repeatable} {...when} />
      <PriceSection fields={fields} taken={taken} />
      {mode === 'new' ? <PeopleSection fields={fields} /> : null}
    </fieldset>
  );
}

const TYPES = {
  GROUP: { icon: IconUsers, hint: 'type.groupHint' },
  ONE_ON_ONE: { icon: IconUser, hint: 'type.oneToOneHint' },
} as const;

function AboutSection({ fields, names }: { fields: EventFields; names: readonly string[] }) {
  const { t } = useTranslation('events');
  const { values, errorOf, change } = fields;
  return (
    <section className={section.card} aria-labelledby="about-title">
      <h2 id="about-title">{t('form.about')}</h2>
      <EarlierText
        label={t('form.name')}
        earlier={names}
        value={values.eventName}
        error={errorOf('eventName')}
        onChange={(text) => change('eventName', text)}
      />
      <Textarea
        label={t('form.description')}
        description={t('form.descriptionHint')}
        autosize
        minRows={5}
        maxRows={20}
        value={values.description}
        error={errorOf('description')}
        onChange={(event) => change('description', event.currentTarget.value)}
      />
      <DescriptionPreview text={values.description} />
      <ChoiceCards
        label={t('form.type')}
        choices={EVENT_TYPES.map((type) => ({
          value: type,
          icon: TYPES[type].icon,
          name: typeWords(t, type),
          hint: t(TYPES[type].hint),
        }))}
        value={values.type}
        onChange={(type) => change('type', type)}
      />
    </section>
  );
}

/** The description as people will read it, if it is more than one paragraph. */
function DescriptionPreview({ text }: { text: string }) {
  const { t } = useTranslation('events');
  const blocks = blocksOf(text);
  if (blocks.length < 2) return null;
  return (
    <figure className={styles.preview}>
      <figcaption>{t('summary.title')}</figcaption>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={styles.previewText} tabIndex={0} role="group" aria-label={t('summary.title')}>
        <Description blocks={blocks} level="h3" />
      </div>
    </figure>
  );
}

interface WhereSectionProps {
  fields: EventFields;
  mode: EventFormProps['mode'];
  addresses: readonly string[];
  locations: readonly string[];
}

function WhereSection({ fields, mode, addresses, locations }: WhereSectionProps) {
  const { t } = useTranslation('events');
  const { values, errorOf, change } = fields;
  const labelId = `place-kind-${mode}`;
  return (
    <section className={section.card} aria-labelledby="where-title">
      <h2 id="where-title">{t('form.where')}</h2>
      <div className={styles.where}>
        <div>
          <span id={labelId} className={field.label}>
            {t('form.place')}
          </span>
          <SegmentedControl
            aria-labelledby={labelId}
            classNames={{ root: styles.segments ?? '', label: styles.segment ?? '' }}
            fullWidth
            value={values.isOnline ? 'online' : 'onsite'}
            data={[
              { value: 'online', label: <Segment icon={IconVideo} words={t('place.online')} /> },
              { value: 'onsite', label: <Segment icon={IconMapPin} words={t('place.onSite')} /> },
            ]}
            onChange={(kind) => change('isOnline', kind === 'online')}
          />
        </div>
        {values.isOnline ? (
          <p className={styles.onlineHint}>{t('form.onlineHint')}</p>
        ) : (
          <EarlierText
            label={t('form.location')}
            placeholder={t('form.locationExample')}
            earlier={locations}
            value={values.eventLocation}
            error={errorOf('eventLocation')}
            onChange={(text) => change('eventLocation', text)}
          />
        )}
      </div>
      {values.isOnline ? null : (
        <EarlierText
          label={t('form.address')}
          description={t('form.addressHint')}
          earlier={addresses}
          value={values.address}
          error={errorOf('address')}
          onChange={(text) => change('address', text)}
        />
      )}
    </section>
  );
}

function Segment({ icon: SegmentIcon, words }: { icon: Icon; words: string }) {
  return (
    <span className={styles.segmentWords}>
      <SegmentIcon size={20} stroke={1.75} aria-hidden />
      {words}
    </span>
  );
}

interface EarlierTextProps {
  label: string;
  description?: string;
  placeholder?: string;
  /** Texts of earlier events, suggested while typing. */
  earlier: readonly string[];
  value: string;
  error: string | null;
  onChange(text: string): void;
}

function EarlierText({ earlier, ...rest }: EarlierTextProps) {
  return (
    <Autocomplete
      data={[...new Set(earlier)].filter(Boolean)}
      limit={6}
      comboboxProps={{ withinPortal: false }}
      openOnFocus={false}
      autoComplete="off"
      {...rest}
    />
  );
}

type RowErrors = ({ [K in keyof RowFaults]?: { message?: string } } | undefined)[];

/** The faults of each row by field. */
const rowFaultsOf = (errors: RowErrors): RowFaults[] =>
  errors.map((row) => {
    const faults = Object.entries(row ?? {}).map(([name, fault]) => [name, fault?.message]);
    return Object.fromEntries(faults) as RowFaults;
  });

function PeopleSection({ fields: { values, errors, change } }: { fields: EventFields }) {
  const { t } = useTranslation('events');
  return (
    <section className={section.card} aria-labelledby="people-title">
      <h2 id="people-title">{t('form.people')}</h2>
      <p className={styles.lead}>{t('form.peopleHint')}</p>
      <AttendeeRows
        rows={values.attendees}
        faults={rowFaultsOf((errors.attendees ?? []) as unknown as RowErrors)}
        max={values.type === 'ONE_ON_ONE' ? 1 : PLACES_MAX}
        onChange={(rows: EventFormValues['attendees']) => change('attendees', rows)}
      />
    </section>
  );
}
