/** Looks for silence: one sweep over all connections, which have no timers of their own. */
import { backlog, type Conn, type Failure } from './stomp-connection.ts';
import { HEARTBEAT_WIRE, PING_WIRE } from '../stomp-outlet.ts';
import type { StompEvent, StompLimits } from '../stomp-types.ts';

export interface SweepParts<P> {
  readonly connections: ReadonlySet<Conn<P>>;
  readonly limits: StompLimits;
  /** Milliseconds between two sweeps. */
  readonly sweepMs: number;
  /** Real time in milliseconds, which only goes forward. */
  now(): number;
  count(event: StompEvent): void;
  /** Ends a connection with an ERROR frame. */
  fail(connection: Conn<P>, failure: Failure): void;
}

/** Makes the sweep: it sends heart-beats and pings that are due, and ends connections that are silent for too long. */
export function createSweep<P>({ connections, limits, sweepMs, now, count, fail }: SweepParts<P>): () => void {
  let sweptAt = now();
  return () => {
    const at = now();
    // This process was suspended (with its machine): no connection could show that it is alive, so none is judged by
    // it.
    const stalled = at - sweptAt > sweepMs * 5 + limits.deadAfterMs / 3;
    // A CONNECT that came during a shorter stall is not read yet, either.
    const lateMs = at - sweptAt > sweepMs * 5 ? at - sweptAt : 0;
    sweptAt = at;
    for (const connection of connections) {
      if (connection.state === 'closing' || connection.state === 'closed') continue;
      connection.openedAt += lateMs;
      if (connection.state === 'waiting' && at - connection.openedAt > limits.connectMs) {
        fail(connection, { code: 'timeout', message: 'CONNECT did not arrive in time', closeCode: 1008 });
        continue;
      }
      // Early by two sweeps, because the next look may be late by one.
      if (
        connection.beatOutMs > 0 &&
        connection.state === 'open' &&
        at - connection.lastOut >= connection.beatOutMs - Math.min(connection.beatOutMs / 2, sweepMs * 2)
      ) {
        connection.lastOut = at;
        if (connection.socket.writable && backlog(connection) < limits.softBytes)
          connection.socket.write(HEARTBEAT_WIRE);
      }
      // While we don't read, we can't hear.
      if (connection.pausedAt !== 0) continue;
      if (stalled) connection.lastIn = at;
      const silence = at - connection.lastIn;
      // An answered ping counts like a heart-beat: browsers slow the timers of hidden pages to one a minute.
      if (silence > limits.deadAfterMs || (connection.beatInMs > 0 && silence > connection.beatInMs * 2 + sweepMs)) {
        count('closedDead');
        connection.ws.terminate();
        continue;
      }
      if (silence > limits.deadAfterMs / 3 && at - connection.pingedAt > limits.deadAfterMs / 3) {
        connection.pingedAt = at;
        if (connection.socket.writable) connection.socket.write(PING_WIRE);
      }
    }
  };
}
