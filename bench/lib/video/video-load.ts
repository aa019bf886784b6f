/** Two people of a live room who send and receive sound and pictures over the real servers, each on its own node. */
import { openProgram, publish, type Somebody, subscribe } from '../../../server/src/features/video/video.fixture.ts';
import type { Fieldroom } from '../service/fieldroom.ts';
import { sleep, until } from '../service/processes.ts';

const PATIENCE_MS = 60_000;

/** A node in the form that the tests' peers need. */
const callerOf = (node: Fieldroom): Parameters<typeof openProgram>[0] => ({
  url: node.url,
  api: (endpoint, input, options) =>
    node.call(endpoint, { ...(input as object), ...(options?.token ? { token: options.token } : {}) }),
});

/**
 * The therapist sends for a while and the client receives; then both leave. Returns the number of packets that arrived.
 * @throws if none arrives.
 */
export async function showVideo(
  [one, two]: readonly [Fieldroom, Fieldroom],
  therapist: Somebody,
  client: Somebody,
  ms: number,
): Promise<number> {
  /** Closes what was opened, the last first. */
  const ends: (() => Promise<void>)[] = [];
  try {
    const sending = await openProgram(callerOf(one), therapist);
    ends.push(sending.close);
    const receiving = await openProgram(callerOf(two), client);
    ends.push(receiving.close);
    const publisher = await publish(sending, therapist.id);
    ends.push(publisher.close);
    for (const kind of ['audio', 'video'] as const) publisher.keepSaying(kind, 'bench');
    const subscriber = await subscribe(receiving, therapist.id, [{ feed: therapist.id }]);
    ends.push(subscriber.close);
    const packets = () => subscriber.count(subscriber.midOf('audio')) + subscriber.count(subscriber.midOf('video'));
    await until('sound and pictures', () => packets() > 0, PATIENCE_MS);
    await sleep(ms);
    return packets();
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
