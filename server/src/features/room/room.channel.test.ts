/** The messages to joiners, with a room whose turns the test controls. */
import { expect, test } from 'vitest';
import type { PeopleValue } from '@fieldroom/contract/clients';
import type { Change, StampedChange } from '@fieldroom/contract/realtime';
import type { Sender } from '../../realtime/channel.ts';
import { createRoomChannel } from './room.channel.ts';

const THERAPIST = 7;
const STAMPS = { participantsUpdatedOn: 3, usersUpdatedOn: 5 };
const FIELD: StampedChange = { eventType: 'PLAYERS_VALUE', contents: { figures: [], handsAllowed: true }, ...STAMPS };

/** A channel, what it has read, and a room that is busy until `letGo`. */
function aBusyRoom() {
  const read: string[] = [];
  const busy = Promise.withResolvers<void>();
  let tail: Promise<unknown> = busy.promise;
  const channel = createRoomChannel({
    room: {
      inOrder: (_, work) => {
        const mine = tail.then(work);
        tail = mine;
        return mine;
      },
      stamps: async () => STAMPS,
    },
    async fieldValue() {
      read.push('field');
      return FIELD;
    },
    async peopleValue(_, { withWaiting }): Promise<PeopleValue> {
      read.push(withWaiting ? 'people and those who wait' : 'people');
      return { people: [], therapistHere: true, ...(withWaiting && { waiting: [] }) };
    },
  });
  const join = (kind: 'client' | 'account', id: number) => {
    const told: Change[] = [];
    const sender = {
      principal: { kind, id },
      therapistId: THERAPIST,
      hearsOwn: () => true,
      tell: (change: Change) => void told.push(change),
    } as unknown as Sender;
    return { told, joined: Promise.resolve(channel.onJoin!(sender)) };
  };
  return { read, join, letGo: busy.resolve };
}

test('a crowd that joins at once shares one reading; only the therapist gets those who wait', async () => {
  const { read, join, letGo } = aBusyRoom();
  const therapist = join('account', THERAPIST);
  const clients = [11, 12, 13].map((id) => join('client', id));
  letGo();
  await Promise.all([therapist, ...clients].map(({ joined }) => joined));
  expect(read).toEqual(['field', 'people and those who wait', 'people']);
  for (const { told } of clients)
    expect(told).toEqual([
      FIELD,
      { eventType: 'UNREGISTER_USER', contents: { people: [], therapistHere: true }, ...STAMPS },
    ]);
  expect(therapist.told[1]).toMatchObject({ contents: { waiting: [] } });
});

test('somebody who joins during a reading gets a new one', async () => {
  const { read, join, letGo } = aBusyRoom();
  const first = join('client', 11);
  letGo();
  await Promise.resolve();
  await Promise.resolve();
  const second = join('client', 12);
  await Promise.all([first.joined, second.joined]);
  expect(read).toEqual(['field', 'people', 'field', 'people']);
  expect(second.told).toHaveLength(2);
});
