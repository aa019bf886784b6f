/**
 * Forwards a room's packets from publishers to subscribers. See `forwarding.types.ts` for how to use it.
 *
 * What is called for each packet is a method, never a getter: with a getter every object made by a closure has its own
 * hidden class, and V8 looks each property up again. With hundreds of tracks that cost a third of the forwarding.
 */
import { createSubscriberMedia, type SubscriberMediaParts } from './subscriber/subscriber-media.ts';
import type { Forwarding, ForwardingSpec, ForwardingStats } from './forwarding.types.ts';
import { createPublisherMedia, type PublisherMediaParts } from './publisher/publisher-media.ts';
import { createActiveSpeakers } from './publisher/active-speakers.ts';

/** Makes an empty room. It is deterministic: all time is passed in; there are no timers and no random numbers. */
export function createForwarding(spec: ForwardingSpec): Forwarding {
  const publishers = new Set<PublisherMediaParts>();
  const subscribers = new Set<SubscriberMediaParts>();
  const counted: ForwardingStats = {
    packetsIn: 0,
    packetsOut: 0,
    bytesOut: 0,
    retransmitted: 0,
    retransmissionsMissed: 0,
    requested: 0,
    givenUp: 0,
    keyFramesRequested: 0,
    keptBytes: 0,
  };
  const speakers = createActiveSpeakers({
    loudest: spec.loudestVoices,
    talkingLevel: spec.talkingLevel,
    talkingPackets: spec.talkingPackets,
  });
  const room = { spec, speakers, counted };

  return {
    addPublisher(publisherSpec) {
      const publisher = createPublisherMedia(room, publisherSpec, () => publishers.delete(publisher));
      publishers.add(publisher);
      return publisher;
    },
    addSubscriber(subscriberSpec) {
      const subscriber = createSubscriberMedia(room, subscriberSpec, () => subscribers.delete(subscriber));
      subscribers.add(subscriber);
      return subscriber;
    },
    tick(nowMs) {
      speakers.tick(nowMs);
      for (const subscriber of subscribers) subscriber.tick(nowMs);
      for (const publisher of publishers) publisher.tick(nowMs);
    },
    stats() {
      let keptBytes = 0;
      for (const publisher of publishers) keptBytes += publisher.keptBytes();
      return { ...counted, keptBytes };
    },
    close() {
      for (const subscriber of [...subscribers]) subscriber.close();
      for (const publisher of [...publishers]) publisher.close();
    },
  };
}
