/**
 * Sends the dates of a live session by email (docs/product.md#6.3): to the therapist's own address at once, to another
 * one only after a confirmation.
 */
import { email as emailShape } from '@fieldroom/contract/text';
import { Button, TextInput } from '@mantine/core';
import { IconCircleCheck, IconMail } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../platform/api/index.ts';
import { formFault } from '../../../platform/forms/formFault.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { faultText, problemText } from '../../../platform/i18n/faults.ts';
import { storage } from '../../../platform/storage.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import { sendEmail } from '../sessionQueries.ts';
import styles from './SessionDialog.module.css';

/** The recipient: the therapist's own address, another one being typed, or one that waits for the confirmation. */
type Step = { kind: 'own' } | { kind: 'typing'; typed: string } | { kind: 'sure'; address: string };

/** Only emails to other addresses are limited per day. */
const isLimit = (fault: Error) => fault instanceof ApiProblem && fault.code === 'too_many_requests';

/**
 * A part of a live session's details. Emails to other addresses are limited to 3 a day; a refusal is shown below the
 * form.
 */
export function SendByEmail({ sessionId }: { sessionId: number }) {
  const { t } = useTranslation('sessions');
  const [own] = useState(() => storage.get('user')?.email ?? '');
  const [step, setStep] = useState<Step>({ kind: 'own' });
  const sending = useMutation({
    mutationFn: (address: string | null) => sendEmail(sessionId, address),
    onSuccess: () => setStep({ kind: 'own' }),
  });
  const go = (next: Step) => {
    sending.reset();
    setStep(next);
  };
  return (
    <section className={styles.part}>
      <h3>{t('email.title')}</h3>
      <div className={styles.email}>
        <p>{t('email.text')}</p>
        {step.kind === 'own' ? (
          <div className={styles.acts}>
            <Button
              variant="default"
              leftSection={<IconMail size={20} stroke={1.75} aria-hidden />}
              loading={sending.isPending}
              onClick={() => sending.mutate(null)}
            >
              {t('email.toMe')}
            </Button>
            <Button variant="subtle" disabled={sending.isPending} onClick={() => go({ kind: 'typing', typed: '' })}>
              {t('email.other')}
            </Button>
          </div>
        ) : null}
        {step.kind === 'typing' ? (
          <AddressForm
            first={step.typed}
            onNext={(address) => go({ kind: 'sure', address })}
            onBack={() => go({ kind: 'own' })}
          />
        ) : null}
        {step.kind === 'sure' ? (
          <SecondLook
            address={step.address}
            busy={sending.isPending}
            onSend={() => sending.mutate(step.address)}
            onChange={() => go({ kind: 'typing', typed: step.address })}
          />
        ) : null}
        <div role="status">
          {sending.isSuccess ? (
            <p className={styles.told}>
              <IconCircleCheck size={20} stroke={1.75} aria-hidden />
              {t('email.sent', { address: sending.variables ?? own })}
            </p>
          ) : null}
          {sending.error ? (
            <Callout tone="fault">
              {isLimit(sending.error) && sending.variables !== null
                ? t('email.tooMany')
                : problemText(sayProblem, sending.error)}
            </Callout>
          ) : null}
        </div>
      </div>
    </section>
  );
}

interface AddressFormProps {
  first: string;
  onNext(address: string): void;
  onBack(): void;
}

function AddressForm({ first, onNext, onBack }: AddressFormProps) {
  const { t } = useTranslation('sessions');
  const [typed, setTyped] = useState(first);
  const [fault, setFault] = useState<string | null>(null);
  const next = (event: FormEvent) => {
    event.preventDefault();
    const found = formFault(emailShape, typed);
    setFault(found);
    if (found === null) onNext(typed.trim());
  };
  return (
    <form className={styles.email} noValidate onSubmit={next}>
      <TextInput
        className={styles.input}
        type="email"
        autoComplete="off"
        autoFocus
        label={t('email.address')}
        description={t('email.limit')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={typed}
        error={fault === null ? null : faultText(sayProblem, 'email', fault)}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setFault(null);
        }}
      />
      <div className={styles.acts}>
        <Button type="submit">{t('email.next')}</Button>
        <Button variant="subtle" onClick={onBack}>
          {t('email.back')}
        </Button>
      </div>
    </form>
  );
}

interface SecondLookProps {
  address: string;
  busy: boolean;
  onSend(): void;
  onChange(): void;
}

function SecondLook({ address, busy, onSend, onChange }: SecondLookProps) {
  const { t } = useTranslation('sessions');
  // Not on the button: an Enter that is held down must not skip the confirmation.
  const question = useRef<HTMLParagraphElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    <div className={styles.email} role="group" aria-label={t('email.sure', { address })}>
      <p ref={question} tabIndex={-1} className={styles.question}>
        {t('email.sure', { address })}
      </p>
      <p>{t('email.sureText')}</p>
      <div className={styles.acts}>
        <Button loading={busy} onClick={onSend}>
          {t('email.send')}
        </Button>
        <Button variant="subtle" disabled={busy} onClick={onChange}>
          {t('email.change')}
        </Button>
      </div>
    </div>
  );
}
