/** What keeps a browser's copy of the room whole: the room as it stands for a joiner, what is newer for one who asks. */
import { Problem } from '@fieldroom/contract/problems';
import type { PeopleValue } from '@fieldroom/contract/clients';
import { checkConnection, checkUpdate, SEND, type StampedChange } from '@fieldroom/contract/realtime';
import { type Revisions, revisionsOf, stampsOf } from '@fieldroom/contract/revisions';
import { type Channel, parseMessage, type Sender, stored, volatile } from '../../channel.ts';
import type { Room } from './room.service.ts';

export interface RoomChannelParts {
  room: Pick<Room, 'inOrder' | 'stamps'>;
  /** PLAYERS_VALUE with the stamps of the same moment. */
  fieldValue(therapistId: number): Promise<StampedChange>;
  /** The people; those who wait only where they are asked for. */
  peopleValue(therapistId: number, options: { withWaiting: boolean }): Promise<PeopleValue>;
}

/** Makes the channel. Field and people stand above the room, so the wiring passes in how they are read. */
export function createRoomChannel({ room, fieldValue, peopleValue }: RoomChannelParts): Channel {
  /**
   * Sends what the sender lacks, between two acts: what was published before is in it, what comes after follows it.
   * Takes the revisions that the sender holds.
   */
  async function sendNewer(sender: Sender, held: Revisions): Promise<void> {
    const { therapistId } = sender;
    await room.inOrder(therapistId, async () => {
      const stands = revisionsOf(await room.stamps(therapistId));
      if (held.fieldRevision < stands.fieldRevision) sender.tell(await fieldValue(therapistId));
      if (held.peopleRevision < stands.peopleRevision) {
        // Those who wait are named on the therapist's own destination only.
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
    // Revisions begin at 0, so somebody who joins holds less than any room.
    onJoin: (sender) => sendNewer(sender, { fieldRevision: -1, peopleRevision: -1 }),
  };
}
