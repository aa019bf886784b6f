/** The bookings, a row each. A row asks first when its bin is pressed, and removes on the second press. */
import type { Booking } from '@fieldroom/contract/bookings';
import { ActionIcon, Button } from '@mantine/core';
import { IconMailExclamation, IconTrash } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { dateFormat } from '../../../platform/i18n/formats.ts';
import { useFocusBack } from '../../../ui/controls/useFocusBack.ts';
import { nameOf } from '../eventsApi.ts';
import { registrationDate } from './attendeesCsv.ts';
import { emailLink, phoneLink } from './contactLinks.ts';
import styles from './AttendeesDialog.module.css';

interface RowActs {
  /** Asks whether this booking should be removed; null withdraws the question. */
  onAsk(bookingId: number | null): void;
  onRemove(booking: Booking): void;
  /** Leads to the dialog that takes a reason. */
  onReason(booking: Booking): void;
}

export interface AttendeesTableProps {
  bookings: readonly Booking[];
  stateWords(booking: Booking): string;
  /** Bookings can still be cancelled. */
  removable: boolean;
  /** The booking in the question, and the one that is being removed. */
  asked: number | null;
  /** The booking to highlight. */
  marked: number | null;
  removing: number | null;
  acts: RowActs;
}

const COLUMNS = ['name', 'email', 'phone', 'registered'] as const;

/**
 * Draws only; the dialog around it holds the question and sends. `stateWords` returns the words for a booking's state,
 * a hold with its minutes.
 */
export function AttendeesTable({
  bookings,
  stateWords,
  removable,
  asked,
  marked,
  removing,
  acts,
}: AttendeesTableProps) {
  const { t } = useTranslation('my-events');
  const bin = useFocusBack<number>();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {t(`participants.${column}`)}
            </th>
          ))}
          <th scope="col">
            <span className="fr-hidden">{t('participants.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {bookings.map((booking) =>
          booking.id === asked ? (
            <QuestionRow
              key={booking.id}
              booking={booking}
              removing={removing}
              acts={acts}
              onKeep={() => {
                bin.expect(booking.id);
                acts.onAsk(null);
              }}
            />
          ) : (
            <AttendeeRow
              key={booking.id}
              booking={booking}
              state={stateWords(booking)}
              removable={removable}
              marked={booking.id === marked}
              disabled={removing !== null}
              onAsk={acts.onAsk}
              bin={bin.ref(booking.id)}
            />
          ),
        )}
      </tbody>
    </table>
  );
}

/** An instant in the language's wording, by the browser's clock. */
const inWords = (instant: string): string =>
  dateFormat(currentLanguage(), { dateStyle: 'long', timeStyle: 'short' }).format(new Date(instant));

/** Outside of components, so that it is called once and not for each drawing. */
const bringIntoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' });

interface AttendeeRowProps {
  booking: Booking;
  state: string;
  removable: boolean;
  marked: boolean;
  disabled: boolean;
  onAsk: RowActs['onAsk'];
  /** Gets the focus back after the question. */
  bin: Ref<HTMLButtonElement>;
}

function AttendeeRow({ booking, state, removable, marked, disabled, onAsk, bin }: AttendeeRowProps) {
  const { t } = useTranslation('my-events');
  const { phone } = booking.participant;
  return (
    <tr ref={marked ? bringIntoView : null} data-marked={marked || undefined} aria-current={marked || undefined}>
      <th scope="row">
        <span className={styles.who}>
          <bdi>{nameOf(booking)}</bdi>{' '}
          {booking.places > 1 ? (
            <span className={styles.along}>{t('participants.along', { count: booking.places - 1 })}</span>
          ) : null}{' '}
          <span className={styles.state} data-state={booking.state}>
            {state}
          </span>
        </span>
      </th>
      <td data-label={t('participants.email')}>
        <EmailCell booking={booking} />
      </td>
      <td data-whole data-label={t('participants.phone')}>
        {phone ? <a href={phoneLink(phone)}>{phone}</a> : '–'}
      </td>
      <td data-whole data-label={t('participants.registered')}>
        {/* The form is fixed (docs/product.md#9.20); the language's wording helps if it could be misread. */}
        <time dateTime={booking.bookingDate} title={inWords(booking.bookingDate)}>
          {registrationDate(booking.bookingDate)}
        </time>
      </td>
      <td className={styles.act}>
        {removable ? (
          <ActionIcon
            ref={bin}
            size={40}
            variant="transparent"
            className={styles.bin}
            disabled={disabled}
            aria-label={t('participants.removeName', { name: nameOf(booking) })}
            onClick={() => onAsk(booking.id)}
          >
            <IconTrash size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        ) : null}
      </td>
    </tr>
  );
}

/** The address, and whether our emails to it arrive. */
function EmailCell({ booking: { participant, emailState } }: { booking: Booking }) {
  const { t } = useTranslation('my-events');
  const at = participant.email.lastIndexOf('@');
  return (
    <span className={styles.address}>
      <a href={emailLink(participant.email)} aria-label={participant.email}>
        {participant.email.slice(0, at)}
        {/* A long one continues on a second line, not within a word. */}
        <wbr />
        {participant.email.slice(at)}
      </a>
      {emailState === 'delayed' || emailState === 'failed' ? (
        <span className={styles.delivery} data-state={emailState}>
          <IconMailExclamation size={16} stroke={1.75} aria-hidden />
          {t(`participants.emailState.${emailState}`)}
        </span>
      ) : null}
    </span>
  );
}

interface QuestionRowProps {
  booking: Booking;
  removing: number | null;
  acts: RowActs;
  onKeep(): void;
}

function QuestionRow({ booking, removing, acts, onKeep }: QuestionRowProps) {
  const { t } = useTranslation('my-events');
  const busy = removing !== null;
  const question = t('participants.ask', { name: nameOf(booking) });
  return (
    <tr className={styles.asking}>
      <td colSpan={COLUMNS.length + 1}>
        <div className={styles.question} role="group" aria-label={question}>
          <div>
            <strong>{question}</strong>
            <span>{t('participants.askText', { name: booking.participant.name })}</span>
            <button type="button" className={styles.withReason} disabled={busy} onClick={() => acts.onReason(booking)}>
              {t('participants.withReason')}
            </button>
          </div>
          <span className={styles.answers}>
            {/* Not on the act: an Enter that is held down must not skip the question. */}
            <Button size="sm" variant="default" data-autofocus autoFocus disabled={busy} onClick={onKeep}>
              {t('participants.keep')}
            </Button>
            <Button size="sm" color="danger" loading={removing === booking.id} onClick={() => acts.onRemove(booking)}>
              {t('participants.remove')}
            </Button>
          </span>
        </div>
      </td>
    </tr>
  );
}
