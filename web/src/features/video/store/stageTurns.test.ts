import { expect, test } from 'vitest';
import { createStageTurns } from './stageTurns.ts';

/** A server that answers on demand, and sends its changes to the room still later. */
function server(first: number[] | null = null) {
  let room = first;
  let kept = first;
  const asked: (number[] | null)[] = [];
  const waiting: { answer(): void; fail(): void }[] = [];
  const turn = createStageTurns(
    () => room,
    (clientIds) => {
      asked.push(clientIds);
      return new Promise((resolve, reject) => {
        waiting.push({ answer: () => resolve((kept = clientIds)), fail: () => reject(new Error('offline')) });
      });
    },
  );
  const next = async (how: 'answer' | 'fail' = 'answer') => {
    await Promise.resolve();
    waiting.shift()![how]();
    for (let tick = 0; tick < 5; tick += 1) await Promise.resolve();
  };
  return { asked, turn, next, say: (stage: number[] | null = kept && [...kept]) => void (room = stage) };
}

test('10.13 two quick presses both take effect', async () => {
  const { asked, turn, next, say } = server();
  const both = Promise.all([turn(1, true), turn(2, true)]);
  await next();
  await next();
  await both;
  expect(asked).toEqual([[1], [1, 2]]);
  // The room has not sent it yet.
  void turn(1, false);
  await next();
  expect(asked.at(-1)).toEqual([2]);
  say();
  void turn(2, false);
  await next();
  expect(asked.at(-1)).toBeNull();
});

test('10.13 a message from the room takes precedence, and a failed press has no effect', async () => {
  const { asked, turn, next, say } = server([1]);
  const failed = turn(2, true);
  const after = turn(3, true);
  await next('fail');
  await expect(failed).rejects.toThrow('offline');
  await next();
  await after;
  expect(asked).toEqual([
    [1, 2],
    [1, 3],
  ]);
  // Somebody has left.
  say([3]);
  void turn(4, true);
  await next();
  expect(asked.at(-1)).toEqual([3, 4]);
});
