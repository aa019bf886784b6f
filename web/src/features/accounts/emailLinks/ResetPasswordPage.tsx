/** The page behind an emailed link, where a new password is chosen. */
import { zodResolver } from '@hookform/resolvers/zod';
import { changePassword, checkPasswordToken } from '@fieldroom/contract/accounts';
import { password } from '@fieldroom/contract/credentials';
import { FORGOT_PASSWORD_PAGE, SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiProblem, api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { AccountLayout } from '../frame/AccountLayout.tsx';
import { faultAt, FormFault, PasswordField } from '../forms/AccountFields.tsx';
import { takeFragmentToken } from '../../../platform/links/fragmentToken.ts';
import { showServerFaults } from '../../../platform/forms/serverFaults.ts';
import styles from '../frame/accounts.module.css';

const schema = z.strictObject({ password, confirm: z.string().check(z.minLength(1, 'required')) }).check(
  z.refine((values) => values.confirm.normalize('NFKC') === values.password, {
    message: 'mismatch',
    path: ['confirm'],
  }),
);

type State =
  | { kind: 'checking' }
  | { kind: 'form'; token: string }
  | { kind: 'done' }
  | { kind: 'failed' }
  | { kind: 'fault'; token: string; fault: unknown };

/**
 * Takes the token out of the address bar (docs/product.md#3.9), checks it, and sets the password. A used or expired
 * link leads to a new email; after a connection fault the check can be repeated.
 */
export function ResetPasswordPage() {
  const { t } = useTranslation('accounts');
  const { t: tc } = useTranslation('common');
  const [state, setState] = useState<State>({ kind: 'checking' });
  const [problem, setProblem] = useState<unknown>(null);
  const taken = useRef(false);
  const form = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { password: '', confirm: '' },
  });
  const { errors, isSubmitting } = form.formState;

  const check = (token: string) => {
    setState({ kind: 'checking' });
    api.call(checkPasswordToken, { query: {}, body: { token } }).then(
      () => setState({ kind: 'form', token }),
      (fault: unknown) =>
        setState(
          fault instanceof ApiProblem && fault.code === 'link_invalid'
            ? { kind: 'failed' }
            : { kind: 'fault', token, fault },
        ),
    );
  };
  useEffect(() => {
    if (taken.current) return;
    taken.current = true;
    const token = takeFragmentToken();
    if (token) check(token);
    else setState({ kind: 'failed' });
  }, []);

  const submit = form.handleSubmit(async (values) => {
    if (state.kind !== 'form') return;
    setProblem(null);
    try {
      await api.call(changePassword, { body: { token: state.token, password: values.password } });
      setState({ kind: 'done' });
    } catch (fault) {
      if (!(fault instanceof ApiProblem)) return setProblem(fault);
      if (fault.code === 'link_invalid') return setState({ kind: 'failed' });
      if (fault.code === 'password_too_common')
        return form.setError('password', { message: 'too_common' }, { shouldFocus: true });
      if (!showServerFaults(form, fault, ['password'])) setProblem(fault);
    }
  });

  switch (state.kind) {
    case 'checking':
      return (
        <AccountLayout pageTitle={t('reset.title')} title={t('reset.title')} lead={t('reset.checking')}>
          <div role="status" />
        </AccountLayout>
      );
    case 'fault':
      return (
        <AccountLayout pageTitle={t('reset.title')} title={t('reset.title')}>
          <div className={styles.after} role="alert">
            <p>{problemText(sayProblem, state.fault)}</p>
            <Button variant="default" onClick={() => check(state.token)}>
              {tc('tryAgain')}
            </Button>
          </div>
        </AccountLayout>
      );
    case 'failed':
      return (
        <AccountLayout pageTitle={t('reset.title')} title={t('reset.failedTitle')}>
          <div className={styles.after} role="alert">
            <p>{t('reset.failedText')}</p>
            <Button component={Link} to={FORGOT_PASSWORD_PAGE}>
              {t('reset.again')}
            </Button>
          </div>
        </AccountLayout>
      );
    case 'done':
      return (
        <AccountLayout pageTitle={t('reset.title')} title={t('reset.doneTitle')}>
          <div className={styles.after} role="status">
            <p>{t('reset.doneText')}</p>
            <Button component={Link} to={SIGN_IN_PAGE} size="lg">
              {t('signIn.submit')}
            </Button>
          </div>
        </AccountLayout>
      );
    case 'form':
      return (
        <AccountLayout pageTitle={t('reset.title')} title={t('reset.title')} lead={t('reset.lead')}>
          <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
            {problem ? <FormFault>{problemText(sayProblem, problem)}</FormFault> : null}
            <PasswordField
              autoComplete="new-password"
              label={t('reset.password')}
              description={t('register.passwordHint')}
              error={faultAt('password', errors.password)}
              {...form.register('password')}
            />
            <PasswordField
              autoComplete="new-password"
              label={t('reset.confirm')}
              error={faultAt('confirm', errors.confirm)}
              {...form.register('confirm')}
            />
            <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
              {t('reset.submit')}
            </Button>
          </form>
        </AccountLayout>
      );
  }
}
