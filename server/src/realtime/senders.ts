/** Shows each connection to the handlers of the features as the person who sends. */
import { Problem } from '../platform/problem.ts';
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import type { Principal } from '../access.ts';
import type { Sender } from './channel.ts';
import { JSON_TEXT } from './connections.ts';
import type { Members } from '../features/clients/index.ts';
import type { StompBroker, StompConnection } from '../platform/realtime/stomp-broker.ts';

/** The therapist of the room that a person belongs to. */
export const therapistOf = (principal: Principal) =>
  principal.kind === 'client' ? principal.therapistId : principal.id;

/**
 * Makes the senders. Takes who is a member of which room, and the broker. Returns the sender of a connection: the same
 * object each time, as moves come many times a second.
 */
export function createSenders(
  members: Members,
  broker: () => StompBroker<Principal>,
): (connection: StompConnection<Principal>) => Sender {
  const senders = new WeakMap<StompConnection<Principal>, Sender>();

  function senderFor(connection: StompConnection<Principal>): Sender {
    const { principal } = connection;
    const therapistId = therapistOf(principal);
    return {
      principal,
      therapistId,
      connection,
      async access() {
        if (!members.mayLook(principal)) throw new Problem('too_many_requests');
        const access = await members.accessNow(principal);
        if (access === null) throw new Problem(principal.kind === 'client' ? 'not_admitted' : 'forbidden');
        return access;
      },
      knownAccess: () => members.knownAccess(principal),
      hearsOwn: () => broker().isSubscribed(connection, ownDestination(principal.id)),
      tell(change) {
        const text = JSON.stringify(change);
        if (!broker().sendTo(connection, ownDestination(principal.id), text, JSON_TEXT))
          broker().sendTo(connection, roomDestination(therapistId), text, JSON_TEXT);
      },
    };
  }

  return (connection) => {
    const known = senders.get(connection);
    if (known !== undefined) return known;
    const sender = senderFor(connection);
    senders.set(connection, sender);
    return sender;
  };
}
