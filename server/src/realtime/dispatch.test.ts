/** What the sender of a refused message reads, by what its feature declares. */
import type { PlainChange } from '@fieldroom/contract/realtime';
import { Problem } from '../platform/problem.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { CONNECTING_PATIENCE, type Sender, stored } from './channel.ts';
import { createDispatch } from './dispatch.ts';
import { DatabaseUnavailable } from '../platform/db/db.ts';
import { currentWaits, type Waits } from '../platform/db/waits.ts';
import { StompRefusal } from '../platform/realtime/stomp-types.ts';

const ACT = '11111111-1111-4111-8111-111111111111';
const heard: PlainChange[] = [];
const sender = { tell: (change) => void heard.push(change as PlainChange) } as Sender;
const refuse = () => {
  throw new Problem('forbidden');
};
const dispatch = createDispatch({
  waitMs: 60_000,
  channels: [
    {
      messages: {
        '/app/with.figure': stored(z.unknown(), refuse, { figureIn: (body) => (body as { on: number }).on }),
        '/app/without': stored(z.unknown(), refuse),
        '/app/strict': stored(z.strictObject({ on: z.string() }), refuse, { figureIn: () => 7 }),
      },
    },
  ],
});

/** Sends a message and returns what its sender reads. */
async function refusalOf(destination: string, text: string) {
  const message = { destination, text: () => text };
  try {
    await dispatch.handle(message, sender);
  } catch (error) {
    if (!(error instanceof StompRefusal)) throw error;
    dispatch.refuse(error, message, sender);
    return heard.at(-1)!.contents;
  }
  throw new Error(`${destination} was not refused`);
}

test('a refusal names the act, and the figure that the feature of the message finds in it', async () => {
  const body = JSON.stringify({ actId: ACT, on: 5, act: { figureId: 6 } });
  expect(await refusalOf('/app/with.figure', body)).toMatchObject({ actId: ACT, figureId: 5 });
  expect(await refusalOf('/app/without', body)).toMatchObject({ actId: ACT, figureId: null });
  expect(await refusalOf('/app/nowhere', body)).toMatchObject({ actId: ACT, figureId: null });
});

test('of a message that does not fit its schema only the act’s id is told, of one that is no JSON nothing', async () => {
  expect(await refusalOf('/app/strict', JSON.stringify({ actId: ACT, on: 5 }))).toMatchObject({
    actId: ACT,
    figureId: null,
    problem: { code: 'invalid_input' },
  });
  expect(await refusalOf('/app/without', '{')).toMatchObject({
    actId: null,
    figureId: null,
    problem: { code: 'frame_malformed' },
  });
});

test('one that waited behind a message without a database, all its time, is refused as that one was', async () => {
  let handled = 0;
  let isAway = true;
  const calls = createDispatch({
    waitMs: 1000,
    channels: [
      {
        messages: {
          '/app/asks': stored(z.unknown(), async () => {
            handled += 1;
            if (isAway) throw new DatabaseUnavailable('away');
          }),
        },
      },
    ],
  });
  const send = async (queuedMs: number, from: Sender) => {
    const queuedAt = performance.now() - queuedMs;
    await calls.handle({ destination: '/app/asks', text: () => '{}', queuedAt }, from);
  };
  await expect(send(0, sender)).rejects.toMatchObject({ code: 'unavailable' });
  isAway = false;
  await expect(send(1001, sender)).rejects.toMatchObject({ code: 'unavailable' });
  expect(handled).toBe(1);
  // Others were not kept by the database; nor are those that came after the fault.
  await send(1001, {} as Sender);
  const other = {} as Sender;
  isAway = true;
  await expect(send(0, other)).rejects.toMatchObject({ code: 'unavailable' });
  isAway = false;
  await send(-1, other);
  expect(handled).toBe(4);
});

test('a message that ends the connection where it cannot be served may wait longer', async () => {
  const left: number[] = [];
  const calls = createDispatch({
    waitMs: 1000,
    channels: [
      {
        messages: {
          '/app/joins': stored(z.unknown(), async () => void left.push(currentWaits()!.leftMs()), {
            whenUnavailable: 'end',
          }),
        },
      },
    ],
  });
  await calls.handle({ destination: '/app/joins', text: () => '{}' }, sender);
  expect(left).toEqual([1000 * CONNECTING_PATIENCE]);
});

test('each message has waits of its own, which end with it', async () => {
  const seen: (Waits | null)[] = [];
  const calls = createDispatch({
    waitMs: 1000,
    channels: [{ messages: { '/app/waits': stored(z.unknown(), async () => void seen.push(currentWaits())) } }],
  });
  const queuedAt = performance.now() - 900;
  await calls.handle({ destination: '/app/waits', text: () => '{}', queuedAt }, sender);
  await calls.handle({ destination: '/app/waits', text: () => '{}' }, sender);
  expect(seen.map((waits) => [waits!.leftMs() <= 100, waits!.isOver])).toEqual([
    [true, true],
    [false, true],
  ]);
  expect(seen[1]!.leftMs()).toBe(1000);
});
