/** The sign-in address, and its change: requested here, confirmed by the link of an email. */
import { EMAIL_CHANGE_HOURS } from '@fieldroom/contract/profile';
import { Button, TextInput } from '@mantine/core';
import { IconMailFast } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { dateFormat } from '../../../platform/i18n/formats.ts';
import { useFocusBack } from '../../../ui/controls/useFocusBack.ts';
import { currentPasswordFault, faultAt, PasswordField } from '../../accounts/forms/index.ts';
import { Done, focusTitle, Problem, Section } from '../parts/Section.tsx';
import { useSectionForm, wrongPassword } from '../parts/useSectionForm.ts';
import {
  cancelEmailChange,
  changeProfile,
  type PendingEmail,
  type Profile,
  requestEmailChange,
  sendEmailChangeAgain,
} from '../profileQueries.ts';
import { EMPTY_EMAIL, emailForm, type EmailTyped, type EmailValues } from './emailForm.ts';
import styles from '../Profile.module.css';

const ID = 'my-email';

/** The last success, shown once. */
type Told = { kind: 'sent' | 'cancelled'; email: string };

/**
 * The section "Email" of the profile (docs/product.md#3.25). While a change waits for its link, the email can be sent
 * again and the change cancelled.
 */
export function EmailSection({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const [told, setTold] = useState<Told | null>(null);
  const [changing, setChanging] = useState(false);
  const { email, pendingEmail } = profile;
  // The link may be opened, or the change cancelled, somewhere else.
  const stands = told?.kind === 'sent' ? told.email === pendingEmail?.email : told?.email === email;
  const opener = useFocusBack();
  /** The focused element disappears with the act. */
  const tell = (done: Told) => {
    setTold(done);
    focusTitle(ID);
  };
  return (
    <Section id={ID} title={t('email.title')} lead={t('email.lead')}>
      <div>
        <p className={styles.label}>{t('email.now')}</p>
        <p className={styles.value}>{email}</p>
      </div>
      {pendingEmail ? <Pending key={pendingEmail.email} pending={pendingEmail} email={email} onTold={tell} /> : null}
      <Done>{told && stands ? t(`email.${told.kind}`, { email: told.email }) : null}</Done>
      {pendingEmail ? null : changing ? (
        <ChangeForm
          onLeave={() => {
            opener.expect();
            setChanging(false);
          }}
          onSent={(sentTo) => {
            setChanging(false);
            tell({ kind: 'sent', email: sentTo });
          }}
        />
      ) : (
        <div className={styles.acts}>
          <Button
            ref={opener.ref()}
            variant="default"
            onClick={() => {
              setTold(null);
              setChanging(true);
            }}
          >
            {t('email.change')}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** Shows the server's new state of the change. */
function usePendingEmail() {
  const queries = useQueryClient();
  return (pendingEmail: PendingEmail | null) => changeProfile(queries, { pendingEmail });
}

interface PendingProps {
  pending: PendingEmail;
  email: string;
  onTold(told: Told): void;
}

/** The pending change. */
function Pending({ pending, email, onTold }: PendingProps) {
  const { t } = useTranslation('profile');
  const show = usePendingEmail();
  const sending = useMutation({
    mutationFn: sendEmailChangeAgain,
    onSuccess: async (now) => {
      await show(now);
      onTold({ kind: 'sent', email: now.email });
    },
  });
  const cancelling = useMutation({
    mutationFn: cancelEmailChange,
    onSuccess: async () => {
      await show(null);
      onTold({ kind: 'cancelled', email });
    },
  });
  const busy = sending.isPending || cancelling.isPending;
  const until = dateFormat(currentLanguage(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(pending.expiresAt));
  return (
    <div className={styles.pending}>
      <IconMailFast size={24} stroke={1.75} aria-hidden />
      <div>
        <p className={styles.label}>{t('email.pending', { email: pending.email })}</p>
        <p className={styles.hint}>{t('email.pendingText', { until, now: email })}</p>
        <Problem fault={sending.error ?? cancelling.error} />
        <div className={styles.acts}>
          <Button variant="default" size="sm" disabled={busy} onClick={() => sending.mutate()}>
            {t('email.again')}
          </Button>
          <Button variant="subtle" size="sm" disabled={busy} onClick={() => cancelling.mutate()}>
            {t('email.cancel')}
          </Button>
        </div>
      </div>
    </div>
  );
}

function ChangeForm({ onLeave, onSent }: { onLeave(): void; onSent(email: string): void }) {
  const { t } = useTranslation('profile');
  const show = usePendingEmail();
  const { form, submit, problem, saving } = useSectionForm<EmailTyped, EmailValues>({
    schema: emailForm,
    stored: EMPTY_EMAIL,
    fields: ['email', 'password'],
    onRefused: wrongPassword,
    async save(values) {
      const pending = await requestEmailChange(values);
      await show(pending);
      onSent(pending.email);
      return EMPTY_EMAIL;
    },
  });
  const { errors } = form.formState;
  // The button that opened the form is gone.
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => box.current?.querySelector<HTMLInputElement>('input')?.focus(), []);
  return (
    <form ref={box} className={styles.form} onSubmit={submit} noValidate aria-label={t('email.change')}>
      <div className={styles.two}>
        <TextInput
          type="email"
          inputMode="email"
          autoComplete="email"
          label={t('email.new')}
          description={t('email.newHint', { count: EMAIL_CHANGE_HOURS })}
          error={faultAt('email', errors.email)}
          {...form.register('email')}
        />
        <PasswordField
          size="sm"
          autoComplete="current-password"
          label={t('email.password')}
          error={currentPasswordFault(errors.password)}
          {...form.register('password')}
        />
      </div>
      <Problem fault={problem} />
      <div className={styles.foot}>
        <Button variant="subtle" disabled={saving} onClick={onLeave}>
          {t('email.cancelForm')}
        </Button>
        <Button type="submit" loading={saving}>
          {t('email.submit')}
        </Button>
      </div>
    </form>
  );
}
