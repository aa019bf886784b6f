/** The person: name, gender (optional), language and time zone. */
import { GENDERS } from '@fieldroom/contract/profile';
import { inNameOrder } from '@fieldroom/contract/names';
import { Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { currentLanguage, switchLanguage } from '../../../platform/i18n/app.ts';
import { LANGUAGES } from '../../../platform/i18n/languages.ts';
import { useCurrentUser } from '../../accounts/index.ts';
import { faultAt } from '../../accounts/forms/index.ts';
import { cityWords, zoneChoices } from '../../events/form/index.ts';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { FormFoot, Problem, Section } from '../parts/Section.tsx';
import { useSectionForm } from '../parts/useSectionForm.ts';
import { changeProfile, type Profile, saveMe } from '../profileQueries.ts';
import { meForm, meOf, type MeTyped, type MeValues } from './meForm.ts';
import styles from '../Profile.module.css';

/** Field and its autofill token. */
type NameField = readonly ['firstName' | 'lastName', string];
const FIRST_NAME: NameField = ['firstName', 'given-name'];
const FAMILY_NAME: NameField = ['lastName', 'family-name'];
/** The possible answers; the last is "prefer not to say". */
const ANSWERS = [...GENDERS, ''] as const;

/**
 * The section "You" of the profile (docs/product.md#3.17). Another language is shown at once after saving. The
 * browser's time zone is suggested if another one is set.
 */
export function MeSection({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const { changed: userChanged } = useCurrentUser();
  const queries = useQueryClient();
  const { form, submit, problem, changed, saving, saved } = useSectionForm<MeTyped, MeValues>({
    schema: meForm,
    stored: meOf(profile),
    fields: ['firstName', 'lastName', 'gender', 'language', 'timeZone'],
    async save(values) {
      const now = await saveMe(values);
      const { firstName, lastName, gender, language, timeZone, proposedSlug } = now;
      await changeProfile(queries, { firstName, lastName, gender, language, timeZone, proposedSlug });
      userChanged();
      if (now.language !== currentLanguage()) await switchLanguage(now.language);
      return meOf(now);
    },
  });
  const { errors } = form.formState;
  return (
    <Section id="my-me" title={t('me.title')} lead={t('me.lead')}>
      <form className={styles.form} onSubmit={submit} noValidate aria-label={t('me.title')}>
        <div className={styles.two}>
          {inNameOrder(currentLanguage(), FIRST_NAME, FAMILY_NAME).map(([name, autoComplete]) => (
            <TextInput
              key={name}
              autoComplete={autoComplete}
              label={t(`me.${name}`)}
              error={faultAt(name, errors[name])}
              {...form.register(name)}
            />
          ))}
        </div>
        <fieldset className={styles.choices} aria-describedby="gender-hint">
          <legend>{t('me.gender')}</legend>
          <div>
            {ANSWERS.map((gender) => (
              <label key={gender}>
                <input type="radio" value={gender} {...form.register('gender')} />
                <span>{t(`me.${gender === '' ? 'unsaid' : gender}`)}</span>
              </label>
            ))}
          </div>
          <p id="gender-hint" className={styles.hint}>
            {t('me.genderHint')}
          </p>
        </fieldset>
        <div className={styles.two}>
          <Controller
            control={form.control}
            name="language"
            render={({ field }) => (
              <Select
                label={t('me.language')}
                description={t('me.languageHint')}
                data={LANGUAGES.map(({ code, label }) => ({ value: code, label }))}
                allowDeselect={false}
                comboboxProps={{ withinPortal: false }}
                error={faultAt('language', errors.language)}
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
              />
            )}
          />
          <Controller
            control={form.control}
            name="timeZone"
            render={({ field }) => (
              <TimeZone
                value={field.value}
                error={faultAt('timeZone', errors.timeZone)}
                onChange={field.onChange}
                onBlur={field.onBlur}
              />
            )}
          />
        </div>
        <Problem fault={problem} />
        <FormFoot done={saved ? t('me.saved') : null} changed={changed} saving={saving} />
      </form>
    </Section>
  );
}

interface TimeZoneProps {
  value: string;
  error: string | null;
  onChange(zone: string): void;
  onBlur(): void;
}

/** All zones to search; the browser's own is suggested if another one is set. */
function TimeZone({ value, error, onChange, onBlur }: TimeZoneProps) {
  const { t } = useTranslation('profile');
  const own = browserZone();
  return (
    <div>
      <Select
        label={t('me.timeZone')}
        description={t('me.timeZoneHint')}
        data={zoneChoices(currentLanguage(), value)}
        searchable
        limit={60}
        nothingFoundMessage={t('me.timeZoneNone')}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        error={error}
        value={value}
        onChange={(zone) => zone && onChange(zone)}
        onBlur={onBlur}
      />
      {own === value ? null : (
        <p className={styles.proposal}>
          {t('me.timeZoneProposed', { zone: cityWords(own) })}{' '}
          <button type="button" className={styles.linkButton} onClick={() => onChange(own)}>
            {t('me.timeZoneTake')}
          </button>
        </p>
      )}
    </div>
  );
}
