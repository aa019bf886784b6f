/**
 * When each room with a live session was last active (somebody arrived, left or acted), and since when its therapist is
 * away. It is kept in memory; several nodes share the times roughly. Times are product time in milliseconds.
 */
import { THERAPIST_AWAY_MINUTES } from '@fieldroom/contract/clients';
import type { Queryable } from '../../../platform/db/db.ts';
import type { Nodes } from '../../../platform/nodes/nodes.ts';

/** The live session ends this long after the therapist has left. */
export const AWAY_MS = THERAPIST_AWAY_MINUTES * 60_000;
/** A page that is loaded again, or a connection that was lost for a moment, is back by then. */
const RELOAD_MS = 60_000;

export interface Activity {
  /** Since when nobody else was in the room and nobody acted, for `rules.nextDue`. */
  quietSince(therapistId: number): number;
  /** When somebody changed the field last. */
  lastAct(therapistId: number): number;
  /** Somebody else was in the room or acted, as this node knows. */
  stirred(therapistId: number, atMs: number): void;
  /** The same, for other nodes too. */
  stirredOnAllNodes(therapistId: number, atMs: number): void;
  /** Something changed on the field, for other nodes too. It stirs the room as well, which the caller tells. */
  acted(therapistId: number, atMs: number): void;
  /** Since when the therapist in a live session has no connection; null when there is one. */
  setAway(therapistId: number, sinceMs: number | null): void;
  /** When the live session ends without its therapist; Infinity while they are here. */
  awayEnd(therapistId: number): number;
  /** The announced end, which reaches memory a little later than the database. */
  lateEnd(therapistId: number, dueMs: number): number;
  /** Until when a therapist without a connection is taken to be in the room. */
  hereUntil(therapistId: number): number;
  /** Takes over the times at which other nodes last saw activity and an act. */
  catchUp(tx: Queryable, therapistId: number): Promise<void>;
  /** The live session is over. */
  forget(therapistId: number): void;
}

/** Makes the record of all rooms. Takes what shares moments with other nodes. */
export function createActivity(nodes: Pick<Nodes, 'lastTimes'>): Activity {
  const lastStirs = new Map<number, number>();
  const lastActs = new Map<number, number>();
  const awaySince = new Map<number, number>();
  /** The two times that other nodes have to know, roughly. */
  const times = { stir: nodes.lastTimes('usage stirred'), act: nodes.lastTimes('usage acted') };

  const awayEnd = (therapistId: number) => (awaySince.get(therapistId) ?? Infinity) + AWAY_MS;

  return {
    quietSince: (therapistId) => lastStirs.get(therapistId) ?? -Infinity,
    lastAct: (therapistId) => lastActs.get(therapistId) ?? -Infinity,
    stirred: (therapistId, atMs) => void lastStirs.set(therapistId, atMs),
    stirredOnAllNodes(therapistId, atMs) {
      lastStirs.set(therapistId, atMs);
      times.stir.set(therapistId, atMs);
    },
    acted(therapistId, atMs) {
      lastActs.set(therapistId, atMs);
      times.act.set(therapistId, atMs);
    },
    setAway(therapistId, sinceMs) {
      if (sinceMs === null) awaySince.delete(therapistId);
      else awaySince.set(therapistId, sinceMs);
    },
    awayEnd,
    lateEnd: (therapistId, dueMs) => (awaySince.has(therapistId) ? Math.max(dueMs, awayEnd(therapistId)) : dueMs),
    hereUntil: (therapistId) => (awaySince.get(therapistId) ?? -Infinity) + RELOAD_MS,
    async catchUp(tx, therapistId) {
      for (const [known, shared] of [
        [lastStirs, times.stir],
        [lastActs, times.act],
      ] as const) {
        const atMs = (await shared.read(tx, [therapistId])).get(therapistId);
        if (atMs !== undefined) known.set(therapistId, Math.max(atMs, known.get(therapistId) ?? -Infinity));
      }
    },
    forget(therapistId) {
      lastStirs.delete(therapistId);
      lastActs.delete(therapistId);
      times.stir.forget(therapistId);
      times.act.forget(therapistId);
      awaySince.delete(therapistId);
    },
  };
}
