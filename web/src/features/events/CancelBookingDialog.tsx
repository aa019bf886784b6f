/** Cancel booking (dialog 4): one person's booking with a reason; that person alone gets a letter. */
import type { Booking } from '@fieldroom/contract/bookings';
import { REASON_MAX, type OwnEvent } from '@fieldroom/contract/events';
import { Button, Textarea } from '@mantine/core';
import { IconCalendar, IconMail, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { faultText, problemText } from '../../platform/i18n/faults.ts';
import dialog from '../../ui/Dialog.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { deleteParticipant } from './events.api.ts';
import { formatDays } from './events.format.ts';
import styles from './CancelDialogs.module.css';

export interface CancelBookingDialogProps {
  opened: boolean;
  event: OwnEvent;
  /** The booking it was opened for; null where there is none. */
  booking: Booking | null;
  onClose(): void;
  onCancelled(name: string): void;
}

export const nameOf = ({ participant }: Pick<Booking, 'participant'>): string => `${participant.name} ${participant.familyName}`.trim();

export function CancelBookingDialog({ opened, event, booking, onClose, onCancelled }: CancelBookingDialogProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const [reason, setReason] = useState('');
  const [touched, setTouched] = useState(false);
  const [messageSent, setMessageSent] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const missing = reason.trim() === '';

  const send = async () => {
    setTouched(true);
    if (missing || messageSent || booking === null) return;
    setProblem(null);
    setMessageSent(true);
    try {
      await deleteParticipant(event.id, { participant: { email: booking.participant.email, name: booking.participant.name, familyName: booking.participant.familyName }, reason });
      onCancelled(nameOf(booking));
    } catch (fault) {
      setProblem(fault);
      setMessageSent(false);
    }
  };

  return (
    <Dialog opened={opened} onClose={onClose} size={700} title={t('cancelBooking.title')} close={tc('close')} busy={messageSent}>
      <form
        className={dialog.body}
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void send();
        }}
      >
        <p className={dialog.line}>{event.eventName}</p>
        <div className={dialog.scroll}>
          <ul className={styles.facts}>
            <li><IconUser size={20} stroke={1.75} aria-hidden /><span>{booking ? nameOf(booking) : t('vacant')}{booking ? <small>{booking.participant.email}</small> : null}</span></li>
            <li><IconCalendar size={20} stroke={1.75} aria-hidden /><span>{formatDays(event.dates, currentLanguage())}<small>{t('times', { from: event.startTime, to: event.endTime })}</small></span></li>
          </ul>
          {booking ? (
            <>
              <Textarea label={t('cancel.reason')} description={t('cancel.reasonHint')} withAsterisk required autosize minRows={5} maxRows={20} maxLength={REASON_MAX} data-autofocus value={reason} disabled={messageSent} onChange={(typed) => setReason(typed.currentTarget.value)} onBlur={() => setTouched(true)} error={touched && missing ? faultText(sayProblem, 'reason', 'required') : null} />
              <div className={styles.letters}><Note icon={IconMail}>{t('cancelBooking.letter', { name: nameOf(booking) })}</Note></div>
            </>
          ) : <p className={styles.nobody}>{t('cancelBooking.nobody')}</p>}
        </div>
        <div className={dialog.words} role="status">
          {messageSent ? <Note tone="done">{t('cancel.sent')}</Note> : null}
          {problem ? <Note tone="fault">{problemText(sayProblem, problem)}</Note> : null}
        </div>
        <div className={dialog.acts}>
          <Button variant="default" disabled={messageSent} onClick={onClose}>{booking ? t('cancelBooking.keep') : tc('close')}</Button>
          {booking ? <Button type="submit" color="danger" disabled={missing || messageSent} loading={messageSent}>{t('cancelBooking.ok')}</Button> : null}
        </div>
      </form>
    </Dialog>
  );
}
