/** Participant list (dialog 5): who is booked, removing with a second click, adding, and the list as a file. For the owner alone. */
import type { Booking } from '@fieldroom/contract/bookings';
import type { OwnEvent } from '@fieldroom/contract/events';
import { ActionIcon, Button, Skeleton } from '@mantine/core';
import { IconDownload, IconLock, IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import dialog from '../../ui/Dialog.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { AddParticipantsDialog } from './AddParticipantsDialog.tsx';
import { CancelBookingDialog, nameOf } from './CancelBookingDialog.tsx';
import { deleteParticipant, findBookings, getMyEvent, productNow } from './events.api.ts';
import { formatDays } from './events.format.ts';
import { csvSeparator, participantsCsv, registrationDate } from './participants.csv.ts';
import { useLoaded } from './useLoaded.ts';
import styles from './ParticipantsDialog.module.css';

export interface ParticipantsDialogProps {
  eventId: number | null;
  onClose(): void;
  /** Somebody was added or removed: the list behind has other numbers now. */
  onChanged(): void;
}

type Row = Booking & {
  /** The first click was made; the second removes (specification, section 4). */ doubleApproval: boolean;
};

export function ParticipantsDialog({ eventId, onClose, onChanged }: ParticipantsDialogProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const language = currentLanguage();
  const [approving, setApproving] = useState<number | null>(null);
  const [removing, setRemoving] = useState<number | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [told, setTold] = useState('');
  const [adding, setAdding] = useState(false);
  const [cancelling, setCancelling] = useState<Booking | null>(null);
  const loaded = useLoaded(eventId, async (signal) => {
    const [{ event }, bookings, now] = await Promise.all([
      getMyEvent(eventId as number, signal),
      findBookings(eventId as number, signal),
      productNow(signal),
    ]);
    return { event, bookings, now };
  });
  const event: OwnEvent | undefined = loaded.data?.event;
  const rows: Row[] = (loaded.data?.bookings ?? []).map((booking) => ({
    ...booking,
    doubleApproval: booking.id === approving,
  }));
  const taken = rows.length;
  const free = event ? event.maximumParticipant - taken : 0;
  const open =
    event !== undefined && event.status === 'PUBLISHED' && Date.parse(event.startsOn) > (loaded.data?.now ?? 0);
  const stateWord = (booking: Booking) => {
    if (booking.state !== 'HELD') return t(`state.${booking.state}`);
    const minutes = Math.max(1, Math.ceil((Date.parse(booking.heldUntil ?? '') - (loaded.data?.now ?? 0)) / 60_000));
    return t('state.heldFor', { count: minutes });
  };

  const changed = () => {
    loaded.again();
    onChanged();
  };
  const remove = async (booking: Booking) => {
    if (!event) return;
    setRemoving(booking.id);
    setProblem(null);
    try {
      await deleteParticipant(event.id, {
        participant: {
          email: booking.participant.email,
          name: booking.participant.name,
          familyName: booking.participant.familyName,
        },
      });
      setApproving(null);
      setTold(t('participants.removed', { name: nameOf(booking) }));
      changed();
    } catch (fault) {
      setProblem(fault);
    } finally {
      setRemoving(null);
    }
  };
  const save = () => {
    if (!event) return;
    const headings = ['firstName', 'familyName', 'email', 'phone', 'registered', 'state'].map((column) =>
      t(`participants.${column}`),
    );
    const file = new Blob([participantsCsv(headings, rows, stateWord, { separator: csvSeparator(language) })], {
      type: 'text/csv;charset=utf-8',
    });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${t('participants.file')}-${event.dates[0]}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

  return (
    <>
      <Dialog
        opened={eventId !== null && !adding && cancelling === null}
        onClose={onClose}
        size={800}
        title={t('participants.title')}
        close={tc('close')}
        closeOnClickOutside
      >
        {loaded.problem ? (
          <>
            <Note tone="fault" role="alert">
              {problemText(sayProblem, loaded.problem)}
            </Note>
            <div className={dialog.acts}>
              <Button variant="default" onClick={loaded.again}>
                {tc('tryAgain')}
              </Button>
            </div>
          </>
        ) : !event ? (
          <div role="status" aria-busy="true" aria-label={tc('loading')}>
            <Skeleton height={44} radius={12} />
            <Skeleton height={160} radius={12} mt={16} />
          </div>
        ) : (
          <>
            <p className={dialog.line}>
              {event.eventName} · {formatDays(event.dates, language)} ·{' '}
              {t('places.of', { taken, max: event.maximumParticipant })}
            </p>
            {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
            <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('participants.title')}>
              {rows.length === 0 ? (
                <p className={styles.empty}>{t('participants.empty')}</p>
              ) : (
                <table className={styles.table}>
                  <thead>
                    <tr>
                      <th scope="col">{t('participants.name')}</th>
                      <th scope="col">{t('participants.email')}</th>
                      <th scope="col">{t('participants.phone')}</th>
                      <th scope="col">{t('participants.registered')}</th>
                      <th scope="col">
                        <span className="fr-hidden">{t('participants.actions')}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) =>
                      row.doubleApproval ? (
                        <tr key={row.id} className={styles.asking}>
                          <td colSpan={5}>
                            <div
                              className={styles.question}
                              role="group"
                              aria-label={t('participants.ask', { name: nameOf(row) })}
                            >
                              <div>
                                <strong>{t('participants.ask', { name: nameOf(row) })}</strong>
                                <span>{t('participants.askText', { name: row.participant.name })}</span>
                                <button
                                  type="button"
                                  className={styles.withReason}
                                  disabled={removing !== null}
                                  onClick={() => setCancelling(row)}
                                >
                                  {t('participants.withReason')}
                                </button>
                              </div>
                              <span className={styles.answers}>
                                <Button
                                  size="sm"
                                  variant="subtle"
                                  color="danger"
                                  disabled={removing !== null}
                                  onClick={() => setApproving(null)}
                                >
                                  {t('participants.keep')}
                                </Button>
                                <Button
                                  size="sm"
                                  color="danger"
                                  data-autofocus
                                  autoFocus
                                  loading={removing === row.id}
                                  onClick={() => void remove(row)}
                                >
                                  {t('participants.remove')}
                                </Button>
                              </span>
                            </div>
                          </td>
                        </tr>
                      ) : (
                        <tr key={row.id}>
                          <th scope="row">
                            <span className={styles.who}>
                              {nameOf(row)}{' '}
                              <span className={styles.state} data-state={row.state}>
                                {stateWord(row)}
                              </span>
                            </span>
                          </th>
                          <td data-label={t('participants.email')}>
                            <a href={`mailto:${encodeURIComponent(row.participant.email)}`}>{row.participant.email}</a>
                          </td>
                          <td data-whole data-label={t('participants.phone')}>
                            {row.participant.phone || '–'}
                          </td>
                          <td data-whole data-label={t('participants.registered')}>
                            {registrationDate(row.bookingDate)}
                          </td>
                          <td className={styles.act}>
                            {open ? (
                              <ActionIcon
                                size={40}
                                variant="transparent"
                                className={styles.bin}
                                disabled={removing !== null}
                                aria-label={t('participants.removeName', { name: nameOf(row) })}
                                onClick={() => setApproving(row.id)}
                              >
                                <IconTrash size={20} stroke={1.75} aria-hidden />
                              </ActionIcon>
                            ) : null}
                          </td>
                        </tr>
                      ),
                    )}
                  </tbody>
                </table>
              )}
            </div>
            <div className={dialog.words} role="status">
              {told && !problem ? <p className="fr-hidden">{told}</p> : null}
              {problem ? <Note tone="fault">{problemText(sayProblem, problem)}</Note> : null}
            </div>
            <div className={dialog.acts}>
              <p>
                <IconLock size={18} stroke={1.75} aria-hidden />
                {t('participants.onlyYou')}
              </p>
              <Button
                variant="default"
                disabled={rows.length === 0}
                leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
                onClick={save}
              >
                {t('participants.export')}
              </Button>
              {event.status === 'PUBLISHED' ? (
                <Button
                  disabled={!open || free <= 0}
                  leftSection={<IconUserPlus size={20} stroke={1.75} aria-hidden />}
                  onClick={() => setAdding(true)}
                >
                  {free <= 0 && open
                    ? t('participants.full')
                    : event.type === 'GROUP'
                      ? t('participants.add')
                      : t('participants.addOne')}
                </Button>
              ) : null}
            </div>
          </>
        )}
      </Dialog>
      {event && adding ? (
        <AddParticipantsDialog
          opened
          event={event}
          free={free}
          onBack={(added) => {
            setAdding(false);
            if (added > 0) changed();
          }}
        />
      ) : null}
      {event && cancelling ? (
        <CancelBookingDialog
          opened
          event={event}
          booking={cancelling}
          onClose={() => setCancelling(null)}
          onCancelled={(name) => {
            setCancelling(null);
            setApproving(null);
            setTold(t('participants.removed', { name }));
            changed();
          }}
        />
      ) : null}
    </>
  );
}
