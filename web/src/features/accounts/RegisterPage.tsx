import { zodResolver } from '@hookform/resolvers/zod';
import { register as registerCall } from '@fieldroom/contract/accounts';
import { password, registration } from '@fieldroom/contract/credentials';
import { email } from '@fieldroom/contract/text';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconCircleCheck, IconCpu } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Path, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiProblem, api } from '../../platform/api/index.ts';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { inNameOrder } from '../../platform/i18n/languages.ts';
import { AccountLayout } from './AccountLayout.tsx';
import { faultAt, FormFault, PasswordField } from './Fields.tsx';
import { showServerFaults } from '../../platform/serverFaults.ts';
import styles from './accounts.module.css';

/** The contract's registration without what is no field here, and the repeated password. */
export const registerForm = z
  // An empty field is reported as empty, not as malformed.
  .extend(z.omit(registration, { captcha: true, language: true, timeZone: true }), {
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
const NAMES: readonly Path<Typed>[] = [
  'firstName',
  'lastName',
  'email',
  'password',
  'gender',
  'licenseAccepted',
  'dataAccepted',
];

/** The zone of this browser, the first zone of the therapist's events. The server counts an unknown one as none. */
/** Field and its autofill token. */
type NameField = readonly ['firstName' | 'lastName', string];
const FIRST_NAME: NameField = ['firstName', 'given-name'];
const FAMILY_NAME: NameField = ['lastName', 'family-name'];

const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

type Work = { state: 'idle' | 'busy' | 'done' | 'failed'; solution?: string };

export function RegisterPage() {
  const { t } = useTranslation('accounts');
  const [problem, setProblem] = useState<unknown>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [work, setWork] = useState<Work>({ state: 'idle' });
  const running = useRef<{ stop: AbortController; solved: Promise<string> } | null>(null);
  const form = useForm<Typed, unknown, z.output<typeof registerForm>>({
    resolver: zodResolver(registerForm),
    defaultValues: {
      firstName: '',
      lastName: '',
      email: '',
      password: '',
      confirm: '',
      licenseAccepted: false,
      dataAccepted: false,
    },
  });
  const { errors, isSubmitting } = form.formState;

  /** Starts the calculation unless one runs or has been done; it begins with the first touch of the form. */
  const solve = (): Promise<string> => {
    if (running.current) return running.current.solved;
    const stop = new AbortController();
    setWork({ state: 'busy' });
    const solved = import('./captcha.ts').then(({ solveCaptcha }) => solveCaptcha(stop.signal));
    running.current = { stop, solved };
    solved.then(
      (solution) => setWork({ state: 'done', solution }),
      () => {
        if (stop.signal.aborted) return;
        running.current = null;
        setWork({ state: 'failed' });
      },
    );
    return solved;
  };
  useEffect(() => () => running.current?.stop.abort(), []);

  const submit = form.handleSubmit(async ({ confirm: _repeated, ...values }) => {
    setProblem(null);
    let captcha: string;
    try {
      captcha = await solve();
    } catch (fault) {
      setProblem(fault instanceof ApiProblem ? fault : new ApiProblem('captcha_failed'));
      return;
    }
    try {
      await api.call(registerCall, {
        body: { ...values, language: currentLanguage(), timeZone: ownTimeZone(), captcha },
      });
      setSentTo(values.email);
    } catch (fault) {
      // Each solution is used once.
      running.current = null;
      setWork({ state: 'idle' });
      if (!(fault instanceof ApiProblem)) return setProblem(fault);
      if (fault.code === 'password_too_common')
        return form.setError('password', { message: 'too_common' }, { shouldFocus: true });
      if (!showServerFaults(form, fault, NAMES)) setProblem(fault);
    }
  });

  if (sentTo !== null) return <Registered email={sentTo} />;
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
        <fieldset className={styles.choice} aria-describedby={errors.gender ? 'gender-fault' : undefined}>
          <legend>{t('register.gender')}</legend>
          <div className={styles.choices}>
            {(['female', 'male'] as const).map((gender) => (
              <label key={gender} className={styles.choiceCard}>
                <input type="radio" value={gender} {...form.register('gender')} />
                {t(`register.${gender}`)}
              </label>
            ))}
          </div>
          {errors.gender ? (
            <p id="gender-fault" className={styles.faultLine}>
              {faultAt('gender', { message: 'invalid' })}
            </p>
          ) : null}
        </fieldset>
        <div className={styles.agreements}>
          <Checkbox
            label={<Agreement words={t('register.license')} link={t('register.licenseLink')} to="/user/license" />}
            error={faultAt('licenseAccepted', errors.licenseAccepted)}
            {...form.register('licenseAccepted')}
          />
          <Checkbox
            label={<Agreement words={t('register.data')} link={t('register.dataLink')} to="/user/data-agreement" />}
            error={faultAt('dataAccepted', errors.dataAccepted)}
            {...form.register('dataAccepted')}
          />
        </div>
        <CaptchaLine state={work.state} onRetry={() => void solve().catch(() => {})} />
        <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
          {t('register.submit')}
        </Button>
      </form>
      <p className={styles.under}>
        <Link to="/user/login" className={styles.link}>
          {t('toSignIn')}
        </Link>
      </p>
    </AccountLayout>
  );
}

function Registered({ email: sentTo }: { email: string }) {
  const { t } = useTranslation('accounts');
  return (
    <AccountLayout pageTitle={t('register.title')} title={t('register.doneTitle')}>
      <div className={styles.after} role="status">
        <p>{t('register.doneText', { email: sentTo })}</p>
        <p>{t('register.doneHint')}</p>
        <Button component={Link} to="/user/login" variant="default">
          {t('toSignIn')}
        </Button>
      </div>
    </AccountLayout>
  );
}

/** Words with a link to the text that is agreed to, which opens beside the form. */
function Agreement({ words, link, to }: { words: string; link: string; to: '/user/license' | '/user/data-agreement' }) {
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

const CAPTCHA_WORDS = {
  idle: 'register.captchaIdle',
  busy: 'register.captchaBusy',
  done: 'register.captchaDone',
  failed: 'register.captchaFailed',
} as const;

/** How the calculation against robots goes. */
function CaptchaLine({ state, onRetry }: { state: Work['state']; onRetry(): void }) {
  const { t } = useTranslation('accounts');
  const { t: tc } = useTranslation('common');
  const done = state === 'done';
  const StateIcon = done ? IconCircleCheck : IconCpu;
  return (
    <div className={done ? `${styles.captcha} ${styles.captchaDone}` : styles.captcha} role="status">
      <StateIcon size={20} stroke={1.75} aria-hidden />
      <span>{t(CAPTCHA_WORDS[state])}</span>
      {state === 'failed' ? (
        <button type="button" className={styles.plainButton} onClick={onRetry}>
          {tc('tryAgain')}
        </button>
      ) : null}
    </div>
  );
}
