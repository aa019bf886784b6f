/**
 * The dialogs that a row of My events opens. The page stores which one is open, so that a refreshed list cannot close
 * it.
 */
import type { Booking } from '@fieldroom/contract/bookings';
import type { OwnEvent } from '@fieldroom/contract/events';
import { useTranslation } from 'react-i18next';
import { AttendeesDialog } from '../../attendees/AttendeesDialog.tsx';
import { CancelBookingDialog } from '../../cancel/CancelBookingDialog.tsx';
import { CancelEventDialog } from '../../cancel/CancelEventDialog.tsx';
import { EventEditDialog } from '../../edit/EventEditDialog.tsx';
import { HideEventDialog } from './HideEventDialog.tsx';
import type { Outcome } from '../outcome/OutcomeNotice.tsx';

export type OpenDialog =
  | { kind: 'attendees' | 'edit' | 'cancelEvent'; eventId: number }
  /** The booking of a one-on-one event; null if nobody is booked. */
  | { kind: 'cancelBooking'; event: OwnEvent; booking: Booking | null }
  | { kind: 'hide'; event: OwnEvent };

export interface EventDialogsProps {
  open: OpenDialog | null;
  /** The booking to highlight in the list of attendees. */
  marked?: number | null;
  onClose(): void;
  /** Something of an event has changed: the lists have to be fetched again. */
  onChanged(): void;
  onOutcome(outcome: Outcome): void;
}

/**
 * Draws the open dialog, and reports its result by `onOutcome`: for the list's notice, with "Undo" if a save can be
 * undone.
 */
export function EventDialogs({ open, marked = null, onClose, onChanged, onOutcome }: EventDialogsProps) {
  const { t } = useTranslation('my-events');
  const done = (text: string) => onOutcome({ text, tone: 'done' });
  const idOf = (kind: 'attendees' | 'edit' | 'cancelEvent') => (open?.kind === kind ? open.eventId : null);
  const attendeesOf = idOf('attendees');
  return (
    <>
      <AttendeesDialog
        key={`attendees ${attendeesOf}`}
        eventId={attendeesOf}
        marked={marked}
        onClose={onClose}
        onChanged={onChanged}
      />
      <EventEditDialog
        eventId={idOf('edit')}
        onClose={onClose}
        onSaved={(emails, undo) => {
          const text = emails > 0 ? t('told.savedEmails', { count: emails }) : t('told.saved');
          const offered = undo && { label: t('told.undo'), undone: t('told.undone'), act: undo };
          onOutcome({ text, tone: 'done', ...(offered ? { undo: offered } : {}) });
          onChanged();
        }}
      />
      <CancelEventDialog
        eventId={idOf('cancelEvent')}
        onClose={() => {
          onClose();
          onChanged();
        }}
        onCancelled={(emails) =>
          done(emails === 0 ? t('told.cancelledNobody') : t('told.cancelled', { count: emails }))
        }
      />
      {open?.kind === 'cancelBooking' ? (
        <CancelBookingDialog
          event={open.event}
          booking={open.booking}
          onClose={onClose}
          onCancelled={(name) => {
            onClose();
            done(t('told.unbooked', { name }));
            onChanged();
          }}
        />
      ) : null}
      <HideEventDialog
        event={open?.kind === 'hide' ? open.event : null}
        onClose={onClose}
        onOutcome={(outcome) => {
          onClose();
          onOutcome(outcome);
          onChanged();
        }}
      />
    </>
  );
}
