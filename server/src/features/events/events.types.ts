/** The door of events as other features see it. */
import type { PublicHost } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import type { AccessValues, Principal } from '../../access.ts';
import type { Queryable, Tx } from '../../platform/db/db.ts';
import type { Gates, Http } from '../../platform/http/http.ts';
import type { Web } from '../../platform/http/static.ts';
import type { events } from './events.tables.ts';

/** One occurrence as it is stored; times are `HH:mm`. */
export type EventRow = typeof events.$inferSelect;

/** Who invites, with what letters need beyond what the public sees. */
export interface Host extends PublicHost {
  readonly email: string;
  readonly language: Language;
  readonly timeZone: string;
}

/** Who invited once. */
export interface Inviter extends Host {
  /** Whether there is anything to book, to confirm or to enter with them. */
  readonly canBeMet: boolean;
}

/** What changed for those who are booked: time, place or zone (not words, price or picture). */
export interface EventChange {
  readonly before: EventRow;
  readonly after: EventRow;
}

export interface Events {
  /** An occurrence, also a cancelled or deleted one; null where there is none. */
  find(eventId: number, queries?: Queryable): Promise<EventRow | null>;
  /**
   * The same, locked until the transaction ends (FOR NO KEY UPDATE). Whatever takes or frees a seat, changes or cancels an
   * event locks its row first, several in the order of their ids, so that all of it happens one after the other.
   */
  lock(tx: Tx, eventId: number): Promise<EventRow | null>;
  /** Who invites to a therapist's events; null for somebody who can't be met: not verified, suspended, no therapist. */
  host(therapistId: number, queries?: Queryable): Promise<Host | null>;
  /** Who has invited, for those who are booked already: also somebody who can't be met any more. */
  inviter(therapistId: number, queries?: Queryable): Promise<Inviter | null>;
  /** Called inside the transaction that cancels an occurrence, after its row is locked and marked. */
  onCancelling(listener: (tx: Tx, cancelled: { event: EventRow; reason: string }) => Promise<void>): void;
  /** Called inside the transaction that changed time or place of an occurrence that is still to come. */
  onChanging(listener: (tx: Tx, change: EventChange) => Promise<void>): void;
  readonly gates: Pick<
    Gates<Principal, AccessValues>,
    | 'therapist, own events'
    | 'therapist, own images'
    | 'anyone, published events'
    | 'anyone, published events; the owner also the others'
  >;
  routes(http: Http): void;
  /** Mounts the public pages, whose document the web brings. After `mountWeb`. */
  pages(http: Http, web: Web): void;
}
