/** How the connections of a node that stops end: bit by bit while other nodes take them, or all at once. */
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { type Change, CLOSE_MOVE } from '@fieldroom/contract/realtime';
import type { Principal } from '../access.ts';
import type { Sender } from './channel.ts';
import type { StompBroker, StompConnection } from '../platform/realtime/stomp-broker.ts';

const TICK_MS = 100;
const restart: Change = { eventType: 'RESTART', contents: null };

export interface Leaving {
  /** Whether the node takes no new connections any more. */
  hasBegun(): boolean;
  /**
   * Takes no new connections and ends the others one by one over this time, so that not all come to the other nodes at
   * once.
   */
  leave(withinMs: number): Promise<void>;
  /** Tells every browser that the service restarts, and closes all connections in peace. */
  stop(timeoutMs?: number): Promise<void>;
}

/** Makes the end of the connections. Takes the broker, and how to tell a connection something. */
export function createLeaving({
  broker,
  senderOf,
}: {
  broker: StompBroker<Principal>;
  senderOf(connection: StompConnection<Principal>): Pick<Sender, 'tell'>;
}): Leaving {
  let begun = false;
  return {
    hasBegun: () => begun,
    async leave(withinMs) {
      begun = true;
      const until = performance.now() + withinMs;
      for (;;) {
        const left = broker.connectionsOf(() => true);
        if (left.length === 0) return;
        const ticks = Math.max(1, Math.floor((until - performance.now()) / TICK_MS));
        const some = new Set(left.slice(0, Math.ceil(left.length / ticks)));
        for (const connection of some) senderOf(connection).tell(restart);
        broker.disconnect((_, one) => some.has(one), { code: CLOSE_MOVE, reason: 'come to another node' });
        // What does not close is cut when the node stops.
        if (performance.now() > until) return;
        await wait(TICK_MS);
      }
    },
    async stop(timeoutMs) {
      begun = true;
      for (const connection of broker.connectionsOf(() => true)) senderOf(connection).tell(restart);
      await turn();
      await broker.drain(timeoutMs);
    },
  };
}
