/** The public page: its address, and its texts with a preview of how the page begins. */
import { fullName } from '@fieldroom/contract/names';
import { ABOUT_MAX, LINE_MAX } from '@fieldroom/contract/profile';
import { hostPage } from '@fieldroom/contract/pages';
import { Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { hintWithLeft } from '../../../platform/i18n/charactersLeft.ts';
import { PersonPicture } from '../../../ui/PersonPicture.tsx';
import { useCurrentUser } from '../../accounts/index.ts';
import { faultAt } from '../../accounts/forms/index.ts';
import { TherapistText } from '../../bookings/therapist/index.ts';
import { initialsOf } from '../me/PictureSection.tsx';
import { CopyField } from '../parts/CopyField.tsx';
import { FormFoot, Problem, Section } from '../parts/Section.tsx';
import { useSectionForm } from '../parts/useSectionForm.ts';
import { changeProfile, type Profile, savePage } from '../profileQueries.ts';
import { pageForm, pageOf, type PageTyped, type PageValues } from './pageForm.ts';
import '../../../ui/theme/voice.css';
import styles from '../Profile.module.css';

const addressOf = (slug: string) => `${window.location.origin}${hostPage(slug)}`;

/**
 * The section "Public page" of the profile (docs/product.md#3.19). A slug made from the name is suggested; a taken one
 * is refused at its field.
 */
export function PublicPageSection({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const queries = useQueryClient();
  const { changed: userChanged } = useCurrentUser();
  const { form, submit, problem, changed, saving, saved } = useSectionForm<PageTyped, PageValues>({
    schema: pageForm,
    stored: pageOf(profile),
    fields: ['slug', 'line', 'about'],
    async save(values) {
      const now = await savePage(values);
      const { slug: newSlug, line, about, proposedSlug } = now;
      await changeProfile(queries, { slug: newSlug, line, about, proposedSlug });
      userChanged();
      return pageOf(now);
    },
    onRefused({ code }, { setError }) {
      if (code !== 'slug_taken') return false;
      setError('slug', { message: 'taken' }, { shouldFocus: true });
      return true;
    },
  });
  const { errors } = form.formState;
  const typed = useWatch({ control: form.control });
  const slug = (typed.slug ?? '').trim();
  const offered = slug !== profile.proposedSlug && profile.slug !== profile.proposedSlug;
  return (
    <Section id="my-page" title={t('page.title')} lead={t('page.lead')}>
      <CopyField label={t('page.address')} address={addressOf(profile.slug)}>
        <a className={styles.link} href={hostPage(profile.slug)} target="_blank" rel="noopener">
          {t('page.see')}
        </a>
      </CopyField>
      <form className={styles.form} onSubmit={submit} noValidate aria-label={t('page.title')}>
        <div>
          <TextInput
            label={t('page.slug')}
            description={
              slug === profile.slug || slug === ''
                ? t('page.slugHint', { example: t('page.slugExample') })
                : `${addressOf(slug).replace(/^https?:\/\//, '')} · ${t('page.slugMoved')}`
            }
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            error={errors.slug?.message === 'taken' ? sayProblem('problem.slug_taken') : faultAt('slug', errors.slug)}
            {...form.register('slug')}
          />
          {offered ? (
            <p className={styles.proposal}>
              <button
                type="button"
                className={styles.linkButton}
                onClick={() => form.setValue('slug', profile.proposedSlug, { shouldDirty: true, shouldValidate: true })}
              >
                {t('page.propose', { slug: profile.proposedSlug })}
              </button>
            </p>
          ) : null}
        </div>
        <TextInput
          label={t('page.line')}
          description={hintWithLeft(sayProblem, t('page.lineHint'), typed.line ?? '', LINE_MAX)}
          autoComplete="off"
          error={faultAt('line', errors.line)}
          {...form.register('line')}
        />
        <Textarea
          label={t('page.about')}
          description={hintWithLeft(sayProblem, t('page.aboutHint'), typed.about ?? '', ABOUT_MAX)}
          autosize
          minRows={5}
          maxRows={16}
          error={faultAt('about', errors.about)}
          {...form.register('about')}
        />
        <Preview profile={profile} line={typed.line ?? ''} about={typed.about ?? ''} />
        <Problem fault={problem} />
        <FormFoot done={saved ? t('page.saved') : null} changed={changed} saving={saving} />
      </form>
    </Section>
  );
}

/** The beginning of the public page, with the typed texts. */
function Preview({ profile, line, about }: { profile: Profile; line: string; about: string }) {
  const { t } = useTranslation('profile');
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.label}>{t('page.preview')}</figcaption>
      <div className={styles.preview}>
        <div className={styles.previewHead}>
          <PersonPicture picture={profile.picture} initials={initialsOf(profile)} size={72} />
          <div>
            <p className={`fr-voice ${styles.previewName}`}>{fullName(currentLanguage(), profile)}</p>
            {line.trim() === '' ? null : <p className={styles.previewLine}>{line}</p>}
          </div>
        </div>
        {about.trim() === '' ? null : (
          <div className={styles.previewText}>
            <TherapistText text={about} />
          </div>
        )}
      </div>
    </figure>
  );
}
