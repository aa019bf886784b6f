/** Hands on two nodes: each has its lane, and they tell each other. Numbers are those of README.md. */
import { beforeEach, expect, test } from 'vitest';
import { type DragPosition, HOLD_MS, TICK_MS } from '@fieldroom/contract/field';
import type { RoomAccess } from '../../access.ts';
import { createLane, type Lane, type LanePicture, type Scheduler } from './field.lane.ts';

const ROOM = 1;
const therapist: RoomAccess = { as: 'therapist', therapistId: ROOM, personId: ROOM };
const client = (personId: number): RoomAccess => ({ as: 'client', therapistId: ROOM, personId, name: `P${personId}` });
const picture = {
  field: { figures: [{ id: 7, movableBy: 'everyone' }], handsAllowed: true },
  revision: 5,
  roles: new Map(),
  therapistName: 'Anna',
  therapistAway: false,
} as unknown as LanePicture;

/** Ticks wait until the test lets them run. */
let now: number;
let timers: { at: number; work: () => void }[];
const scheduler: Scheduler = {
  now: () => now,
  after(ms, work) {
    const timer = { at: now + ms, work };
    timers.push(timer);
    return () => void (timers = timers.filter((one) => one !== timer));
  },
};
function pass(ms: number): void {
  now += ms;
  const due = timers.filter(({ at }) => at <= now);
  timers = timers.filter((timer) => !due.includes(timer));
  for (const { work } of due) work();
}

interface Node {
  lane: Lane;
  refused: string[];
  /** What this node tells the others, until it is passed on. */
  told: DragPosition[][];
}
let one: Node;
let two: Node;

async function aNode(): Promise<Node> {
  const refused: string[] = [];
  const told: DragPosition[][] = [];
  const lane = createLane(
    {
      announceVolatile() {},
      tellNodes: (_, drags) => void told.push(structuredClone([...drags])),
      load: async (_, then) => then(picture),
      refuse: (personId, _, problem) => void refused.push(`${personId} ${problem}`),
      onFault(error) {
        throw error;
      },
    },
    scheduler,
  );
  // The first message makes it read the picture.
  lane.point(therapist, { x: 1, y: 1 });
  await new Promise(setImmediate);
  return { lane, refused, told };
}
/** Everything on its way arrives. */
function deliver(): void {
  pass(TICK_MS);
  const [ofOne, ofTwo] = [one.told.splice(0), two.told.splice(0)];
  for (const drags of ofOne) two.lane.elsewhere(ROOM, drags);
  for (const drags of ofTwo) one.lane.elsewhere(ROOM, drags);
}
const drag = ({ lane }: Node, who: RoomAccess, x: number, more: object = {}) =>
  lane.drag(who, { figureId: 7, x, y: 50, ...more });

beforeEach(async () => {
  now = 1000;
  timers = [];
  [one, two] = [await aNode(), await aNode()];
});

test('a figure in a hand on another node is out of reach until the hand opens', () => {
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

test('a hand of which nothing is heard any more has opened', () => {
  drag(one, client(20), 10);
  deliver();
  pass(HOLD_MS);
  expect(two.lane.heldByOther(ROOM, 7, 21)).toBe(false);
  expect(two.lane.clientsHolds(ROOM)).toEqual([]);
});

test('one figure in two hands at the same moment: both nodes leave it to the lower number', () => {
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

test('the therapist takes a figure out of a hand on another node', () => {
  drag(one, client(20), 10);
  deliver();
  drag(two, therapist, 90);
  drag(one, client(20), 11);
  deliver();
  for (const { lane } of [one, two]) expect(lane.clientsHolds(ROOM)).toEqual([]);
  expect([one.lane.heldByOther(ROOM, 7, 20), two.lane.heldByOther(ROOM, 7, 20)]).toEqual([true, true]);
});
