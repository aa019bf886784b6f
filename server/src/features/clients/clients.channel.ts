/**
 * The clients' connections. A seat counts as connected while one is open. People who wait are told whether the
 * therapist is here.
 */
import { Problem } from '../../platform/problem.ts';
import { joinMessage, SEND } from '@fieldroom/contract/realtime';
import type { ClientSeat } from '../../access.ts';
import { type Channel, type Sender, stored } from '../../realtime/channel.ts';
import type { Room } from '../room/index.ts';
import type { Members } from './seats/clients.members.ts';
import type { Clients } from './clients.types.ts';

export interface ClientsChannelParts {
  clients: Pick<Clients, 'connected' | 'disconnected' | 'seatOf' | 'setActive' | 'peopleValue'>;
  members: Pick<Members, 'mayLook'>;
  room: Pick<Room, 'inOrder' | 'stamps'>;
}

/** Creates the channel. The live sessions handle messages of therapists. */
export function createClientsChannel({ clients, members, room }: ClientsChannelParts): Channel {
  /**
   * Tells somebody who connected while waiting whether the therapist is here, or that they were admitted before they
   * could receive it.
   */
  async function sendState(seat: ClientSeat, sender: Sender): Promise<void> {
    await room.inOrder(seat.therapistId, async () => {
      const now = await clients.seatOf(seat.id);
      if (now?.state === 'in') sender.tell({ eventType: 'ADMISSION', contents: { state: 'in' } });
      if (now?.state !== 'waiting') return;
      const { therapistHere } = await clients.peopleValue(seat.therapistId);
      sender.tell({
        eventType: 'UNREGISTER_USER',
        contents: { people: [], therapistHere },
        ...(await room.stamps(seat.therapistId)),
      });
    });
  }

  return {
    messages: {
      [SEND.addUser]: stored(
        joinMessage,
        async ({ userId }, { principal }) => {
          if (principal.kind !== 'client') return;
          if (userId !== principal.id) throw new Problem('forbidden');
          if (!members.mayLook(principal)) throw new Problem('too_many_requests');
          const seat = await clients.seatOf(principal.id);
          if (seat?.state === 'away') await clients.setActive(principal.id);
        },
        // A page that could not join must connect again.
        { whenUnavailable: 'end' },
      ),
    },
    async onConnect({ principal, connection }) {
      if (principal.kind !== 'client') return;
      if (principal.state === 'waiting' && !members.mayLook(principal)) throw new Problem('too_many_requests');
      await clients.connected(principal, connection);
    },
    async onOwnSubscribed(sender) {
      const { principal } = sender;
      if (principal.kind !== 'client' || principal.state !== 'waiting') return;
      if (!members.mayLook(principal)) throw new Problem('too_many_requests');
      await sendState(principal, sender);
    },
    async onGone({ principal, connection }) {
      if (principal.kind === 'client') await clients.disconnected(principal, connection);
    },
  };
}
