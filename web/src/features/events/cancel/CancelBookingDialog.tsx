/** Cancel booking: one person's booking with a reason; only that person gets an email. */
import type { Booking } from '@fieldroom/contract/bookings';
import type { OwnEvent } from '@fieldroom/contract/events';
import { IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { useDiscardQuestion } from '../dialog/useDiscardQuestion.tsx';
import { removeAttendee, nameOf } from '../eventsApi.ts';
import { CancellationForm } from './CancellationForm.tsx';

export interface CancelBookingDialogProps {
  event: OwnEvent;
  /** The booking it was opened for; null if there is none. */
  booking: Booking | null;
  onClose(): void;
  onCancelled(name: string): void;
}

/**
 * Opened from the menu of a one-on-one event and from the list of participants (docs/product.md#9.15). `onCancelled`
 * gets the person's name, for the notice. Leaving asks while a reason is typed (docs/product.md#9.25).
 */
export function CancelBookingDialog({ event, booking, onClose, onCancelled }: CancelBookingDialogProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const [reason, setReason] = useState('');
  const cancelling = useMutation({
    mutationFn: (cancelled: Booking) => removeAttendee(event.id, cancelled, reason),
    onSuccess: (_, cancelled) => onCancelled(nameOf(cancelled)),
  });
  // Nothing is sent a second time while the dialog closes.
  const busy = cancelling.isPending || cancelling.isSuccess;
  const { leave, asks, question } = useDiscardQuestion(!busy && reason.trim() !== '', onClose);

  return (
    <>
      <Dialog
        opened
        onClose={leave}
        size={700}
        title={t('cancelBooking.title')}
        close={tc('close')}
        busy={busy || asks}
      >
        <CancellationForm
          event={event}
          before={
            <li>
              <IconUser size={20} stroke={1.75} aria-hidden />
              <span>
                {booking ? <bdi>{nameOf(booking)}</bdi> : t('vacant')}
                {booking ? <small>{booking.participant.email}</small> : null}
              </span>
            </li>
          }
          reason={reason}
          onReason={setReason}
          email={booking ? t('cancelBooking.email', { name: nameOf(booking) }) : null}
          instead={t('cancelBooking.nobody')}
          sending={busy}
          fault={cancelling.error ? problemText(sayProblem, cancelling.error) : null}
          keep={booking ? t('cancelBooking.keep') : tc('close')}
          ok={t('cancelBooking.ok')}
          onKeep={leave}
          onSend={() => booking && cancelling.mutate(booking)}
        />
      </Dialog>
      {question}
    </>
  );
}
