/** Publishes to a broker's subscribers over the bus; its callers need not know the broker. */
import type { Bus } from '../nodes/bus.ts';
import type { PublishOptions } from './stomp-types.ts';

/** Channels of the bus that carry messages to a destination begin with this. */
export const BUS_PREFIX = 'stomp:';

/** Sends to all subscribers of this exact destination. A string is sent as text, bytes as binary. */
export type StompPublish = (destination: string, body: string | Uint8Array, options?: PublishOptions) => void;

/** Makes the function that publishes. Takes the bus. */
export function createStompPublisher(bus: Pick<Bus, 'publish' | 'publishHere'>): StompPublish {
  return (destination, body, how) => {
    let attributes: Record<string, string> | undefined;
    if (how !== undefined) {
      attributes = {};
      if (how.lane === 'volatile') attributes['lane'] = 'volatile';
      if (how.contentType !== undefined) attributes['type'] = how.contentType;
      if (how.exceptConnectionId !== undefined) attributes['except'] = how.exceptConnectionId;
      if (how.headers !== undefined) attributes['headers'] = JSON.stringify(how.headers);
    }
    const publish = how?.onThisNode === true ? bus.publishHere : bus.publish;
    publish(BUS_PREFIX + destination, { body, attributes });
  };
}
