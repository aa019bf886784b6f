/** What the sender of a refused message reads, by what its feature declares. */
import { Problem } from '../platform/problem.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Sender, stored } from './channel.ts';
import { createDispatch } from './dispatch.ts';
import { StompRefusal } from '../platform/realtime/stomp-types.ts';

const ACT = '11111111-1111-4111-8111-111111111111';
const sender = {} as Sender;
const refuse = () => {
  throw new Problem('forbidden');
};
const dispatch = createDispatch([
  {
    messages: {
      '/app/with.figure': stored(z.unknown(), refuse, { figureIn: (body) => (body as { on: number }).on }),
      '/app/without': stored(z.unknown(), refuse),
      '/app/strict': stored(z.strictObject({ on: z.string() }), refuse, { figureIn: () => 7 }),
    },
  },
]);

/** Sends a message and returns what its sender reads. */
async function refusalOf(destination: string, text: string) {
  const message = { destination, text: () => text };
  try {
    await dispatch.handle(message, sender);
  } catch (error) {
    if (error instanceof StompRefusal) return dispatch.problemOf(error, message).contents;
    throw error;
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
