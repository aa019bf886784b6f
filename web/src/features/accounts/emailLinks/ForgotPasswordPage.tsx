/** Asks for an email with a link to a new password. */
import { zodResolver } from '@hookform/resolvers/zod';
import { reset } from '@fieldroom/contract/accounts';
import { SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { email } from '@fieldroom/contract/text';
import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiProblem, api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { AccountLayout } from '../frame/AccountLayout.tsx';
import { faultAt, FormFault } from '../forms/AccountFields.tsx';
import { showServerFaults } from '../../../platform/forms/serverFaults.ts';
import styles from '../frame/accounts.module.css';

// An empty field is reported as empty, not as an incomplete address.
const schema = z.strictObject({ email: z.pipe(z.string().check(z.trim(), z.minLength(1, 'required')), email) });

/**
 * Takes an email address and has the server send the link. The page then says the same whether or not the address has
 * an account (docs/product.md#3.7).
 */
export function ForgotPasswordPage() {
  const { t } = useTranslation('accounts');
  const [problem, setProblem] = useState<unknown>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<z.infer<typeof schema>>({ resolver: zodResolver(schema), defaultValues: { email: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    setProblem(null);
    try {
      await api.call(reset, { query: {}, body: { email: values.email } });
      setSentTo(values.email);
    } catch (fault) {
      if (fault instanceof ApiProblem && showServerFaults(form, fault, ['email'])) return;
      setProblem(fault);
    }
  });
  if (sentTo !== null) {
    return (
      <AccountLayout pageTitle={t('forgot.title')} title={t('forgot.doneTitle')}>
        <div className={styles.after} role="status">
          <p>{t('forgot.doneText', { email: sentTo })}</p>
          <Button component={Link} to={SIGN_IN_PAGE} variant="default">
            {t('toSignIn')}
          </Button>
        </div>
      </AccountLayout>
    );
  }
  return (
    <AccountLayout pageTitle={t('forgot.title')} title={t('forgot.title')} lead={t('forgot.lead')}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {problem ? <FormFault>{problemText(sayProblem, problem)}</FormFault> : null}
        <TextInput
          size="lg"
          type="email"
          inputMode="email"
          autoComplete="username"
          label={t('forgot.email')}
          error={faultAt('email', errors.email)}
          {...form.register('email')}
        />
        <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
          {t('forgot.submit')}
        </Button>
      </form>
      <p className={styles.under}>
        <Link to={SIGN_IN_PAGE} className={styles.link}>
          {t('toSignIn')}
        </Link>
      </p>
    </AccountLayout>
  );
}
