/** The latest bookings, for the therapist's overview. */
import { sql } from 'drizzle-orm';
import { LATEST_BOOKINGS, type LatestBooking } from '@fieldroom/contract/bookings';
import type { Queryable } from '../../../platform/db/db.ts';

interface Row extends Record<string, unknown> {
  event_id: number;
  name: string;
  starts_at: string;
  places: number;
  first_name: string;
  last_name: string;
  state: 'HELD' | 'CONFIRMED';
  held_until: string | null;
  created_at: string;
}

const instant = (text: string) => new Date(text).toISOString();

/** Held and confirmed places at events of a therapist that are not over, the newest first. */
export async function readLatest(db: Queryable, therapistId: number): Promise<LatestBooking[]> {
  const { rows } = await db.execute<Row>(sql`
    SELECT e.id AS event_id, e.name, e.starts_at, b.places, b.first_name, b.last_name, b.state, b.held_until, b.created_at
      FROM events e JOIN bookings b ON b.event_id = e.id
     WHERE e.therapist_id = ${therapistId} AND e.ends_at > product_now() AND e.status = 'PUBLISHED' AND e.deleted_at IS NULL
       AND (b.state = 'CONFIRMED' OR (b.state = 'HELD' AND b.held_until > product_now())) AND b.erased_at IS NULL
     ORDER BY b.created_at DESC, b.id DESC LIMIT ${LATEST_BOOKINGS}`);
  return rows.map((row) => ({
    eventId: row.event_id,
    eventName: row.name,
    startsOn: instant(row.starts_at),
    places: row.places,
    firstName: row.first_name,
    lastName: row.last_name,
    state: row.state,
    heldUntil: row.state === 'HELD' && row.held_until !== null ? instant(row.held_until) : null,
    bookedOn: instant(row.created_at),
  }));
}
