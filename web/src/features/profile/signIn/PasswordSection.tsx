/** The change of the password, by somebody who knows the current one. */
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentPasswordFault, faultAt, PasswordField } from '../../accounts/forms/index.ts';
import { FormFoot, Problem, Section } from '../parts/Section.tsx';
import { useSectionForm } from '../parts/useSectionForm.ts';
import { changePassword, profileQueries } from '../profileQueries.ts';
import { EMPTY_PASSWORDS, passwordForm, type PasswordTyped, type PasswordValues } from './passwordForm.ts';
import styles from '../Profile.module.css';

/**
 * The section "Password" of the profile (docs/product.md#3.24). `email` tells password managers whose password it is.
 */
export function PasswordSection({ email }: { email: string }) {
  const { t } = useTranslation('profile');
  const queries = useQueryClient();
  const { form, submit, problem, changed, saving, saved } = useSectionForm<PasswordTyped, PasswordValues>({
    schema: passwordForm,
    stored: EMPTY_PASSWORDS,
    fields: ['current', 'password'],
    async save({ current, password }) {
      await changePassword({ current, password });
      // All others are signed out.
      void queries.invalidateQueries({ queryKey: profileQueries.devices().queryKey });
      return EMPTY_PASSWORDS;
    },
    onRefused({ code }, { setError }) {
      if (code === 'password_too_common') setError('password', { message: 'too_common' }, { shouldFocus: true });
      else if (code === 'current_password_wrong') setError('current', { message: 'wrong' }, { shouldFocus: true });
      else return false;
      return true;
    },
  });
  const { errors } = form.formState;
  return (
    <Section id="my-password" title={t('password.title')} lead={t('password.lead')}>
      <form className={styles.form} onSubmit={submit} noValidate aria-label={t('password.title')}>
        {/* Tells password managers whose password it is. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          size="sm"
          autoComplete="current-password"
          label={t('password.current')}
          error={currentPasswordFault(errors.current)}
          {...form.register('current')}
        />
        <div className={styles.two}>
          <PasswordField
            size="sm"
            autoComplete="new-password"
            label={t('password.password')}
            description={t('password.passwordHint')}
            error={faultAt('password', errors.password)}
            {...form.register('password')}
          />
          <PasswordField
            size="sm"
            autoComplete="new-password"
            label={t('password.confirm')}
            error={faultAt('confirm', errors.confirm)}
            {...form.register('confirm')}
          />
        </div>
        <Problem fault={problem} />
        <FormFoot
          done={saved ? t('password.saved') : null}
          changed={changed}
          saving={saving}
          save={t('password.submit')}
        />
      </form>
    </Section>
  );
}
