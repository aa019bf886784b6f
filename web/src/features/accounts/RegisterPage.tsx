import { zodResolver } from '@hookform/resolvers/zod';
import { password, register as registerCall, registration } from '@fieldroom/contract/accounts';
import { email } from '@fieldroom/contract/text';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconCircleCheck, IconCpu } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Path, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ApiProblem, api } from '../../platform/api/index.ts';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { AccountLayout } from './AccountLayout.tsx';
import { faultAt, FormFault, PasswordField } from './Fields.tsx';
import { showServerFaults } from './server-faults.ts';
import styles from './accounts.module.css';

/** The contract's registration without what is no field here, and the repeated password. */
export const registerForm = registration
  .omit({ captcha: true, language: true })
  // An empty field is told as empty, not as a wrong form of what is not there.
  .extend({
    email: z.string().trim().min(1, 'required').pipe(email),
    password: z.string().min(1, 'required').pipe(password),
    confirm: z.string().min(1, 'required'),
  })
  .refine((values) => values.confirm.normalize('NFKC') === values.password, {
    message: 'mismatch',
    path: ['confirm'],
    when: ({ value }) =>
      typeof (value as { confirm?: unknown }).confirm === 'string' && (value as { confirm: string }).confirm !== '',
  });
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

type Work = { state: 'idle' | 'busy' | 'done' | 'failed'; solution?: string };

export function RegisterPage() {
  const { t } = useTranslation('accounts');
  const { t: tc } = useTranslation('common');
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
      await api.call(registerCall, { body: { ...values, language: currentLanguage(), captcha } });
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

  if (sentTo !== null) {
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
          <TextInput
            size="lg"
            autoComplete="given-name"
            label={t('register.firstName')}
            error={faultAt('firstName', errors.firstName)}
            {...form.register('firstName')}
          />
          <TextInput
            size="lg"
            autoComplete="family-name"
            label={t('register.lastName')}
            error={faultAt('lastName', errors.lastName)}
            {...form.register('lastName')}
          />
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
            label={
              <>
                {t('register.license')}{' '}
                <a href="/user/license" target="_blank" rel="noopener" className={styles.link}>
                  {t('register.licenseLink')}
                  <span className="fr-hidden"> {t('register.opensNew')}</span>
                </a>
              </>
            }
            error={faultAt('licenseAccepted', errors.licenseAccepted)}
            {...form.register('licenseAccepted')}
          />
          <Checkbox
            label={
              <>
                {t('register.data')}{' '}
                <a href="/user/data-agreement" target="_blank" rel="noopener" className={styles.link}>
                  {t('register.dataLink')}
                  <span className="fr-hidden"> {t('register.opensNew')}</span>
                </a>
              </>
            }
            error={faultAt('dataAccepted', errors.dataAccepted)}
            {...form.register('dataAccepted')}
          />
        </div>
        <div
          className={work.state === 'done' ? `${styles.captcha} ${styles.captchaDone}` : styles.captcha}
          role="status"
        >
          {work.state === 'done' ? (
            <IconCircleCheck size={20} stroke={1.75} aria-hidden />
          ) : (
            <IconCpu size={20} stroke={1.75} aria-hidden />
          )}
          <span>
            {t(
              work.state === 'done'
                ? 'register.captchaDone'
                : work.state === 'busy'
                  ? 'register.captchaBusy'
                  : work.state === 'failed'
                    ? 'register.captchaFailed'
                    : 'register.captchaIdle',
            )}
          </span>
          {work.state === 'failed' ? (
            <button type="button" className={styles.plainButton} onClick={() => void solve().catch(() => {})}>
              {tc('tryAgain')}
            </button>
          ) : null}
        </div>
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
