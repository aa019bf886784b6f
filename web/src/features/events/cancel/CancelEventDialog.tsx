/** Cancel event: days, repetition, who gets an email, the reason. Then the emails go out and the event is hidden. */
import { Skeleton } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { listFormat } from '../../../platform/i18n/formats.ts';
import { RadioList } from '../../../ui/controls/choices/RadioList.tsx';
import { EventDialog, type EventDialogContent } from '../dialog/EventDialog.tsx';
import { eventQueries } from '../eventQueries.ts';
import { cancelEvent, deleteEvent, nameOf, type OneEvent } from '../eventsApi.ts';
import { DialogLoadFault } from '../dialog/EventLoadFault.tsx';
import { CancellationForm } from './CancellationForm.tsx';
import styles from './CancelDialogs.module.css';

export interface CancelEventDialogProps {
  eventId: number | null;
  onClose(): void;
  /** Everything is done and the dialog has closed itself. Called with the number of people who get an email. */
  onCancelled(emails: number): void;
}

/**
 * Cancels this event, or it and the later ones of its series (docs/product.md#9.14). `eventId` is null while no dialog
 * is open. If only hiding failed, a retry sends no further emails. Leaving asks while a typed reason was not sent
 * (docs/product.md#9.25).
 */
export function CancelEventDialog({ eventId, ...heard }: CancelEventDialogProps) {
  const { t } = useTranslation('my-events');
  return (
    <EventDialog
      eventId={eventId}
      onClose={heard.onClose}
      size={700}
      title={t('cancel.title')}
      content={(parts) => <Content key={parts.eventId} {...parts} {...heard} />}
    />
  );
}

type ContentProps = EventDialogContent & Omit<CancelEventDialogProps, 'eventId'>;

function Content({ eventId, ...heard }: ContentProps) {
  const { t: tc } = useTranslation('common');
  // Once it is cancelled, the server counts nobody any more; the dialog still shows who gets an email.
  const one = useQuery({ ...eventQueries.attendees(eventId), refetchOnWindowFocus: false });
  if (one.data) {
    const { bookings, clock } = one.data;
    const names = one.data.event.status === 'CANCELLED' ? [] : bookings.map(nameOf);
    return <CancelForm one={one.data} names={names} now={clock()} {...heard} />;
  }
  if (one.error) return <DialogLoadFault fault={one.error} onRetry={() => void one.refetch()} />;
  return (
    <div role="status" aria-busy="true" aria-label={tc('loading')}>
      <Skeleton height={96} radius={12} />
      <Skeleton height={140} radius={12} mt={16} />
    </div>
  );
}

interface CancelFormProps extends Omit<ContentProps, 'eventId'> {
  one: OneEvent;
  /** Number of people booked. */
  names: readonly string[];
  now: number;
}

function CancelForm({
  one: { event, series },
  names,
  now,
  onBusy,
  onChanged,
  onLeave,
  onClose,
  onCancelled,
}: CancelFormProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const [reason, setReason] = useState('');
  const [later, setLater] = useState(false);
  /** The emails are being sent; only hiding the event is left, and a retry sends no further emails. */
  const [cancelled, setCancelled] = useState(event.status === 'CANCELLED');
  const unsent = !cancelled && reason.trim() !== '';
  useEffect(() => {
    onChanged(unsent);
    return () => onChanged(false);
  }, [unsent, onChanged]);

  // In the server's order; past occurrences stay as they were.
  const following = series
    .slice(series.findIndex(({ id }) => id === event.id) + 1)
    .filter(({ endsOn }) => Date.parse(endsOn) > now);
  const affected = later ? [event, ...following] : [event];
  const affectedIds = new Set(affected.map(({ id }) => id));
  const emails = series.reduce((sum, { id, people }) => sum + (affectedIds.has(id) ? people : 0), 0);

  const sending = useMutation({
    mutationFn: async () => {
      onBusy(true);
      if (!cancelled) {
        await cancelEvent({ eventId: event.id, reason, cancelRepetitions: later });
        setCancelled(true);
      }
      await deleteEvent(event.id, later);
    },
    onSettled: () => onBusy(false),
    onSuccess: () => {
      onCancelled(emails);
      onClose();
    },
  });
  const busy = sending.isPending || sending.isSuccess;
  const fault = sending.error ? problemText(sayProblem, sending.error) : null;

  return (
    <CancellationForm
      event={event}
      after={
        <li>
          <IconRepeat size={20} stroke={1.75} aria-hidden />
          <Repeats following={following.length} inSeries={event.repetitions.length > 0} />
        </li>
      }
      question={
        following.length > 0 ? (
          <div className={styles.scope}>
            <RadioList
              question={t('cancel.scope')}
              answers={[
                { value: 'this', words: t('cancel.this') },
                { value: 'later', words: t('cancel.later', { count: following.length }) },
              ]}
              value={later ? 'later' : 'this'}
              onChange={(answer) => setLater(answer === 'later')}
              disabled={busy || cancelled}
            />
          </div>
        ) : null
      }
      reason={reason}
      onReason={setReason}
      email={<Recipients count={emails} names={names} />}
      isUnread={emails === 0}
      fixed={cancelled}
      sending={busy}
      fault={cancelled && fault ? `${t('cancel.hideFailed')} ${fault}` : fault}
      keep={cancelled ? tc('close') : t('cancel.keep')}
      ok={cancelled ? t('cancel.again') : t('cancel.ok')}
      onKeep={onLeave}
      onSend={() => sending.mutate()}
    />
  );
}

function Repeats({ following, inSeries }: { following: number; inSeries: boolean }) {
  const { t } = useTranslation('my-events');
  if (following > 0) return <span>{t('cancel.repeats', { count: following })}</span>;
  return <span>{inSeries ? t('cancel.lastOfSeries') : t('cancel.once')}</span>;
}

const NAMES_SHOWN = 8;

/** How many people get an email, the first of them by name. */
function Recipients({ count, names }: { count: number; names: readonly string[] }) {
  const { t } = useTranslation('my-events');
  const others = count - Math.min(names.length, NAMES_SHOWN);
  const listed = [...names.slice(0, NAMES_SHOWN), ...(others > 0 ? [t('cancel.others', { count: others })] : [])];
  return (
    <>
      {count === 0 ? t('cancel.emailsNone') : t('cancel.emails', { count })}
      {names.length > 0 ? <p className={styles.people}>{listFormat(currentLanguage()).format(listed)}</p> : null}
    </>
  );
}
