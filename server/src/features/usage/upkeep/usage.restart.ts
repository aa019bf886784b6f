/**
 * The effects of a stop or a crash of the server on running timers (rule 3). usage.sweep.ts writes the sign of life
 * that bounds it; activity/usage.reactions.ts continues a timer when its therapist is back.
 */
import type { Nodes } from '../../../platform/nodes/nodes.ts';
import type { Counters } from '../timer/usage.counters.ts';
import type { UsageParts } from '../usage.parts.ts';
import * as store from '../usage.store.ts';

export interface Restart {
  /**
   * At the start of the server, before anybody connects: ends intervals that a crash left running. `isAlone`: no other
   * node counts.
   */
  afterStart(how: { isAlone: boolean }): Promise<void>;
  /** Ends all intervals at this moment. */
  stopAll(): Promise<void>;
}

/** Makes the work at the start and the stop of a server. */
export function createRestart({
  db,
  room,
  sessions,
  nodes,
  counters,
}: Pick<UsageParts, 'db' | 'room' | 'sessions'> & {
  nodes: Pick<Nodes, 'isShared' | 'hasOthers'>;
  counters: Counters;
}): Restart {
  async function endAll(how: { now: boolean }): Promise<void> {
    await db.transaction(async (tx) => {
      // As in every act: the room's row is locked before the intervals when a live session ends.
      await room.lockAll(tx, await store.runningTherapists(tx));
      const liveSessionIds = await store.endAll(tx, how);
      await sessions.setCountedSeconds(tx, await store.countedIn(tx, liveSessionIds));
    });
  }

  return {
    // Intervals counted by another node continue. Without a sign of life nobody counted: of nodes that start together
    // after an outage each ends it, before it writes a sign of its own.
    async afterStart({ isAlone }) {
      if (isAlone || (await store.isHeartbeatOld(db))) await endAll({ now: false });
    },

    async stopAll() {
      if (nodes.isShared ? await nodes.hasOthers() : counters.running() === 0) return;
      await endAll({ now: true });
    },
  };
}
