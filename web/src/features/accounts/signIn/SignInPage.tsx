import { zodResolver } from '@hookform/resolvers/zod';
import { getPublicConfig, login, type PublicConfig, isClient } from '@fieldroom/contract/accounts';
import { credentials } from '@fieldroom/contract/credentials';
import { REGISTER_PAGE, SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod/mini';
import { safeReturnUrl } from '../../../guards.ts';
import { ApiProblem, api } from '../../../platform/api/index.ts';
import { sayProblem, switchLanguage } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { LoadingView } from '../../../ui/states/LoadingView.tsx';
import { showServerFaults } from '../../../platform/forms/serverFaults.ts';
import { askWithPassword } from '../askWithPassword.ts';
import { faultAt, FormFault, FormNotice } from '../forms/AccountFields.tsx';
import { VerificationAgain } from '../emailLinks/VerificationAgain.tsx';
import styles from '../frame/accounts.module.css';
import { removeDrawing } from './removeDrawing.ts';
import { SignInView } from './SignInView.tsx';
import { takeOverDrawing } from './takeOverDrawing.ts';

type Values = z.infer<typeof credentials>;

/** Signs a therapist or an admin in, and leads to the page they wanted. */
export function SignInPage() {
  const { t } = useTranslation('accounts');
  const { returnUrl, ended } = useSearch({ from: SIGN_IN_PAGE });
  const navigate = useNavigate();
  const [problem, setProblem] = useState<unknown>(null);
  /** A captcha is being solved, because somebody tried wrong passwords for this address. */
  const [isChecking, setIsChecking] = useState(false);
  /** What was typed by somebody whose address is not verified yet. */
  const [unverified, setUnverified] = useState<Values | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const [demo, setDemo] = useState<PublicConfig['demo']>(null);
  const registeredEmail = storage.getText('registeredEmail');
  const form = useForm<Values>({
    resolver: zodResolver(credentials),
    defaultValues: { email: registeredEmail ?? '', password: '' },
  });
  const { errors, isSubmitting } = form.formState;

  // Somebody who is already signed in need not do it twice.
  const user = storage.get('user');
  const signedIn =
    user !== null && !isClient(user) && storage.getText('token') !== null && storage.get('therapist') !== null;
  const [cameSignedIn] = useState(signedIn);
  useEffect(() => {
    if (signedIn) void navigate({ to: safeReturnUrl(returnUrl, storage.get('user')), replace: true });
  }, [signedIn, returnUrl, navigate]);

  useEffect(() => {
    const stop = new AbortController();
    leaving.current = stop;
    // Without the answer the page still works; only the hint for the demo is missing.
    api.call(getPublicConfig, { signal: stop.signal }).then(
      (config) => setDemo(config.demo),
      () => {},
    );
    return () => stop.abort();
  }, []);

  const submit = form.handleSubmit(async (values) => {
    setProblem(null);
    setUnverified(null);
    const { signal } = leaving.current ?? new AbortController();
    try {
      const signIn = await askWithPassword(values, (body) => api.call(login, { body, signal }), {
        signal,
        onChecking: setIsChecking,
      });
      keepSignIn(storage, signIn);
      if (storage.getText('language') === null) await switchLanguage(signIn.user.language);
      await navigate({ to: safeReturnUrl(returnUrl, signIn.user), replace: true });
    } catch (fault) {
      if (signal.aborted) return;
      if (fault instanceof ApiProblem && fault.code === 'email_not_verified') setUnverified(values);
      if (fault instanceof ApiProblem && showServerFaults(form, fault, ['email', 'password'])) return;
      setProblem(fault instanceof ApiProblem ? fault : new ApiProblem('captcha_failed'));
    }
  });

  // Hidden, so that nobody starts typing into a form that is about to disappear; an invalid sign-in leads back here.
  const isLeaving = cameSignedIn && signedIn;
  const { setValue } = form;
  useLayoutEffect(() => {
    if (!isLeaving) return takeOverDrawing(setValue);
    // The prerendered form is here only if somebody has signed in in another tab since.
    removeDrawing();
    return undefined;
  }, [isLeaving, setValue]);
  if (isLeaving) return <LoadingView />;

  // A stranger has never signed in here; somebody who has just registered knows what this is.
  const isKnown = storage.getText('device') !== null;
  const [title, lead] = isKnown
    ? [t('signIn.greeting'), t('signIn.lead')]
    : [t('signIn.title'), registeredEmail === null ? t('signIn.what') : undefined];
  return (
    <SignInView
      title={title}
      lead={lead}
      notices={ended && !problem ? <FormNotice>{t('signIn.ended')}</FormNotice> : null}
      status={isChecking ? <FormNotice>{t('signIn.checking')}</FormNotice> : null}
      problems={
        <>
          {problem ? (
            <FormFault>
              {problemText(sayProblem, problem)}
              {problem instanceof ApiProblem && problem.code === 'invalid_credentials' ? (
                <small className={styles.faultHint}>{t('signIn.wrongHint')}</small>
              ) : null}
            </FormFault>
          ) : null}
          {unverified ? (
            <div className={styles.again}>
              <VerificationAgain {...unverified} />
              <Link to={REGISTER_PAGE} className={styles.link}>
                {t('again.otherAddress')}
              </Link>
            </div>
          ) : null}
        </>
      }
      email={{ ...form.register('email'), error: faultAt('email', errors.email) }}
      password={{ ...form.register('password'), error: faultAt('password', errors.password) }}
      isSubmitting={isSubmitting}
      onSubmit={(event) => void submit(event)}
      later={
        demo ? (
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
        ) : null
      }
    />
  );
}
