/**
 * Stops the server: people move to other nodes, where there are any; then each part stops before those that it uses.
 * `main.ts` gives up when that takes too long.
 */
import type { Http } from './access.ts';
import type { Feature } from './feature.ts';
import type { Video } from './features/video/index.ts';
import type { Platform } from './platform/platform.ts';
import { finishedWithin } from './platform/scheduling/finished-within.ts';
import type { Realtime } from './realtime/realtime.ts';

/** How long stopping waits for each part. */
const PART_MS = 2000;
/** Over how long browsers are sent to other nodes. */
const DRAIN_MS = 4000;
/** How long browsers have to close their connections. */
const LEAVE_MS = 1500;

export interface StoppingParts {
  /** By name, in the order in which they were made. */
  readonly features: Readonly<Record<string, Feature>>;
  readonly platform: Pick<Platform, 'log' | 'nodes' | 'stopWork' | 'close'>;
  readonly http: Pick<Http, 'stopTaking' | 'close'>;
  readonly realtime: Pick<Realtime, 'leave' | 'stop'>;
  readonly video: Pick<Video, 'leave'>;
  /** How long connections have to move to other nodes. */
  readonly drainMs?: number | undefined;
}

export interface Stopping {
  /** Whether people are being sent to other nodes, so that the proxy should send nobody here. */
  isLeaving(): boolean;
  /** Stops everything, once; every further call waits for the same end. */
  close(): Promise<void>;
}

/** Makes the way to stop. Takes the parts that stop. */
export function createStopping({
  features,
  platform,
  http,
  realtime,
  video,
  drainMs = DRAIN_MS,
}: StoppingParts): Stopping {
  const { log, nodes } = platform;
  let leaving = false;
  let closing: Promise<void> | undefined;

  /** Waits for a part to stop, but not for long. Nobody was promised what is not done by then. */
  async function bounded(part: string, work: Promise<unknown>): Promise<void> {
    if (!(await finishedWithin(PART_MS, work))) log.warn({ part }, 'stopping goes on without waiting for a part');
  }

  /** Does one step of stopping for every feature, the last one first, and waits for all of them together. */
  async function eachFeature(step: 'stopTaking' | 'disconnect' | 'stop'): Promise<void> {
    const lastFirst = Object.entries(features).toReversed();
    await Promise.all(lastFirst.map(async ([name, feature]) => bounded(name, Promise.resolve(feature[step]?.()))));
  }

  /** Whether there is a node to which people can move. A database that does not answer must not keep us. */
  async function hasOthers(): Promise<boolean> {
    let found = false;
    const looking = nodes.hasOthers().then((others) => void (found = others));
    await finishedWithin(PART_MS, looking).catch(() => {});
    return found;
  }

  async function closeAll(): Promise<void> {
    // The proxy sends nobody here any more, and the others have time to take them.
    if (await hasOthers()) {
      leaving = true;
      await Promise.all([realtime.leave(drainMs), finishedWithin(drainMs + PART_MS, video.leave(drainMs))]);
    }
    http.stopTaking();
    await eachFeature('stopTaking');
    // At the same time as the rest, because a mail server may hang as well as a caller.
    nodes.leave();
    const background = platform.stopWork();
    await bounded('connections', realtime.stop(LEAVE_MS));
    await eachFeature('disconnect');
    await http.close();
    // Before the timers are asked to end: the last of nodes that stop together sees nobody, and ends them.
    await bounded('nodes', nodes.stop());
    await eachFeature('stop');
    await background;
    await platform.close();
  }

  return {
    isLeaving: () => leaving,
    close: () => (closing ??= closeAll()),
  };
}
