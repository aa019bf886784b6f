import { expect, test } from 'vitest';
import { createRoomReading } from './room.reading.ts';

test('someone who asks while the room is busy shares one reading, which begins in the room’s turn', async () => {
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

test('where there is nothing to tell nobody is told', async () => {
  const tell = createRoomReading({ inOrder: async (_, work) => work() }, async () => null);
  await tell(7, () => expect.unreachable('nobody is told'));
});
