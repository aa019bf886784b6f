import { verify } from '@fieldroom/contract/accounts';
import { REGISTER_PAGE, SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem, api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { storage } from '../../../platform/storage.ts';
import { AccountLayout } from '../frame/AccountLayout.tsx';
import { FormFault } from '../forms/AccountFields.tsx';
import { takeFragmentToken } from '../../../platform/links/fragmentToken.ts';
import styles from '../frame/accounts.module.css';

type State =
  | { kind: 'opening' }
  | { kind: 'asking'; token: string }
  | { kind: 'done' }
  | { kind: 'missing' }
  | { kind: 'invalid' };

/**
 * The page behind the link in the email that verifies an address. Only the button verifies: programs that look through
 * emails open links and run scripts, and must not verify an account that a stranger registered.
 */
export function VerifyPage() {
  const { t } = useTranslation('accounts');
  const [state, setState] = useState<State>({ kind: 'opening' });
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const taken = useRef(false);
  useEffect(() => {
    // The token is taken out of the address: a second run of this effect finds none there.
    if (taken.current) return;
    taken.current = true;
    const token = takeFragmentToken();
    setState(token ? { kind: 'asking', token } : { kind: 'missing' });
  }, []);

  const confirm = async (token: string) => {
    setIsBusy(true);
    setProblem(null);
    try {
      const { email } = await api.call(verify, { query: {}, body: { token } });
      // The email may have been opened on another device than the one that registered.
      storage.setText('registeredEmail', email);
      setState({ kind: 'done' });
    } catch (fault) {
      if (fault instanceof ApiProblem && fault.code === 'link_invalid') setState({ kind: 'invalid' });
      else setProblem(fault);
    } finally {
      setIsBusy(false);
    }
  };

  switch (state.kind) {
    case 'opening':
      return (
        <AccountLayout pageTitle={t('verify.title')} title={t('verify.title')}>
          <div role="status" />
        </AccountLayout>
      );
    case 'asking':
      return (
        <AccountLayout pageTitle={t('verify.title')} title={t('verify.askTitle')} lead={t('verify.askText')}>
          <div className={styles.after}>
            {problem ? <FormFault>{problemText(sayProblem, problem)}</FormFault> : null}
            <Button size="lg" loading={isBusy} onClick={() => void confirm(state.token)}>
              {t('verify.confirm')}
            </Button>
            <p>{t('verify.askHint')}</p>
          </div>
        </AccountLayout>
      );
    case 'done':
      return (
        <AccountLayout pageTitle={t('verify.title')} title={t('verify.doneTitle')}>
          <div className={styles.after} role="status">
            <p>{t('verify.doneText')}</p>
            <Button component={Link} to={SIGN_IN_PAGE} size="lg">
              {t('verify.submit')}
            </Button>
          </div>
        </AccountLayout>
      );
    case 'missing':
    case 'invalid':
      return (
        <AccountLayout pageTitle={t('verify.title')} title={t('verify.failedTitle')}>
          <div className={styles.after}>
            <p role="alert">
              {state.kind === 'missing' ? t('verify.missing') : problemText(sayProblem, new ApiProblem('link_invalid'))}
            </p>
            <p>{t('verify.failedHint')}</p>
            <Button component={Link} to={SIGN_IN_PAGE} variant="default">
              {t('verify.submit')}
            </Button>
            <Link to={REGISTER_PAGE} className={styles.link}>
              {t('verify.again')}
            </Link>
          </div>
        </AccountLayout>
      );
  }
}
