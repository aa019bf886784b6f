/** Hands on two nodes: each has its lane, and they exchange messages. Numbers are those of README.md. */
import { beforeEach, expect, test } from 'vitest';
import { HOLD_MS, TICK_MS } from '@fieldroom/contract/field';
import type { PlainChange } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../../access.ts';
import type { LanePicture } from './field.lane.picture.ts';
import type { Moves } from './field.lane.relay.ts';
import { createLane, type Lane } from './field.lane.ts';
import { createHandClock, type HandClock } from './hand-clock.fixture.ts';

const ROOM = 1;
const therapist: RoomAccess = { as: 'therapist', therapistId: ROOM, personId: ROOM };
const client = (personId: number): RoomAccess => ({ as: 'client', therapistId: ROOM, personId, name: `P${personId}` });
const picture = {
  field: { figures: [7, 8].map((id) => ({ id, movableBy: 'everyone' })), handsAllowed: true },
  revision: 5,
  roles: new Map(),
  therapistName: 'Anna',
  therapistAway: false,
} as unknown as LanePicture;

let clock: HandClock;
let isAlone: boolean;

interface Node {
  lane: Lane;
  refused: string[];
  /** The messages of this node to the others, until they are passed on. */
  told: Moves[];
  /** The messages to the people on this node. */
  shown: PlainChange[];
}
let one: Node;
let two: Node;

async function aNode(): Promise<Node> {
  const refused: string[] = [];
  const told: Moves[] = [];
  const shown: PlainChange[] = [];
  const lane = createLane(
    {
      announceHere: (_, change) => void shown.push(structuredClone(change)),
      nodes: { isAlone: () => isAlone, tell: (_, moves) => void told.push(structuredClone(moves)) },
      load: async (_, then) => then(picture),
      refuse: (personId, _, problem) => void refused.push(`${personId} ${problem}`),
      onFault(error) {
        throw error;
      },
    },
    clock.scheduler,
  );
  // The first message makes it read the picture.
  lane.point(therapist, { x: 1, y: 1 });
  await new Promise(setImmediate);
  return { lane, refused, told, shown };
}
/** Everything on its way arrives. */
function deliver(): void {
  clock.pass(TICK_MS);
  const [ofOne, ofTwo] = [one.told.splice(0), two.told.splice(0)];
  for (const moves of ofOne) two.lane.elsewhere(ROOM, moves);
  for (const moves of ofTwo) one.lane.elsewhere(ROOM, moves);
}
const drag = ({ lane }: Node, who: RoomAccess, x: number, more: object = {}) =>
  lane.drag(who, { figureId: 7, x, y: 50, ...more });

beforeEach(async () => {
  clock = createHandClock(1000);
  isAlone = false;
  [one, two] = [await aNode(), await aNode()];
});

test('a figure dragged on another node is out of reach until it is released', () => {
  drag(one, client(20), 10);
  deliver();
  drag(two, client(21), 90);
  expect(two.refused).toEqual(['21 figure_held']);
  expect([two.lane.heldByOther(ROOM, 7, 21), two.lane.heldByOther(ROOM, 7, 20)]).toEqual([true, false]);
  expect(two.lane.clientsHolds(ROOM)).toEqual([{ figureId: 7, by: 20, x: 10, y: 50 }]);
  drag(one, client(20), 11, { end: true });
  deliver();
  expect(two.lane.heldByOther(ROOM, 7, 21)).toBe(false);
});

test('a silent hand counts as released', () => {
  drag(one, client(20), 10);
  deliver();
  clock.pass(HOLD_MS);
  expect(two.lane.heldByOther(ROOM, 7, 21)).toBe(false);
  expect(two.lane.clientsHolds(ROOM)).toEqual([]);
});

test('if two people grab one figure at the same moment, both nodes give it to the lower number', () => {
  drag(one, client(21), 10);
  drag(two, client(20), 90);
  deliver();
  for (const { lane } of [one, two]) {
    expect(lane.clientsHolds(ROOM).map(({ by }) => by)).toEqual([20]);
    expect(lane.heldByOther(ROOM, 7, 21)).toBe(true);
  }
  drag(one, client(21), 12);
  expect(one.refused).toEqual(['21 figure_held']);
});

test('the therapist takes over a figure dragged on another node', () => {
  drag(one, client(20), 10);
  deliver();
  drag(two, therapist, 90);
  drag(one, client(20), 11);
  deliver();
  for (const { lane } of [one, two]) expect(lane.clientsHolds(ROOM)).toEqual([]);
  expect([one.lane.heldByOther(ROOM, 7, 20), two.lane.heldByOther(ROOM, 7, 20)]).toEqual([true, true]);
});

/** The drags in each message that people on this node got, without those from the start of the test. */
const shownDrags = ({ shown }: Node) =>
  shown.flatMap((change) =>
    change.eventType === 'PLAYER_DRAG' ? [change.contents.drags.map(({ figureId, by, x }) => [figureId, by, x])] : [],
  );

test('21 people on both nodes see hands of both, in one message per tick', () => {
  drag(one, client(20), 10);
  deliver();
  drag(two, client(21), 90, { figureId: 8 });
  clock.pass(TICK_MS);
  expect(shownDrags(one)).toEqual([[[7, 20, 10]]]);
  expect(shownDrags(two)).toEqual([
    [
      [7, 20, 10],
      [8, 21, 90],
    ],
  ]);
});

test('21 only where nodes share the room, moves wait for the moment at which all of them send', () => {
  // Then the room's next moment is 2 ms after the second move.
  clock.pass(2 * TICK_MS - (1000 % TICK_MS));
  for (const alone of [true, false]) {
    isAlone = alone;
    clock.pass(10 * TICK_MS);
    one.shown.length = 0;
    drag(one, client(20), 10);
    clock.pass(2);
    expect(shownDrags(one)).toEqual([[[7, 20, 10]]]);
    drag(one, client(20), 11);
    clock.pass(2);
    expect(shownDrags(one)).toHaveLength(alone ? 1 : 2);
    clock.pass(TICK_MS - 4);
  }
});

test('22 people on another node see pointers appear and disappear', () => {
  one.lane.point(client(20), { x: 5, y: 6 });
  deliver();
  clock.pass(TICK_MS);
  one.lane.point(client(20), { off: true });
  deliver();
  clock.pass(TICK_MS);
  const seen = two.shown.flatMap((change) => (change.eventType === 'POINTER' ? change.contents.pointers : []));
  expect(seen.filter(({ by }) => by === 20)).toEqual([
    { by: 20, name: 'P20', x: 5, y: 6 },
    { by: 20, off: true },
  ]);
});

test('a move from another node that an act has settled since is not shown', () => {
  drag(one, client(20), 10);
  deliver();
  const after = { id: 7, movableBy: 'everyone', x: 12 } as never;
  const change = { revision: 6, actId: null, by: 20, ops: [{ op: 'put', figure: after }] } as never;
  two.lane.settled(ROOM, change, { as: 'client', id: 20 } as never, [{ id: 7, before: null, after }], []);
  clock.pass(TICK_MS);
  expect(shownDrags(two)).toEqual([]);
});

test('a room with people on one node sends nothing to others; a later node is told of hands that still move', () => {
  clock.pass(TICK_MS);
  one.told.length = 0;
  isAlone = true;
  drag(one, client(20), 10);
  drag(one, client(21), 50, { figureId: 8 });
  clock.pass(TICK_MS);
  drag(one, client(21), 50, { figureId: 8, end: true });
  clock.pass(TICK_MS);
  expect(one.told).toEqual([]);
  isAlone = false;
  drag(one, client(20), 11);
  clock.pass(TICK_MS);
  expect(one.told.map(({ drags }) => drags.map(({ figureId, x }) => [figureId, x]))).toEqual([[[7, 11]]]);
});
