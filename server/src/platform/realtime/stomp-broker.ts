/**
 * A STOMP 1.0, 1.1 and 1.2 broker over WebSockets: exact destinations, no wildcards, no memory of messages. It knows
 * nothing of the product; its hooks (`StompBrokerOptions`) decide who may connect, subscribe and send. This file joins
 * its parts:
 *
 *  - stomp-sender.ts: what goes out to one connection (as bytes: stomp-outlet.ts)
 *  - stomp-destinations.ts: who subscribes, and gets what is published
 *  - stomp-commands.ts: what each frame of a browser does (its text and bytes: stomp-frame.ts)
 *  - connections/: how one begins (stomp-upgrade.ts) and signs in (stomp-handshake.ts), how many there may be
 *    (stomp-crowd.ts), what comes in (stomp-intake.ts), in which order it is handled (stomp-turns.ts), what silence
 *    means (stomp-sweep.ts), how one ends (stomp-endings.ts), and how all do (stomp-drain.ts)
 *
 * Why the parts are as they are
 *  - Frames of one connection are handled strictly one after the other, so that a hook never meets its own past. Only
 *    messages that may be lost do not wait for others: what follows them still comes after them.
 *  - One shared sweep looks for silence; connections have no timers.
 *  - Bytes are written to the socket past ws' sender, whose work would be repeated for each reader. That is sound
 *    because nothing is compressed: every write is a run of whole WebSocket messages (see stomp-outlet.ts).
 */
import type { Conn, Ends } from './connections/stomp-connection.ts';
import { createCrowd } from './connections/stomp-crowd.ts';
import { createDrain } from './connections/stomp-drain.ts';
import { createEndings } from './connections/stomp-endings.ts';
import { createHandshake } from './connections/stomp-handshake.ts';
import { createIntake } from './connections/stomp-intake.ts';
import { createSweep } from './connections/stomp-sweep.ts';
import { createTurns } from './connections/stomp-turns.ts';
import { createUpgrade } from './connections/stomp-upgrade.ts';
import { createCommands } from './stomp-commands.ts';
import { createCore } from './stomp-core.ts';
import { createDestinations } from './stomp-destinations.ts';
import { createStompPublisher } from './stomp-publisher.ts';
import { createSender } from './stomp-sender.ts';
import type { StompBroker, StompBrokerOptions, StompConnection } from './stomp-types.ts';

export * from './stomp-types.ts';

/**
 * Makes a broker. It listens to nothing by itself: give it the upgrades of your HTTP server, and call `drain()` at the
 * end. The clock it takes is real time; its limits are those of `STOMP_LIMITS` by default.
 */
export function createStompBroker<P extends object>(options: StompBrokerOptions<P>): StompBroker<P> {
  const core = createCore(options);
  const { limits, heartbeat, now, all, totals, count } = core;
  // Sending may end a connection, and its end sends: the one reaches the other through these.
  const ends: Ends<P> = {
    close: (connection, code, reason) => endings.close(connection, code, reason),
    fail: (connection, failure) => endings.fail(connection, failure),
  };

  const sender = createSender(core, ends);
  const destinations = createDestinations(core, sender);
  const crowd = createCrowd<P>({
    limits,
    personOf: options.personOf,
    isFull: () => all.size >= limits.connections,
    count,
    fail: ends.fail,
  });
  const endings = createEndings(core, sender, destinations, crowd);

  const commands = createCommands<P>({
    options,
    limits,
    attach: destinations.attach,
    detach: destinations.detach,
    revocations: () => core.revocations,
  });
  const turns = createTurns(core, commands, sender, endings);
  const connect = createHandshake(core, crowd, sender, endings, turns);
  const intake = createIntake(core, connect, turns, endings);

  const sweepMs =
    options.sweepMs ??
    Math.min(1_000, Math.max(20, Math.min(limits.deadAfterMs, limits.connectMs, heartbeat.sendMs || Infinity) / 8));
  const sweep = createSweep<P>({ connections: all, limits, sweepMs, now, count, fail: endings.fail });
  const sweeper = setInterval(sweep, sweepMs);
  sweeper.unref();

  return {
    handleUpgrade: createUpgrade(core, crowd, intake, endings),
    publish: createStompPublisher(options.bus),
    sendTo: sender.sendTo,

    isSubscribed: (connection, destination) =>
      (connection as Conn<P>).subscriptions.some((one) => one.destination === destination),

    unsubscribe: destinations.unsubscribe,
    disconnect: endings.disconnect,

    connectionsOf(predicate) {
      const found: StompConnection<P>[] = [];
      for (const connection of all)
        if (connection.state === 'open' && predicate(connection.principal, connection)) found.push(connection);
      return found;
    },

    stats() {
      let connections = 0;
      for (const connection of all) if (connection.state !== 'closed') connections++;
      return { connections, ...destinations.counts(), ...totals };
    },

    drain: createDrain(core, endings, () => clearInterval(sweeper)),
  };
}
