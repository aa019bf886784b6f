/** What connections are told when messages of other nodes may have been missed. */
import { expect, test } from 'vitest';
import { roomDestination } from '@fieldroom/contract/realtime';
import { createGaps, type GapsParts } from './realtime.gaps.ts';

const THERAPIST = 1;
const CLIENT = 20;

/** One client in one room, and what the database says of both. */
function aNode() {
  const state = {
    whole: true,
    allHear: true,
    mayBeThere: true,
    stamps: { usersUpdatedOn: 3, participantsUpdatedOn: 4 },
    told: [] as unknown[],
    subscribed: new Set([roomDestination(THERAPIST)]),
  };
  const connection = { principal: { kind: 'client', id: CLIENT, therapistId: THERAPIST } };
  const parts = {
    bus: { isShared: true, isWhole: () => state.whole, onGap() {} },
    nodes: { onGone() {}, allHear: () => state.allHear },
    broker: {
      connectionsOf: (which: (principal: unknown, one: unknown) => boolean) =>
        [connection].filter((one) => which(one.principal, one)),
      isSubscribed: (_: unknown, destination: string) => state.subscribed.has(destination),
      unsubscribe: (destination: string) => state.subscribed.delete(destination),
    },
    channels: [],
    members: { accessNow: async () => (state.mayBeThere ? {} : null), forget() {} },
    senderOf: () => ({ tell: (change: unknown) => state.told.push(change) }),
    isSignedIn: async () => true,
    stampsOfAll: async () => new Map([[THERAPIST, state.stamps]]),
    refreshRoom() {},
  };
  return { state, gaps: createGaps(parts as unknown as GapsParts) };
}

test('whoever was put out between the loss and the first look at it leaves the room', async () => {
  const { state, gaps } = aNode();
  await gaps.sweep();
  state.whole = false;
  state.mayBeThere = false;
  await gaps.sweep();
  expect(state.subscribed.size).toBe(0);
});

test('a room hears the revisions of the database when they change, and not again', async () => {
  const { state, gaps } = aNode();
  state.whole = false;
  await gaps.sweep();
  await gaps.sweep();
  expect(state.told).toEqual([{ eventType: 'STAMPS', contents: null, ...state.stamps }]);
  state.stamps = { ...state.stamps, participantsUpdatedOn: 5 };
  await gaps.sweep();
  expect(state.told).toHaveLength(2);
  expect(state.subscribed.size).toBe(1);
});

test('a room hears them too while another node is cut off, and nothing once all hear each other', async () => {
  const { state, gaps } = aNode();
  state.allHear = false;
  await gaps.sweep();
  expect(state.told).toHaveLength(1);
  state.allHear = true;
  state.stamps = { ...state.stamps, participantsUpdatedOn: 5 };
  await gaps.sweep();
  expect(state.told).toHaveLength(1);
});
