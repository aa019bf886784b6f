/** A message to the therapist who offers the event (docs/product.md#9.16). */
import { EMAIL_INPUT } from '../emailInput.ts';
import { THERAPIST_HEADER } from '@fieldroom/contract/http';
import { contact, contactInput, CONTACT_MESSAGE_MAX } from '@fieldroom/contract/bookings';
import type { PublicHost } from '@fieldroom/contract/events';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiProblem } from '../../../platform/api/request.ts';
import { Alert, Field, FieldBox, FieldFault, FieldLabel, Hint } from '../../../light/controls.tsx';
import { formFault } from '../../../platform/forms/formFault.ts';
import { anonymousApi } from '../anonymousApi.ts';
import { DialogActions, FormActions, PageDialog } from '../frame/PageDialog.tsx';
import { usePublicWords } from '../usePublicWords.ts';
import styles from './ContactDialog.module.css';
import buttons from '../../../light/buttons.module.css';
import parts from '../frame/parts.module.css';

interface Draft {
  email: string;
  message: string;
}
export interface ContactPageDialogProps {
  host: PublicHost;
  draft: Draft;
  onDraft(draft: Draft): void;
  onClose(): void;
}

type Faults = { email?: string; message?: string };
const FIELDS = ['email', 'message'] as const;

/**
 * The caller keeps the draft, so that closing loses nothing. After sending it confirms that the message was sent. The
 * box for the message grows from 5 to 20 lines (docs/product.md#9.20).
 */
export function ContactDialog({ host, draft, onDraft, onClose }: ContactPageDialogProps) {
  const { t, refusal, fault } = usePublicWords();
  const [touched, setTouched] = useState({ email: false, message: false });
  const [fromServer, setFromServer] = useState<Faults>({});
  const [problem, setProblem] = useState<unknown>(null);
  const [submitted, setSubmitted] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const done = useRef<HTMLParagraphElement>(null);
  const faults = {
    email: formFault(contactInput.shape.email, draft.email),
    message: formFault(contactInput.shape.message, draft.message),
  };
  const [focus, setFocus] = useState<{ field: 'email' | 'message'; count: number }>({ field: 'email', count: 0 });
  useEffect(() => {
    if (sentTo !== null) done.current?.focus();
  }, [sentTo]);

  const submit = async (submission: FormEvent) => {
    submission.preventDefault();
    if (submitted) return;
    const missing = FIELDS.find((field) => faults[field] !== null);
    if (missing) {
      setTouched({ email: true, message: true });
      setFocus(({ count }) => ({ field: missing, count: count + 1 }));
      return;
    }
    setSubmitted(true);
    setProblem(null);
    setFromServer({});
    try {
      const email = draft.email.trim();
      // The header decides on the recipient, and the names have to match (docs/product.md#9.16).
      await anonymousApi.call(contact, {
        headers: { [THERAPIST_HEADER]: String(host.id) },
        body: { email, message: draft.message, firstName: host.firstName, lastName: host.lastName },
      });
      setSentTo(email);
      onDraft({ email, message: '' });
    } catch (refused) {
      const at = (path: string) =>
        refused instanceof ApiProblem ? refused.fields.find((field) => field.path === path)?.code : undefined;
      const [email, message] = [at('email'), at('message')];
      setFromServer({ ...(email ? { email } : {}), ...(message ? { message } : {}) });
      if (!email && !message) setProblem(refused);
    }
    setSubmitted(false);
  };
  const shown = (field: 'email' | 'message') => {
    const key = fromServer[field] ?? (touched[field] ? faults[field] : null);
    return key ? fault(field, key) : null;
  };

  if (sentTo !== null) {
    return (
      <PageDialog title={t('contact.title', { name: host.firstName })} onClose={onClose}>
        <p ref={done} tabIndex={-1} role="status" className={styles.text}>
          {t('contact.sent', { name: host.firstName, email: sentTo })}
        </p>
        <DialogActions>
          <button type="button" className={buttons.button} onClick={onClose}>
            {t('close')}
          </button>
        </DialogActions>
      </PageDialog>
    );
  }
  return (
    <PageDialog title={t('contact.title', { name: host.firstName })} onClose={onClose} busy={submitted}>
      <p className={styles.text}>{t('contact.lead', { name: host.firstName })}</p>
      <form className={parts.form} noValidate onSubmit={(submission) => void submit(submission)}>
        <Field
          label={t('contact.email')}
          required
          value={draft.email}
          fault={shown('email')}
          focusCount={focus.field === 'email' ? focus.count : 0}
          input={EMAIL_INPUT}
          onBlur={() => setTouched({ ...touched, email: true })}
          onChange={(email) => {
            onDraft({ ...draft, email });
            setFromServer({ ...fromServer, email: undefined } as Faults);
          }}
        />
        <Message
          value={draft.message}
          fault={shown('message')}
          focusCount={focus.field === 'message' ? focus.count : 0}
          onBlur={() => setTouched({ ...touched, message: true })}
          onChange={(message) => {
            onDraft({ ...draft, message });
            setFromServer({ ...fromServer, message: undefined } as Faults);
          }}
        />
        {problem ? <Alert>{refusal(problem)}</Alert> : null}
        <FormActions send={t(submitted ? 'contact.busy' : 'contact.send')} busy={submitted} onBack={onClose} />
      </form>
    </PageDialog>
  );
}

/** Lines between which the box grows (docs/product.md#9.20). */
const ROWS_MIN = 5;
const ROWS_MAX = 20;

function Message({
  value,
  fault,
  focusCount,
  onChange,
  onBlur,
}: {
  value: string;
  fault: string | null;
  /** Each higher number focuses the box, so that its fault is read out. */
  focusCount: number;
  onChange(value: string): void;
  onBlur(): void;
}) {
  const { t, left: leftOf } = usePublicWords();
  const left = leftOf(value, CONTACT_MESSAGE_MAX);
  const id = useId();
  const textarea = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const area = textarea.current;
    if (!area) return;
    // The text's own height can be measured only in a box of minimum height.
    area.rows = ROWS_MIN;
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(area);
    const lines = Math.ceil(
      (area.scrollHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)) /
        Number.parseFloat(lineHeight),
    );
    area.rows = Math.min(ROWS_MAX, Math.max(ROWS_MIN, Number.isFinite(lines) ? lines : ROWS_MIN));
  }, [value]);
  useEffect(() => {
    if (focusCount > 0) textarea.current?.focus();
  }, [focusCount]);
  const describedBy = [fault ? `${id}-fault` : '', left ? `${id}-left` : ''].filter(Boolean).join(' ');
  return (
    <FieldBox>
      <FieldLabel inputId={id} required>
        {t('contact.message')}
      </FieldLabel>
      <textarea
        ref={textarea}
        id={id}
        name="message"
        rows={ROWS_MIN}
        required
        maxLength={CONTACT_MESSAGE_MAX}
        value={value}
        aria-invalid={fault !== null}
        aria-describedby={describedBy || undefined}
        onBlur={onBlur}
        onChange={(event) => onChange(event.target.value)}
      />
      {fault ? <FieldFault id={`${id}-fault`}>{fault}</FieldFault> : null}
      {left ? <Hint id={`${id}-left`}>{left}</Hint> : null}
    </FieldBox>
  );
}
