/** A node that leaves sends its connections to the others, some at a time. */
import { CLOSE_MOVE } from '@fieldroom/contract/realtime';
import { expect, test, vi } from 'vitest';
import { createLeaving } from './realtime.leaving.ts';

test('everybody is told, and closed with the code that lets them come to another node soon', async () => {
  const open = new Set(Array.from({ length: 5 }, (_, id) => ({ id })));
  const told: unknown[] = [];
  const ends: unknown[] = [];
  const broker = {
    connectionsOf: () => [...open],
    disconnect(whom: (principal: unknown, one: { id: number }) => boolean, end: unknown) {
      for (const one of open)
        if (whom(null, one)) {
          open.delete(one);
          ends.push(end);
        }
    },
    drain: vi.fn(),
  };
  const leaving = createLeaving({
    broker: broker as never,
    senderOf: (connection) => ({ tell: (change) => void told.push([connection, change.eventType]) }),
  });
  expect(leaving.hasBegun()).toBe(false);
  await leaving.leave(0);
  expect(leaving.hasBegun()).toBe(true);
  expect(open.size).toBe(0);
  expect(told).toHaveLength(5);
  expect(ends).toEqual(Array(5).fill({ code: CLOSE_MOVE, reason: 'come to another node' }));
});
