/**
 * For people who have lost the link of their booking, on any device: an email with their links goes to the address that
 * they type. The answer never says whether the address is known.
 */
import { EMAIL_INPUT } from '../../emailInput.ts';
import { bookingLinksInput, sendBookingLinks } from '@fieldroom/contract/bookings';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Alert, Field } from '../../../../light/controls.tsx';
import buttons from '../../../../light/buttons.module.css';
import { ApiProblem } from '../../../../platform/api/request.ts';
import { formFault } from '../../../../platform/forms/formFault.ts';
import { anonymousApi } from '../../anonymousApi.ts';
import parts from '../../frame/parts.module.css';
import { usePublicWords } from '../../usePublicWords.ts';
import styles from './LinksForm.module.css';

/** Shown on the page "Find my booking" and if a link is incomplete or invalid (docs/product.md#9.24). */
export function LinksForm() {
  const { t, refusal, fault } = usePublicWords();
  const [email, setEmail] = useState('');
  /** The address's fault, and how often the field was given the focus. */
  const [wrong, setWrong] = useState<{ key: string | null; count: number }>({ key: null, count: 0 });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const done = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (sentTo !== null) done.current?.focus();
  }, [sentTo]);

  const refuse = (key: string) => setWrong(({ count }) => ({ key, count: count + 1 }));
  const submit = async (submission: FormEvent) => {
    submission.preventDefault();
    if (busy) return;
    const key = formFault(bookingLinksInput.shape.email, email);
    if (key !== null) return refuse(key);
    setBusy(true);
    setProblem(null);
    try {
      await anonymousApi.call(sendBookingLinks, { body: { email: email.trim() } });
      setSentTo(email.trim());
    } catch (refused) {
      const field = refused instanceof ApiProblem ? refused.fields.find(({ path }) => path === 'email') : undefined;
      if (field) refuse(field.code);
      else setProblem(refused);
    }
    setBusy(false);
  };

  if (sentTo !== null)
    return (
      <div className={styles.find}>
        <p ref={done} tabIndex={-1} role="status" className={styles.sent}>
          {t('email.find.sent', { email: sentTo })}
        </p>
        <button
          type="button"
          className={parts.link}
          onClick={() => {
            setSentTo(null);
            setWrong(({ count }) => ({ key: null, count: count + 1 }));
          }}
        >
          {t('email.find.other')}
        </button>
      </div>
    );
  return (
    <form className={`${parts.form} ${styles.find}`} noValidate onSubmit={(submission) => void submit(submission)}>
      <p>{t('email.find.lead')}</p>
      <Field
        label={t('email.find.email')}
        required
        value={email}
        onChange={(value) => {
          setEmail(value);
          setWrong(({ count }) => ({ key: null, count }));
        }}
        focusCount={wrong.count}
        fault={wrong.key === null ? null : fault('email', wrong.key)}
        input={EMAIL_INPUT}
      />
      {problem ? <Alert>{refusal(problem)}</Alert> : null}
      <button type="submit" className={buttons.button} aria-disabled={busy}>
        {t(busy ? 'email.find.sending' : 'email.find.send')}
      </button>
    </form>
  );
}
