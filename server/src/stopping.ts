/**
 * Stops the server: people move to other nodes, where there are any; then each part stops before those that it uses.
 * All of it has one deadline, which the steps share; `main.ts` gives up a moment after it.
 */
import type { Http } from './access.ts';
import type { Feature } from './feature.ts';
import type { Video } from './features/video/index.ts';
import type { Platform } from './platform/platform.ts';
import { finishedWithin } from './platform/scheduling/finished-within.ts';
import type { Realtime } from './realtime/realtime.ts';

/** All of stopping, in milliseconds. Where little is left, the steps wait less; none is left out. */
export const STOP_MS = 24_000;
/** How much of it is kept for the end of the platform: its database takes this long to end well. */
const PLATFORM_MS = 7000;
/** How long stopping waits for each part. */
const PART_MS = 2000;
/** How long it waits for running calls and for the bytes of their answers; `http.close` gives up a little before. */
const CALLS_MS = 6000;
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
  /** When the steps before the end of the platform have to be over. */
  let until = Infinity;

  /** Whether work ends within this time, of which all steps together have no more than is left. */
  const ends = (ms: number, work: Promise<unknown>): Promise<boolean> =>
    finishedWithin(Math.max(0, Math.min(ms, until - performance.now())), work);

  /**
   * Waits for a part to stop, but not for long. Nobody was promised what is not done by then, or what fails: while the
   * database is down, parts cannot write their last rows, and those after them have to end nevertheless.
   */
  async function bounded(part: string, work: Promise<unknown>, ms = PART_MS): Promise<void> {
    try {
      if (!(await ends(ms, work))) log.warn({ part }, 'stopping goes on without waiting for a part');
    } catch (error) {
      log.warn({ err: error, part }, 'stopping goes on although a part failed');
    }
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
    await ends(PART_MS, looking).catch(() => {});
    return found;
  }

  async function closeAll(): Promise<void> {
    until = performance.now() + STOP_MS - PLATFORM_MS;
    // The proxy sends nobody here any more, and the others have time to take them.
    if (await hasOthers()) {
      leaving = true;
      await bounded('people', Promise.all([realtime.leave(drainMs), video.leave(drainMs)]), drainMs + PART_MS);
    }
    http.stopTaking();
    await eachFeature('stopTaking');
    // At the same time as the rest, because a mail server may hang as well as a caller.
    nodes.leave();
    const background = platform.stopWork();
    // It may fail before its turn below.
    background.catch(() => {});
    await bounded('connections', realtime.stop(LEAVE_MS));
    await eachFeature('disconnect');
    await bounded('calls', http.close(), CALLS_MS);
    // Before the timers are asked to end: the last of nodes that stop together sees nobody, and ends them.
    await bounded('nodes', nodes.stop());
    await eachFeature('stop');
    await bounded('work', background);
    until += PLATFORM_MS;
    await bounded('platform', platform.close(), PLATFORM_MS);
  }

  return {
    isLeaving: () => leaving,
    close: () => (closing ??= closeAll()),
  };
}
