/** The latest bookings, with their states. */
import { type BookingState, type LatestBooking, LATEST_BOOKINGS } from '@fieldroom/contract/bookings';
import { fullName } from '@fieldroom/contract/names';
import { MY_EVENTS_PAGE } from '@fieldroom/contract/pages';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { useProductClock } from '../../../platform/time/useProductClock.ts';
import { useTicking } from '../../events/list/index.ts';
import { Card, Loaded } from '../Card.tsx';
import styles from '../Dashboard.module.css';
import { dashboardQueries } from '../dashboardQueries.ts';
import { minutesLeft } from '../dashboardWords.ts';

/**
 * A row leads to the participants of its event. Holds count down and end automatically. `onAttendees` opens the dialog.
 */
export function BookingsCard({ onAttendees }: { onAttendees(eventId: number): void }) {
  const { t } = useTranslation('dashboard');
  const query = useQuery(dashboardQueries.bookings());
  return (
    <Card title={t('bookings.title')} rows aside={<Link to={MY_EVENTS_PAGE}>{t('bookings.all')}</Link>}>
      <Loaded query={query} failed={t('bookings.failed')} bones={<Bones />}>
        {(bookings) =>
          bookings.length === 0 ? (
            <p className={styles.none}>{t('bookings.none')}</p>
          ) : (
            <Rows bookings={bookings.slice(0, LATEST_BOOKINGS)} onAttendees={onAttendees} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Bones() {
  return (
    <div className={styles.rowBones}>
      {[1, 2].map((key) => (
        <Skeleton key={key} height={40} radius={12} />
      ))}
    </div>
  );
}

/** A hold that has ended since it was fetched has expired, as on the server. */
function stateAt({ state, heldUntil }: LatestBooking, now: number): BookingState {
  return state === 'HELD' && heldUntil !== null && Date.parse(heldUntil) <= now ? 'EXPIRED' : state;
}

function Rows({ bookings, onAttendees }: { bookings: readonly LatestBooking[]; onAttendees(eventId: number): void }) {
  const clock = useProductClock();
  const now = useTicking(
    clock,
    bookings.some(({ state }) => state === 'HELD'),
  );
  return (
    <ul className={styles.rows}>
      {bookings.map((booking) => (
        <Row
          key={`${booking.eventId} ${booking.bookedOn} ${booking.firstName} ${booking.lastName}`}
          booking={booking}
          now={now}
          onAttendees={onAttendees}
        />
      ))}
    </ul>
  );
}

function Row({
  booking,
  now,
  onAttendees,
}: {
  booking: LatestBooking;
  now: number;
  onAttendees(eventId: number): void;
}) {
  const { t } = useTranslation('dashboard');
  const along = booking.places > 1 ? ` +${booking.places - 1}` : '';
  const name = `${fullName(currentLanguage(), booking)}${along}`;
  const state = stateAt(booking, now);
  const words =
    state === 'HELD' && booking.heldUntil
      ? t('bookings.heldFor', { count: minutesLeft(Date.parse(booking.heldUntil), now) })
      : t(`bookings.state.${state}`);
  return (
    <li>
      <button type="button" className={styles.booking} onClick={() => onAttendees(booking.eventId)}>
        <span className={styles.initial} data-initial={[...name][0]?.toUpperCase()} aria-hidden />
        <span className={styles.bookingWords}>
          <span className={styles.who}>
            <span>{name}</span>
            <span className="fr-hidden">, </span>
            <span>{booking.eventName}</span>
          </span>
          <span className="fr-hidden">, </span>
          <span className={styles.pill} data-state={state}>
            {words}
          </span>
        </span>
      </button>
    </li>
  );
}
