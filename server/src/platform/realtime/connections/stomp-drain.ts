/** The graceful stop: work under way is finished and answered, then every connection is closed. */
import type { StompCore } from '../stomp-core.ts';
import type { StompBroker } from '../stomp-types.ts';
import type { Conn, Ends } from './stomp-connection.ts';

/** Makes `drain` of one broker. Takes what ends connections, and what stops the sweep once all are gone. */
export function createDrain<P extends object>(
  core: StompCore<P>,
  { close }: Pick<Ends<P>, 'close'>,
  stopSweeping: () => void,
): StompBroker<P>['drain'] {
  const { options, flusher, all } = core;
  let drained: Promise<void> | null = null;

  const drain = async (timeoutMs: number): Promise<void> => {
    core.draining = true;
    let late = false;
    const until = (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!late && !condition()) return;
          core.settled = null;
          resolve();
        };
        core.settled = look;
        look();
      });
    const cut = setTimeout(() => {
      late = true;
      core.settled?.();
    }, timeoutMs);
    const none = (condition: (connection: Conn<P>) => boolean) => () => ![...all].some(condition);
    // Work under way may still publish and answer; after that nothing new is sent.
    await until(none((connection) => connection.busy));
    flusher.flushAll();
    for (const connection of all) close(connection, 1012, 'service restart');
    await until(none(() => true));
    if (late) {
      for (const connection of all) connection.ws.terminate();
      options.log?.warn({ connections: all.size }, 'some connections did not close in time and were cut');
    }
    clearTimeout(cut);
    stopSweeping();
    flusher.flushAll();
  };

  return (timeoutMs = 5_000) => (drained ??= drain(timeoutMs));
}
