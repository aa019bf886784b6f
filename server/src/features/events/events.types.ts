/** Events in the form for other features. */
import type { PublicHost } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import type { Gates, Http } from '../../access.ts';
import type { SearchSource } from '../../feature.ts';
import type { Queryable, Tx } from '../../platform/db/db.ts';
import type { Web } from '../../pages/pages.ts';
import type { events } from './events.tables.ts';

/** One occurrence in the stored form; times are `HH:mm`. */
export type EventRow = typeof events.$inferSelect;

/** The therapist who invites, with what emails need beyond what the public sees. */
export interface Host extends PublicHost {
  readonly email: string;
  readonly language: Language;
  readonly timeZone: string;
  /** Whether the account is proven. Emails make no links of what other people typed. */
  readonly isProven: boolean;
}

/** The therapist who invited, perhaps before they were suspended. */
export interface Inviter extends Host {
  /** Whether people can book, confirm or enter with this therapist. */
  readonly canBeMet: boolean;
}

/** A change that matters to people who are booked: time, place or zone, but not texts, price or picture. */
export interface EventChange {
  readonly before: EventRow;
  readonly after: EventRow;
}

/** Occurrences that one act cancels. */
export interface CancelledEvents {
  readonly events: readonly EventRow[];
  readonly reason: string;
}

export interface Events {
  /** An occurrence, even a cancelled or deleted one; null if it does not exist. */
  find(eventId: number, queries?: Queryable): Promise<EventRow | null>;
  /**
   * The same, locked until the transaction ends (FOR NO KEY UPDATE). Each act that takes or frees a place, or changes
   * or cancels an event, locks the event's row first, so that these acts happen one after the other. Several rows are
   * locked in the order of their ids. With `noWait` a row that another transaction has locked is a fault at once
   * (55P03).
   */
  lock(tx: Tx, eventId: number, how?: { noWait?: boolean }): Promise<EventRow | null>;
  /** The therapist who invites; null without a public page: not verified, suspended, or no therapist. */
  host(therapistId: number, queries?: Queryable): Promise<Host | null>;
  /** The therapist who invited, for people who are booked already, even if they no longer have a public page. */
  inviter(therapistId: number, queries?: Queryable): Promise<Inviter | null>;
  /** Called inside the transaction that cancels occurrences, after their rows are locked and marked. */
  onCancelling(listener: (tx: Tx, cancelled: CancelledEvents) => Promise<void>): void;
  /**
   * Called inside the transaction that changed time or place of occurrences still to come. The listener returns how
   * many emails it wrote.
   */
  onChanging(listener: (tx: Tx, changes: readonly EventChange[]) => Promise<number>): void;
  /**
   * Cancels an event, and with `andLater` the later ones of its series: everybody who is booked gets an email with the
   * reason. Problems: `not_found`, `event_over`.
   */
  cancel(eventId: number, reason: string, andLater: boolean): Promise<void>;
  readonly gates: Pick<Gates, 'ownEvents' | 'ownImages' | 'published' | 'publishedOrOwn'>;
  readonly search: readonly SearchSource<'events'>[];
  routes(http: Http): void;
  /** Mounts the public pages. */
  pages(http: Http, web: Web): void;
}
