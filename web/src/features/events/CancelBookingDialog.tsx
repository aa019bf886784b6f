/** Cancel booking (dialog 4): one person's booking with a reason; that person alone gets a letter. */
import type { Booking } from '@fieldroom/contract/bookings';
import type { OwnEvent } from '@fieldroom/contract/events';
import { IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { CancelLetter } from './CancelLetter.tsx';
import { deleteParticipant } from './events.api.ts';

export interface CancelBookingDialogProps {
  opened: boolean;
  event: OwnEvent;
  /** The booking it was opened for; null where there is none. */
  booking: Booking | null;
  onClose(): void;
  onCancelled(name: string): void;
}

export const nameOf = ({ participant }: Pick<Booking, 'participant'>): string =>
  `${participant.name} ${participant.familyName}`.trim();

export function CancelBookingDialog({ opened, event, booking, onClose, onCancelled }: CancelBookingDialogProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const [reason, setReason] = useState('');
  const [messageSent, setMessageSent] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);

  const send = async () => {
    if (booking === null) return;
    setProblem(null);
    setMessageSent(true);
    try {
      await deleteParticipant(event.id, {
        participant: {
          email: booking.participant.email,
          name: booking.participant.name,
          familyName: booking.participant.familyName,
        },
        reason,
      });
      onCancelled(nameOf(booking));
    } catch (fault) {
      setProblem(fault);
      setMessageSent(false);
    }
  };

  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size={700}
      title={t('cancelBooking.title')}
      close={tc('close')}
      busy={messageSent}
    >
      <CancelLetter
        event={event}
        before={
          <li>
            <IconUser size={20} stroke={1.75} aria-hidden />
            <span>
              {booking ? nameOf(booking) : t('vacant')}
              {booking ? <small>{booking.participant.email}</small> : null}
            </span>
          </li>
        }
        reason={reason}
        onReason={setReason}
        letter={booking ? t('cancelBooking.letter', { name: nameOf(booking) }) : null}
        instead={t('cancelBooking.nobody')}
        sending={messageSent}
        fault={problem ? problemText(sayProblem, problem) : null}
        keep={booking ? t('cancelBooking.keep') : tc('close')}
        ok={t('cancelBooking.ok')}
        onKeep={onClose}
        onSend={() => void send()}
      />
    </Dialog>
  );
}
