import { zodResolver } from '@hookform/resolvers/zod';
import { getPublicConfig, login, type PublicConfig } from '@fieldroom/contract/accounts';
import { Button, TextInput } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { safeReturnUrl } from '../../guards.ts';
import { ApiProblem, api } from '../../platform/api/index.ts';
import { sayProblem, switchLanguage } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { AccountLayout } from './AccountLayout.tsx';
import { faultAt, FormFault, FormNotice, PasswordField } from './Fields.tsx';
import { showServerFaults } from './server-faults.ts';
import styles from './accounts.module.css';

const schema = login.body as NonNullable<typeof login.body>;
type Values = z.infer<typeof schema>;

export function SignInPage() {
  const { t } = useTranslation('accounts');
  const { returnUrl, ended } = useSearch({ from: '/user/login' });
  const navigate = useNavigate();
  const [problem, setProblem] = useState<unknown>(null);
  const [demo, setDemo] = useState<PublicConfig['demo']>(null);
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: { email: '', password: '' } });
  const { errors, isSubmitting } = form.formState;

  // Somebody who is signed in already need not do it twice.
  const user = storage.get('user');
  const signedIn =
    user !== null &&
    user.authorities[0] !== 'ROLE_CLIENT' &&
    storage.getText('token') !== null &&
    storage.get('therapist') !== null;
  useEffect(() => {
    if (signedIn) void navigate({ to: safeReturnUrl(returnUrl), replace: true });
  }, [signedIn, returnUrl, navigate]);

  useEffect(() => {
    const leaving = new AbortController();
    // Without the answer the page works as it is; only the hint for the demo is missing.
    api.call(getPublicConfig, { signal: leaving.signal }).then(
      (config) => setDemo(config.demo),
      () => {},
    );
    return () => leaving.abort();
  }, []);

  const submit = form.handleSubmit(async (values) => {
    setProblem(null);
    try {
      const signIn = await api.call(login, { body: values });
      keepSignIn(storage, signIn);
      if (storage.getText('language') === null) await switchLanguage(signIn.user.language);
      await navigate({ to: safeReturnUrl(returnUrl), replace: true });
    } catch (fault) {
      if (fault instanceof ApiProblem && showServerFaults(form, fault, ['email', 'password'])) return;
      setProblem(fault);
    }
  });

  return (
    <AccountLayout pageTitle={t('signIn.title')} title={t('signIn.greeting')} lead={t('signIn.lead')}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {ended ? <FormNotice>{t('signIn.ended')}</FormNotice> : null}
        {demo ? (
          <FormNotice>
            {t('signIn.demo', { email: demo.email })}{' '}
            <button
              type="button"
              className={styles.plainButton}
              onClick={() => {
                form.setValue('email', demo.email, { shouldValidate: true });
                form.setValue('password', demo.password, { shouldValidate: true });
              }}
            >
              {t('signIn.demoUse')}
            </button>
          </FormNotice>
        ) : null}
        {problem ? <FormFault>{problemText(sayProblem, problem)}</FormFault> : null}
        <TextInput
          size="lg"
          type="email"
          inputMode="email"
          autoComplete="username"
          label={t('signIn.email')}
          error={faultAt('email', errors.email)}
          {...form.register('email')}
        />
        <div className={styles.field}>
          <PasswordField
            autoComplete="current-password"
            label={t('signIn.password')}
            error={faultAt('password', errors.password)}
            {...form.register('password')}
          />
          <Link to="/user/forgot-password" className={styles.beside}>
            {t('signIn.forgot')}
          </Link>
        </div>
        <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
          {t('signIn.submit')}
        </Button>
      </form>
      <p className={styles.under}>
        {t('signIn.newHere')}{' '}
        <Link to="/user/register" className={styles.link}>
          {t('signIn.create')}
        </Link>
        , {t('signIn.free')}
      </p>
    </AccountLayout>
  );
}
