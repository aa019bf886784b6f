/**
 * Keeps a browser's copy of the room complete: the whole room for somebody who joins, what is newer for one who asks.
 */
import { Problem } from '../../platform/problem.ts';
import type { PeopleValue } from '@fieldroom/contract/clients';
import { checkConnection, checkUpdate, SEND, type StampedChange } from '@fieldroom/contract/realtime';
import { type Revisions, revisionsOf, stampsOf } from '@fieldroom/contract/revisions';
import { type Channel, parseMessage, type Sender, stored, volatile } from '../../realtime/channel.ts';
import type { Room } from './room.service.ts';

export interface RoomChannelParts {
  room: Pick<Room, 'inOrder' | 'stamps'>;
  /** PLAYERS_VALUE with the stamps of the same moment. */
  fieldValue(therapistId: number): Promise<StampedChange>;
  /** The people; people who wait only if asked for. */
  peopleValue(therapistId: number, options: { withWaiting: boolean }): Promise<PeopleValue>;
}

/** Makes the channel. Field and people are made after the room, so the wiring passes in how to read them. */
export function createRoomChannel({ room, fieldValue, peopleValue }: RoomChannelParts): Channel {
  /**
   * Sends what the sender lacks, between two acts: it contains what was published before, and what comes after follows
   * it. Takes the revisions that the sender has.
   */
  async function sendNewer(sender: Sender, held: Revisions): Promise<void> {
    const { therapistId } = sender;
    await room.inOrder(therapistId, async () => {
      const stands = revisionsOf(await room.stamps(therapistId));
      if (held.fieldRevision < stands.fieldRevision) sender.tell(await fieldValue(therapistId));
      if (held.peopleRevision < stands.peopleRevision) {
        // People who wait are named only on the therapist's own destination.
        const withWaiting = sender.principal.kind === 'account' && sender.hearsOwn();
        sender.tell({
          eventType: 'UNREGISTER_USER',
          contents: await peopleValue(therapistId, { withWaiting }),
          ...stampsOf(stands),
        });
      }
    });
  }

  return {
    messages: {
      [SEND.checkConnection]: volatile((body, sender) => {
        parseMessage(checkConnection, body);
        sender.tell({ eventType: 'ALIVE', contents: null });
      }),
      [SEND.checkUpdate]: stored(
        checkUpdate,
        async (asked, sender) => {
          const { id, kind } = sender.principal;
          if (asked.userId !== id || asked.userType !== (kind === 'client' ? 'CLIENT' : 'THERAPIST'))
            throw new Problem('forbidden');
          await sender.access();
          await sendNewer(sender, revisionsOf(asked));
        },
        // A browser that lacks something asks again by itself.
        { whenUnavailable: 'ignore' },
      ),
    },
    // Revisions begin at 0, so somebody who joins has less than any room.
    onJoin: (sender) => sendNewer(sender, { fieldRevision: -1, peopleRevision: -1 }),
  };
}
