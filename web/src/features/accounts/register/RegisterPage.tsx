/** Registering as a therapist; the address is confirmed by email afterwards. */
import { zodResolver } from '@hookform/resolvers/zod';
import { register as registerCall } from '@fieldroom/contract/accounts';
import { GENDERS } from '@fieldroom/contract/profile';
import { password, registration } from '@fieldroom/contract/credentials';
import { email } from '@fieldroom/contract/text';
import { inNameOrder } from '@fieldroom/contract/names';
import { DATA_AGREEMENT_PAGE, LICENCE_PAGE, SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconCpu } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Path, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiProblem, api } from '../../../platform/api/index.ts';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { AccountLayout } from '../frame/AccountLayout.tsx';
import { faultAt, FormFault, PasswordField } from '../forms/AccountFields.tsx';
import { VerificationAgain } from '../emailLinks/VerificationAgain.tsx';
import { showServerFaults } from '../../../platform/forms/serverFaults.ts';
import { storage } from '../../../platform/storage.ts';
import styles from '../frame/accounts.module.css';

/** The contract's registration without the properties that are not fields here, and the repeated password. */
export const registerForm = z
  // An empty field is reported as empty, not as malformed.
  .extend(z.omit(registration, { captcha: true, language: true, timeZone: true }), {
    // A radio button stands for "nothing" with an empty text.
    gender: z.pipe(
      z.enum([...GENDERS, '']),
      z.transform((gender) => (gender === '' ? null : gender)),
    ),
    email: z.pipe(z.string().check(z.trim(), z.minLength(1, 'required')), email),
    password: z.pipe(z.string().check(z.minLength(1, 'required')), password),
    confirm: z.string().check(z.minLength(1, 'required')),
  })
  .check(
    z.refine((values) => values.confirm.normalize('NFKC') === values.password, {
      message: 'mismatch',
      path: ['confirm'],
      when: ({ value }) =>
        typeof (value as { confirm?: unknown }).confirm === 'string' && (value as { confirm: string }).confirm !== '',
    }),
  );
type Typed = z.input<typeof registerForm>;
/** The possible answers; the last is "prefer not to say". */
const ANSWERS = [...GENDERS, ''] as const;
const NAMES: readonly Path<Typed>[] = [
  'firstName',
  'lastName',
  'email',
  'password',
  'gender',
  'licenseAccepted',
  'dataAccepted',
];

/** Field and its autofill token. */
type NameField = readonly ['firstName' | 'lastName', string];
const FIRST_NAME: NameField = ['firstName', 'given-name'];
const FAMILY_NAME: NameField = ['lastName', 'family-name'];

/** This browser's zone, the first zone of the therapist's events. The server treats an unknown one as none. */
const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

type CaptchaState = 'idle' | 'busy' | 'done' | 'failed';
/** After this many milliseconds the page mentions the calculation. */
const QUIET_MS = 2000;

/**
 * The form (`/user/register`). The proof of work against robots starts with the first touch of the form
 * (docs/product.md#3.5). After sending, the page offers to send the email again or to correct the address, with
 * everything else still typed (docs/product.md#3.15).
 */
export function RegisterPage() {
  const { t } = useTranslation('accounts');
  const [problem, setProblem] = useState<unknown>(null);
  const [sentTo, setSentTo] = useState<{ email: string; password: string } | null>(null);
  const [captchaState, setCaptchaState] = useState<CaptchaState>('idle');
  const running = useRef<{ stop: AbortController; solved: Promise<string> } | null>(null);
  const form = useForm<Typed, unknown, z.output<typeof registerForm>>({
    resolver: zodResolver(registerForm),
    defaultValues: {
      firstName: '',
      lastName: '',
      email: '',
      password: '',
      confirm: '',
      gender: '',
      licenseAccepted: false,
      dataAccepted: false,
    },
  });
  const { errors, isSubmitting } = form.formState;

  /** Starts the calculation unless one is running or done; the first touch of the form starts it. */
  const solve = (): Promise<string> => {
    if (running.current) return running.current.solved;
    const stop = new AbortController();
    setCaptchaState('busy');
    const solved = import('../captcha.ts').then(({ solveCaptcha }) => solveCaptcha(stop.signal));
    running.current = { stop, solved };
    solved.then(
      () => setCaptchaState('done'),
      () => {
        if (stop.signal.aborted) return;
        running.current = null;
        setCaptchaState('failed');
      },
    );
    return solved;
  };
  useEffect(() => () => running.current?.stop.abort(), []);

  const submit = form.handleSubmit(async ({ confirm: _repeated, ...values }) => {
    setProblem(null);
    /** Sends the form with a solution. Returns false if none was found. */
    const send = async (): Promise<boolean> => {
      let captcha: string;
      try {
        captcha = await solve();
      } catch (fault) {
        setProblem(fault instanceof ApiProblem ? fault : new ApiProblem('captcha_failed'));
        return false;
      }
      await api.call(registerCall, {
        body: { ...values, language: currentLanguage(), timeZone: ownTimeZone(), captcha },
      });
      return true;
    };
    try {
      const isSent = await send().catch((fault: unknown) => {
        if (!(fault instanceof ApiProblem) || fault.code !== 'captcha_failed') throw fault;
        // The solution was made at the first touch of the form and expires after minutes, while people read the
        // agreements.
        running.current = null;
        return send();
      });
      if (!isSent) return;
      // Each solution can be used once.
      running.current = null;
      setCaptchaState('idle');
      storage.setText('registeredEmail', values.email);
      setSentTo({ email: values.email, password: values.password });
    } catch (fault) {
      running.current = null;
      setCaptchaState('idle');
      if (!(fault instanceof ApiProblem)) return setProblem(fault);
      if (fault.code === 'password_too_common')
        return form.setError('password', { message: 'too_common' }, { shouldFocus: true });
      if (!showServerFaults(form, fault, NAMES)) setProblem(fault);
    }
  });

  const correctAddress = () => {
    setSentTo(null);
    // Draws the form first.
    setTimeout(() => form.setFocus('email', { shouldSelect: true }));
  };

  if (sentTo !== null) return <Registered {...sentTo} onCorrect={correctAddress} />;
  return (
    <AccountLayout pageTitle={t('register.title')} title={t('register.title')} lead={t('register.lead')} wide>
      <form
        className={styles.form}
        onSubmit={(event) => void submit(event)}
        onFocus={() => void solve().catch(() => {})}
        noValidate
      >
        {problem ? <FormFault>{problemText(sayProblem, problem)}</FormFault> : null}
        <div className={styles.pair}>
          {inNameOrder(currentLanguage(), FIRST_NAME, FAMILY_NAME).map(([name, autoComplete]) => (
            <TextInput
              key={name}
              size="lg"
              autoComplete={autoComplete}
              label={t(`register.${name}`)}
              error={faultAt(name, errors[name])}
              {...form.register(name)}
            />
          ))}
        </div>
        <TextInput
          size="lg"
          type="email"
          inputMode="email"
          autoComplete="email"
          label={t('register.email')}
          description={t('register.emailHint')}
          error={faultAt('email', errors.email)}
          {...form.register('email')}
        />
        <PasswordField
          autoComplete="new-password"
          label={t('register.password')}
          description={t('register.passwordHint')}
          error={faultAt('password', errors.password)}
          {...form.register('password')}
        />
        <PasswordField
          autoComplete="new-password"
          label={t('register.confirm')}
          error={faultAt('confirm', errors.confirm)}
          {...form.register('confirm')}
        />
        <fieldset className={styles.choice} aria-describedby="gender-hint">
          <legend>{t('register.gender')}</legend>
          <div className={styles.choices}>
            {ANSWERS.map((answer) => (
              <label key={answer} className={styles.choiceCard}>
                <input type="radio" value={answer} {...form.register('gender')} />
                {t(`register.${answer === '' ? 'unsaid' : answer}`)}
              </label>
            ))}
          </div>
          <p id="gender-hint" className={styles.hint}>
            {t('register.genderHint')}
          </p>
        </fieldset>
        <div className={styles.agreements}>
          <Checkbox
            label={<Agreement words={t('register.license')} link={t('register.licenseLink')} to={LICENCE_PAGE} />}
            error={faultAt('licenseAccepted', errors.licenseAccepted)}
            aria-invalid={errors.licenseAccepted !== undefined}
            {...form.register('licenseAccepted')}
          />
          <Checkbox
            label={<Agreement words={t('register.data')} link={t('register.dataLink')} to={DATA_AGREEMENT_PAGE} />}
            error={faultAt('dataAccepted', errors.dataAccepted)}
            aria-invalid={errors.dataAccepted !== undefined}
            {...form.register('dataAccepted')}
          />
        </div>
        <CaptchaLine state={captchaState} onRetry={() => void solve().catch(() => {})} />
        <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
          {t('register.submit')}
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

function Registered({ email, password: known, onCorrect }: { email: string; password: string; onCorrect(): void }) {
  const { t } = useTranslation('accounts');
  return (
    <AccountLayout pageTitle={t('register.title')} title={t('register.doneTitle')}>
      <div className={styles.after} role="status">
        <p>{t('register.doneText', { email })}</p>
        <p>{t('register.doneHint')}</p>
      </div>
      <div className={styles.after}>
        <VerificationAgain email={email} password={known} />
        <button type="button" className={styles.plainButton} onClick={onCorrect}>
          {t('again.correct')}
        </button>
        <Link to={SIGN_IN_PAGE} className={styles.link}>
          {t('toSignIn')}
        </Link>
      </div>
    </AccountLayout>
  );
}

/** Words with a link to the text to agree to, which opens beside the form. */
function Agreement({
  words,
  link,
  to,
}: {
  words: string;
  link: string;
  to: typeof LICENCE_PAGE | typeof DATA_AGREEMENT_PAGE;
}) {
  const { t } = useTranslation('accounts');
  return (
    <>
      {words}{' '}
      <a href={to} target="_blank" rel="noopener noreferrer" className={styles.link}>
        {link}
        <span className="fr-hidden"> {t('register.opensNew')}</span>
      </a>
    </>
  );
}

/** The progress of the calculation against robots: nothing is shown while it is quick. */
function CaptchaLine({ state, onRetry }: { state: CaptchaState; onRetry(): void }) {
  const { t } = useTranslation('accounts');
  const { t: tc } = useTranslation('common');
  const [isSlow, setIsSlow] = useState(false);
  const { start, clear } = useTimeout(() => setIsSlow(true), QUIET_MS);
  useEffect(() => {
    setIsSlow(false);
    if (state === 'busy') start();
    return clear;
  }, [state, start, clear]);
  const words = { failed: t('register.captchaFailed'), busy: isSlow ? t('register.captchaBusy') : null };
  const line = state === 'failed' || state === 'busy' ? words[state] : null;
  return (
    <div className={line ? styles.captcha : undefined} role="status">
      {line ? (
        <>
          <IconCpu size={20} stroke={1.75} aria-hidden />
          <span>{line}</span>
        </>
      ) : null}
      {state === 'failed' ? (
        <button type="button" className={styles.plainButton} onClick={onRetry}>
          {tc('tryAgain')}
        </button>
      ) : null}
    </div>
  );
}
