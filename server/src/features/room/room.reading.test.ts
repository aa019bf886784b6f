import { expect, test } from 'vitest';
import { createRoomReading } from './room.reading.ts';

test('people who ask while the room is busy share one reading, which begins in the room’s turn', async () => {
  const busy = Promise.withResolvers<void>();
  const read: number[] = [];
  const tell = createRoomReading({ inOrder: async (_, work) => busy.promise.then(work) }, async (therapistId) =>
    read.push(therapistId),
  );
  const told: number[] = [];
  const asked = [1, 2, 3].map(() => tell(7, (found) => void told.push(found)));
  expect(read).toEqual([]);
  busy.resolve();
  await Promise.all(asked);
  expect([read, told]).toEqual([[7], [1, 1, 1]]);
});

test('if there is nothing to send, nothing is sent', async () => {
  const tell = createRoomReading({ inOrder: async (_, work) => work() }, async () => null);
  await tell(7, () => expect.unreachable('nobody is told'));
});
