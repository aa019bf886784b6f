/** The messages between nodes about a room, over a bus that the test answers. */
import { beforeEach, expect, test } from 'vitest';
import type { BusMessage } from '../../platform/nodes/bus.ts';
import { createRoomNodes, type RoomNodes } from './room.nodes.ts';

const ROOM = 7;
let published: string[];
/** Answers of Redis that are due. */
let answers: ((isHeard: boolean) => void)[];
let receive: (message: BusMessage) => void;
let roomNodes: RoomNodes;

beforeEach(() => {
  published = [];
  answers = [];
  roomNodes = createRoomNodes({
    isShared: true,
    tellOthers: (channel, { attributes }) => void published.push(`${channel} ${attributes!['what']}`),
    reach(channel, { attributes }) {
      published.push(`${channel} ${attributes!['what']}`);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      answers.push(resolve);
      return promise;
    },
    subscribe(_, handler) {
      receive = (message) => handler(message, `room:${ROOM}`);
      return () => {};
    },
  });
});

/** The answer to the last message has been read. */
async function answer(isHeard: boolean): Promise<void> {
  answers.pop()!(isHeard);
  await new Promise(setImmediate);
}

test('a node announces only the first person of a room to the others', () => {
  roomNodes.enter(ROOM);
  roomNodes.enter(ROOM);
  expect(published).toEqual(['room:7 arrived']);
});

test('a node sends nothing volatile while no other node has the room, until one announces itself', async () => {
  roomNodes.enter(ROOM);
  published.length = 0;
  expect(roomNodes.isAlone(ROOM)).toBe(false);
  roomNodes.tellVolatile(ROOM, 'moves', {});
  await answer(false);
  expect(roomNodes.isAlone(ROOM)).toBe(true);
  roomNodes.tellVolatile(ROOM, 'moves', {});
  expect(published).toEqual(['room:7 moves']);
  receive({ body: '{}', attributes: { what: 'arrived' } });
  roomNodes.tellVolatile(ROOM, 'moves', {});
  expect(published).toHaveLength(2);
  await answer(true);
  expect(roomNodes.isAlone(ROOM)).toBe(false);
});

test('an answer that is older than an arrival is ignored', async () => {
  roomNodes.enter(ROOM);
  roomNodes.tellVolatile(ROOM, 'moves', {});
  receive({ body: '{}', attributes: { what: 'arrived' } });
  await answer(false);
  expect(roomNodes.isAlone(ROOM)).toBe(false);
});

test('a room that everybody has left is forgotten', async () => {
  const [one, two] = [roomNodes.enter(ROOM), roomNodes.enter(ROOM)];
  roomNodes.tellVolatile(ROOM, 'moves', {});
  await answer(false);
  one();
  one();
  expect(roomNodes.isAlone(ROOM)).toBe(true);
  two();
  expect(roomNodes.isAlone(ROOM)).toBe(false);
});
