import { verify } from '@fieldroom/contract/accounts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../platform/api/index.ts';
import { sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { AccountLayout } from './AccountLayout.tsx';
import { takeFragmentToken } from '../../platform/fragment-token.ts';
import styles from './accounts.module.css';

type Outcome = { kind: 'busy' } | { kind: 'done' } | { kind: 'missing' } | { kind: 'failed'; fault: unknown };

export function VerifyPage() {
  const { t } = useTranslation('accounts');
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'busy' });
  const asked = useRef(false);
  useEffect(() => {
    // The token works once: a second run of this effect must not spend it again.
    if (asked.current) return;
    asked.current = true;
    const token = takeFragmentToken();
    if (!token) return setOutcome({ kind: 'missing' });
    api.call(verify, { query: { token } }).then(
      () => setOutcome({ kind: 'done' }),
      (fault: unknown) => setOutcome({ kind: 'failed', fault }),
    );
  }, []);

  if (outcome.kind === 'busy')
    return (
      <AccountLayout pageTitle={t('verify.title')} title={t('verify.busy')}>
        <div role="status" />
      </AccountLayout>
    );
  if (outcome.kind === 'done') {
    return (
      <AccountLayout pageTitle={t('verify.title')} title={t('verify.doneTitle')}>
        <div className={styles.after} role="status">
          <p>{t('verify.doneText')}</p>
          <Button component={Link} to="/user/login" size="lg">
            {t('verify.submit')}
          </Button>
        </div>
      </AccountLayout>
    );
  }
  return (
    <AccountLayout pageTitle={t('verify.title')} title={t('verify.failedTitle')}>
      <div className={styles.after}>
        <p role="alert">{outcome.kind === 'missing' ? t('verify.missing') : problemText(sayProblem, outcome.fault)}</p>
        <p>{t('verify.failedHint')}</p>
        <Button component={Link} to="/user/register" variant="default">
          {t('verify.again')}
        </Button>
        <Link to="/user/login" className={styles.link}>
          {t('toSignIn')}
        </Link>
      </div>
    </AccountLayout>
  );
}
