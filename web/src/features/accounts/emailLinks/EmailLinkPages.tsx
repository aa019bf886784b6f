/**
 * The pages behind the links about another email address: one confirms it, one takes it back (docs/product.md#3.25).
 * Only the button acts: programs that look through emails open links and run scripts.
 */
import { PROFILE_PAGE, RESET_PASSWORD_PAGE, SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { confirmEmail, restoreEmail } from '@fieldroom/contract/profile';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem, api } from '../../../platform/api/index.ts';
import { takeFragmentToken } from '../../../platform/links/fragmentToken.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { AccountLayout } from '../frame/AccountLayout.tsx';
import { FormFault } from '../forms/AccountFields.tsx';
import styles from '../frame/accounts.module.css';

/** Refusals after which pressing the button again is of no use. */
const FINAL: ReadonlySet<string> = new Set(['link_invalid', 'email_taken']);

type State<Reply> =
  | { kind: 'opening' }
  | { kind: 'asking'; token: string }
  | { kind: 'done'; reply: Reply }
  /** Without a refusal, the link had no token. */
  | { kind: 'failed'; refusal: ApiProblem | null };

/** Takes the token out of the address, and spends it when the button is pressed. */
function useEmailLink<Reply>(spend: (token: string) => Promise<Reply>) {
  const [state, setState] = useState<State<Reply>>({ kind: 'opening' });
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const taken = useRef(false);
  useEffect(() => {
    // A second run of this effect finds no token in the address.
    if (taken.current) return;
    taken.current = true;
    const token = takeFragmentToken();
    setState(token ? { kind: 'asking', token } : { kind: 'failed', refusal: null });
  }, []);
  const confirm = async () => {
    if (state.kind !== 'asking' || isBusy) return;
    setIsBusy(true);
    setProblem(null);
    try {
      setState({ kind: 'done', reply: await spend(state.token) });
    } catch (fault) {
      if (fault instanceof ApiProblem && FINAL.has(fault.code)) setState({ kind: 'failed', refusal: fault });
      else setProblem(fault);
    } finally {
      setIsBusy(false);
    }
  };
  return { state, isBusy, problem, confirm };
}

interface LinkPageProps<Reply> {
  /** Key of the page's words in the locale. */
  words: 'newEmail' | 'oldEmail';
  spend(token: string): Promise<Reply>;
  done(reply: Reply): ReactNode;
}

function LinkPage<Reply>({ words, spend, done }: LinkPageProps<Reply>) {
  const { t } = useTranslation('accounts');
  const { state, isBusy, problem, confirm } = useEmailLink(spend);
  const pageTitle = t(`${words}.title`);
  switch (state.kind) {
    case 'opening':
      return (
        <AccountLayout pageTitle={pageTitle} title={pageTitle}>
          <div role="status" />
        </AccountLayout>
      );
    case 'asking':
      return (
        <AccountLayout pageTitle={pageTitle} title={t(`${words}.askTitle`)} lead={t(`${words}.askText`)}>
          <div className={styles.after}>
            {problem ? <FormFault>{problemText(sayProblem, problem)}</FormFault> : null}
            <Button size="lg" loading={isBusy} onClick={() => void confirm()}>
              {t(`${words}.confirm`)}
            </Button>
            <p>{t(`${words}.askHint`)}</p>
          </div>
        </AccountLayout>
      );
    case 'done':
      return done(state.reply);
    case 'failed':
      return (
        <AccountLayout pageTitle={pageTitle} title={t(`${words}.failedTitle`)}>
          <div className={styles.after}>
            <p role="alert">{state.refusal ? problemText(sayProblem, state.refusal) : t('newEmail.missing')}</p>
            <p>{t(`${words}.failedHint`)}</p>
            <Button component={Link} to={SIGN_IN_PAGE} variant="default">
              {t('signIn.submit')}
            </Button>
          </div>
        </AccountLayout>
      );
  }
}

/** Makes the link's address that of the account, and leads to the profile. */
export function ConfirmEmailPage() {
  const { t } = useTranslation('accounts');
  return (
    <LinkPage
      words="newEmail"
      spend={(token) => api.call(confirmEmail, { body: { token } })}
      done={({ email }) => (
        <AccountLayout pageTitle={t('newEmail.title')} title={t('newEmail.doneTitle')}>
          <div className={styles.after} role="status">
            <p>{t('newEmail.doneText', { email })}</p>
            <Button component={Link} to={PROFILE_PAGE} size="lg">
              {t('newEmail.submit')}
            </Button>
          </div>
        </AccountLayout>
      )}
    />
  );
}

/** Restores the old address of the account. All sign-ins and the password end, so it leads on to setting a new one. */
export function RestoreEmailPage() {
  return (
    <LinkPage
      words="oldEmail"
      spend={(token) => api.call(restoreEmail, { body: { token } })}
      done={({ token }) => <ToNewPassword token={token} />}
    />
  );
}

/** The address is restored, and a new password has to be set. The token goes in the fragment, which no log contains. */
function ToNewPassword({ token }: { token: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ to: RESET_PASSWORD_PAGE, hash: new URLSearchParams({ token }).toString(), replace: true });
  }, [navigate, token]);
  return null;
}
