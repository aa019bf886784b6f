/** Shared by both cancellations: their subject, the reason, who gets an email with it, keep or cancel. */
import { cancelReason, REASON_MAX } from '@fieldroom/contract/events';
import { Button, Textarea } from '@mantine/core';
import { IconCalendar, IconMail } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formFault } from '../../../platform/forms/formFault.ts';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { hintWithLeft } from '../../../platform/i18n/charactersLeft.ts';
import { faultText } from '../../../platform/i18n/faults.ts';
import { focusFirstFault } from '../../../ui/controls/focusFirstFault.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Callout } from '../../../ui/states/Callout.tsx';
import { formatDays } from '../formatting.ts';
import styles from './CancelDialogs.module.css';

export interface CancellationFormProps {
  event: { eventName: string; dates: readonly string[]; startTime: string; endTime: string };
  /** Facts beside the days: before them and after. */
  before?: ReactNode;
  after?: ReactNode;
  /** Asked before the reason. */
  question?: ReactNode;
  reason: string;
  onReason(reason: string): void;
  /** Who gets an email; null if there is nobody and nothing to cancel. */
  email: ReactNode;
  /** Replaces the reason if there is nothing to cancel. */
  instead?: string;
  /** Nobody gets an email: the reason is for the therapist's own list. */
  isUnread?: boolean;
  /** The reason was given already. */
  fixed?: boolean;
  sending: boolean;
  /** Why it failed, in words. */
  fault: string | null;
  /** Labels of the two acts. */
  keep: string;
  ok: string;
  onKeep(): void;
  /** Called only with a reason that can be sent. */
  onSend(): void;
}

/**
 * The form inside the dialogs that cancel an event or one booking. A missing reason is reported once the field was left
 * or sending was tried, which moves the focus there; an invisible character is reported at once
 * (docs/product.md#12.32).
 */
export function CancellationForm({
  event,
  before = null,
  after = null,
  question = null,
  reason,
  onReason,
  email,
  instead = '',
  isUnread = false,
  fixed = false,
  sending,
  fault,
  keep,
  ok,
  onKeep,
  onSend,
}: CancellationFormProps) {
  const { t } = useTranslation('my-events');
  const [touched, setTouched] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const wrong = formFault(cancelReason, reason);
  // An untouched field is not reported as missing; an invisible character is reported at once.
  const told = wrong !== null && (touched || wrong !== 'required');
  return (
    <form
      ref={box}
      className={dialog.body}
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        setTouched(true);
        if (wrong !== null) focusFirstFault(box.current);
        else if (!sending && email !== null) onSend();
      }}
    >
      <p className={dialog.line}>{event.eventName}</p>
      <div className={dialog.scroll}>
        <ul className={styles.facts}>
          {before}
          <li>
            <IconCalendar size={20} stroke={1.75} aria-hidden />
            <span>
              {formatDays(event.dates, currentLanguage())}
              <small>{t('times', { from: event.startTime, to: event.endTime })}</small>
            </span>
          </li>
          {after}
        </ul>
        {question}
        {email === null ? (
          <p className={styles.nobody}>{instead}</p>
        ) : (
          <>
            <Textarea
              label={t('cancel.reason')}
              description={hintWithLeft(
                sayProblem,
                isUnread ? t('cancel.reasonKept') : t('cancel.reasonHint'),
                reason,
                REASON_MAX,
              )}
              withAsterisk
              required
              autosize
              minRows={5}
              maxRows={20}
              maxLength={REASON_MAX}
              data-autofocus
              value={reason}
              disabled={sending || fixed}
              onChange={(typed) => onReason(typed.currentTarget.value)}
              onBlur={() => setTouched(true)}
              error={told ? faultText(sayProblem, 'reason', wrong) : null}
            />
            <div className={styles.emails}>
              <Callout icon={IconMail}>{email}</Callout>
            </div>
          </>
        )}
      </div>
      <div className={dialog.words} role="status">
        {sending ? <Callout>{t('cancel.sending')}</Callout> : null}
        {fault === null ? null : <Callout tone="fault">{fault}</Callout>}
      </div>
      <div className={dialog.acts}>
        <Button variant="default" disabled={sending} onClick={onKeep}>
          {keep}
        </Button>
        {email === null ? null : (
          <Button type="submit" color="danger" disabled={sending} loading={sending}>
            {ok}
          </Button>
        )}
      </div>
    </form>
  );
}
