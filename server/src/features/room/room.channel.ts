/**
 * Keeps a browser's copy of the room complete: the whole room for a browser that joins, newer parts for one that asks.
 */
import { Problem } from '../../platform/problem.ts';
import type { PeopleValue } from '@fieldroom/contract/clients';
import { checkConnection, checkUpdate, SEND, type StampedChange } from '@fieldroom/contract/realtime';
import { type Revisions, revisionsOf, stampsOf } from '@fieldroom/contract/revisions';
import { createGathered } from '../../platform/scheduling/gathered.ts';
import { type Channel, parseMessage, type Sender, stored, volatile } from '../../realtime/channel.ts';
import type { Room } from './room.service.ts';

export interface RoomChannelParts {
  room: Pick<Room, 'inOrder' | 'stamps'>;
  /** PLAYERS_VALUE with the stamps of the same moment. */
  fieldValue(therapistId: number): Promise<StampedChange>;
  /** The people; people who wait only if asked for. */
  peopleValue(therapistId: number, options: { withWaiting: boolean }): Promise<PeopleValue>;
}

/** A browser and its revisions. */
interface Behind {
  readonly sender: Sender;
  readonly held: Revisions;
}

/** People who wait are named only on the therapist's own destination. */
const mayHearOfWaiting = ({ principal, hearsOwn }: Sender) => principal.kind === 'account' && hearsOwn();

function tellAll(all: readonly Behind[], change: StampedChange): void {
  for (const { sender } of all) sender.tell(change);
}

/** Makes the channel. Field and people are made after the room, so the wiring passes in how to read them. */
export function createRoomChannel({ room, fieldValue, peopleValue }: RoomChannelParts): Channel {
  /**
   * Sends each sender what it is missing, between two acts: earlier messages are included, and later ones follow. A
   * crowd that joins at the same time shares one reading, which begins after all of them have subscribed.
   */
  const sendNewer = createGathered<Behind>((therapistId, take) =>
    room.inOrder(therapistId, async () => {
      const all = take();
      const stands = revisionsOf(await room.stamps(therapistId));
      const lackField = all.filter(({ held }) => held.fieldRevision < stands.fieldRevision);
      if (lackField.length > 0) tellAll(lackField, await fieldValue(therapistId));
      const lackPeople = all.filter(({ held }) => held.peopleRevision < stands.peopleRevision);
      for (const withWaiting of [true, false]) {
        const some = lackPeople.filter(({ sender }) => mayHearOfWaiting(sender) === withWaiting);
        if (some.length === 0) continue;
        const contents = await peopleValue(therapistId, { withWaiting });
        tellAll(some, { eventType: 'UNREGISTER_USER', contents, ...stampsOf(stands) });
      }
    }),
  );

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
          await sendNewer(sender.therapistId, { sender, held: revisionsOf(asked) });
        },
        // A browser that is missing something asks again.
        { whenUnavailable: 'ignore' },
      ),
    },
    // Revisions begin at 0, so somebody who joins has less than any room.
    onJoin: (sender) => sendNewer(sender.therapistId, { sender, held: { fieldRevision: -1, peopleRevision: -1 } }),
  };
}
