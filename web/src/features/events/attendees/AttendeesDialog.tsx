/**
 * The bookings of an event: removing with a second press, adding, and the list as a file. Only the event's therapist
 * sees it.
 */
import type { Booking } from '@fieldroom/contract/bookings';
import type { OwnEvent } from '@fieldroom/contract/events';
import { Button, Skeleton } from '@mantine/core';
import { IconDownload, IconLock, IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { Callout } from '../../../ui/states/Callout.tsx';
import { saveFile } from '../../../ui/saveFile.ts';
import { CancelBookingDialog } from '../cancel/CancelBookingDialog.tsx';
import { eventQueries } from '../eventQueries.ts';
import { nameOf, removeAttendee } from '../eventsApi.ts';
import { formatDays } from '../formatting.ts';
import { DialogLoadFault } from '../dialog/EventLoadFault.tsx';
import { useTicking } from '../useTicking.ts';
import { AddAttendeesDialog } from './AddAttendeesDialog.tsx';
import { csvSeparator } from '@fieldroom/contract/csv';
import { attendeesCsv } from './attendeesCsv.ts';
import { AttendeesTable } from './AttendeesTable.tsx';
import styles from './AttendeesDialog.module.css';

export interface AttendeesDialogProps {
  eventId: number | null;
  /** The booking to highlight: a search has found it. */
  marked?: number | null;
  onClose(): void;
  /** Somebody was added or removed, or a hold has ended: the list behind has other numbers now. */
  onChanged(): void;
}

/**
 * `eventId` is null while no dialog is open. Holds count down and leave the list when they end. Adding and cancelling
 * with a reason open another dialog on top.
 */
export function AttendeesDialog({ eventId, marked = null, onClose, onChanged }: AttendeesDialogProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  /** The dialog on top of the list. */
  const [front, setFront] = useState<'add' | Booking | null>(null);
  const [told, setTold] = useState('');
  /** The booking that the question is about. */
  const [removing, setRemoving] = useState<number | null>(null);
  const found = useQuery({ ...eventQueries.attendees(eventId ?? 0), enabled: eventId !== null });
  const event = found.data?.event;
  const bookings = found.data?.bookings ?? [];
  const { refetch } = found;
  const changed = useCallback(() => {
    void refetch();
    onChanged();
  }, [refetch, onChanged]);
  const removed = (name: string) => {
    setRemoving(null);
    setTold(t('participants.removed', { name }));
    changed();
  };

  return (
    <>
      <Dialog
        opened={eventId !== null && front === null}
        onClose={onClose}
        size={800}
        title={t('participants.title')}
        close={tc('close')}
        closeOnClickOutside
      >
        {found.data ? (
          <Attendees
            event={found.data.event}
            bookings={bookings}
            clock={found.data.clock}
            busy={found.isFetching}
            told={told}
            asked={removing}
            marked={marked}
            onAsk={setRemoving}
            onOutdated={changed}
            onRemoved={removed}
            onReason={setFront}
            onAdd={() => setFront('add')}
          />
        ) : (
          <Waiting fault={found.error} onRetry={() => void refetch()} />
        )}
      </Dialog>
      {event && front === 'add' ? (
        <AddAttendeesDialog
          event={event}
          free={event.maximumParticipant - placesIn(bookings)}
          onBack={(added) => {
            setFront(null);
            if (added > 0) changed();
          }}
        />
      ) : null}
      {event && front !== null && front !== 'add' ? (
        <CancelBookingDialog
          event={event}
          booking={front}
          onClose={() => setFront(null)}
          onCancelled={(name) => {
            setFront(null);
            removed(name);
          }}
        />
      ) : null}
    </>
  );
}

function Waiting({ fault, onRetry }: { fault: unknown; onRetry(): void }) {
  const { t: tc } = useTranslation('common');
  if (fault) return <DialogLoadFault fault={fault} onRetry={onRetry} />;
  return (
    <div role="status" aria-busy="true" aria-label={tc('loading')}>
      <Skeleton height={44} radius={12} />
      <Skeleton height={160} radius={12} mt={16} />
    </div>
  );
}

interface AttendeesProps {
  event: OwnEvent;
  bookings: readonly Booking[];
  clock(): number;
  /** The list is being fetched. */
  busy: boolean;
  /** The last success. */
  told: string;
  /** The booking that the question is about. */
  asked: number | null;
  marked: number | null;
  onAsk(bookingId: number | null): void;
  /** The list is outdated: a hold has ended, or a removal was refused. */
  onOutdated(): void;
  onRemoved(name: string): void;
  onReason(booking: Booking): void;
  onAdd(): void;
}

const isHeld = ({ state }: Booking) => state === 'HELD';

function Attendees({
  event,
  bookings,
  clock,
  busy,
  told,
  asked,
  marked,
  onAsk,
  onOutdated,
  onRemoved,
  onReason,
  onAdd,
}: AttendeesProps) {
  const { t } = useTranslation('my-events');
  const now = useTicking(clock, bookings.some(isHeld));
  const removal = useMutation({
    mutationFn: (booking: Booking) => removeAttendee(event.id, booking),
    onSuccess: (_, booking) => onRemoved(nameOf(booking)),
    // They may have cancelled in the meantime.
    onError: onOutdated,
  });
  const stateWords = (booking: Booking) => {
    if (!isHeld(booking)) return t(`state.${booking.state}`);
    const minutes = Math.max(1, Math.ceil((Date.parse(booking.heldUntil ?? '') - now) / 60_000));
    return t('state.heldFor', { count: minutes });
  };

  // A hold that has ended is no longer a booking.
  const ended = bookings.some((booking) => isHeld(booking) && Date.parse(booking.heldUntil ?? '') <= now);
  useEffect(() => {
    if (ended && !busy) onOutdated();
  }, [ended, busy, onOutdated]);

  // As on the server: nobody joins an event that has begun, and nothing of a past event can be cancelled.
  const cancelled = event.status === 'CANCELLED';
  const stands = !cancelled && !event.deleted;
  return (
    <>
      <Summary event={event} count={placesIn(bookings)} />
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('participants.title')}>
        {bookings.length === 0 ? (
          <p className={styles.empty}>{t(cancelled ? 'participants.emptyCancelled' : 'participants.empty')}</p>
        ) : (
          <AttendeesTable
            bookings={bookings}
            stateWords={stateWords}
            removable={stands && Date.parse(event.endsOn) > now}
            asked={asked}
            marked={marked}
            removing={removal.isPending ? removal.variables.id : null}
            acts={{ onAsk, onRemove: removal.mutate, onReason }}
          />
        )}
      </div>
      <div className={dialog.words} role="status">
        {told && !removal.error ? <p className="fr-hidden">{told}</p> : null}
        {removal.error ? <Callout tone="fault">{problemText(sayProblem, removal.error)}</Callout> : null}
      </div>
      <div className={dialog.acts}>
        <p>
          <IconLock size={18} stroke={1.75} aria-hidden />
          {t('participants.onlyYou')}
        </p>
        <ExportButton event={event} bookings={bookings} stateWords={stateWords} />
        {stands ? (
          <AddButton
            event={event}
            open={Date.parse(event.startsOn) > now}
            full={placesIn(bookings) >= event.maximumParticipant}
            onAdd={onAdd}
          />
        ) : null}
      </div>
    </>
  );
}

/** The event's name, and how full it is. */
function Summary({ event, count }: { event: OwnEvent; count: number }) {
  const { t } = useTranslation('my-events');
  const cancelled = [t('list.cancelled'), ...(count > 0 ? [t('participants.were', { count })] : [])];
  const places = t('places.of', { taken: count, max: event.maximumParticipant });
  return (
    <p className={dialog.line}>
      {event.eventName} · {formatDays(event.dates, currentLanguage())} ·{' '}
      {event.status === 'CANCELLED' ? cancelled.join(' · ') : places}
    </p>
  );
}

/** Number of people: those who booked, and their companions. */
const placesIn = (bookings: readonly Booking[]): number => bookings.reduce((sum, { places }) => sum + places, 0);

const CSV_COLUMNS = ['firstName', 'familyName', 'email', 'phone', 'registered', 'state', 'places'] as const;

/** Saves the list as a file for spreadsheets. */
function ExportButton({
  event,
  bookings,
  stateWords,
}: {
  event: OwnEvent;
  bookings: readonly Booking[];
  stateWords(booking: Booking): string;
}) {
  const { t } = useTranslation('my-events');
  const save = () => {
    const headings = CSV_COLUMNS.map((column) => t(`participants.${column}`));
    const text = attendeesCsv(headings, bookings, stateWords, { separator: csvSeparator(currentLanguage()) });
    saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${t('participants.file')}-${event.dates[0]}.csv`);
  };
  return (
    <Button
      variant="default"
      disabled={bookings.length === 0}
      leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
      onClick={save}
    >
      {t('participants.export')}
    </Button>
  );
}

interface AddButtonProps {
  event: OwnEvent;
  /** It has not begun. */
  open: boolean;
  full: boolean;
  onAdd(): void;
}

function AddButton({ event, open, full, onAdd }: AddButtonProps) {
  const { t } = useTranslation('my-events');
  const add = t(event.type === 'GROUP' ? 'participants.add' : 'participants.addOne');
  return (
    <Button disabled={!open || full} leftSection={<IconUserPlus size={20} stroke={1.75} aria-hidden />} onClick={onAdd}>
      {full && open ? t('participants.full') : add}
    </Button>
  );
}
