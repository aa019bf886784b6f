import { FORGOT_PASSWORD_PAGE, REGISTER_PAGE } from '@fieldroom/contract/pages';
import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FormEventHandler, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountLayout } from '../frame/AccountLayout.tsx';
import { PasswordField } from '../forms/AccountFields.tsx';
import styles from '../frame/accounts.module.css';

/** What react-hook-form passes to a field, or just its name. */
type Field = Pick<TextInputProps, 'onChange' | 'onBlur' | 'ref' | 'error'> & { name: string };

export interface SignInViewProps {
  title: ReactNode;
  lead: ReactNode;
  /** Above the fields: what to know before typing. */
  notices?: ReactNode;
  /** The progress while the form is sent, for screen readers. */
  status?: ReactNode;
  problems?: ReactNode;
  email: Field;
  password: Field;
  isSubmitting?: boolean;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  /** A part that appears later than the form. Its space is reserved, because a press on a moving element is lost. */
  later?: ReactNode;
  /** Prerendered, without knowing whether the page will be light or dark. */
  isDrawing?: boolean;
}

/** The view of the sign-in page. The build draws it too, so it needs words and addresses, but no data. */
export function SignInView({
  title,
  lead,
  notices,
  status,
  problems,
  email,
  password,
  isSubmitting = false,
  onSubmit,
  later,
  isDrawing,
}: SignInViewProps) {
  const { t } = useTranslation('accounts');
  return (
    <AccountLayout pageTitle={t('signIn.title')} title={title} lead={lead} isDrawing={isDrawing}>
      {/* The browser itself does not submit a form of this method, so no password ever gets into an address. */}
      <form className={styles.form} method="dialog" onSubmit={onSubmit} noValidate>
        {notices}
        <div role="status">{status}</div>
        {problems}
        <TextInput
          size="lg"
          type="email"
          inputMode="email"
          autoComplete="username"
          label={t('signIn.email')}
          {...email}
        />
        <div className={styles.field}>
          <PasswordField autoComplete="current-password" label={t('signIn.password')} {...password} />
          <Link to={FORGOT_PASSWORD_PAGE} className={styles.beside}>
            {t('signIn.forgot')}
          </Link>
        </div>
        <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
          {t('signIn.submit')}
        </Button>
      </form>
      <p className={styles.under}>
        {t('signIn.newHere')}{' '}
        <Link to={REGISTER_PAGE} className={styles.link}>
          {t('signIn.create')}
        </Link>
        . {t('signIn.free')}.
      </p>
      <div className={styles.later}>{later}</div>
    </AccountLayout>
  );
}
