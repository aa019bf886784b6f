/** What features do while a connection is being made. */
import { expect, test } from 'vitest';
import { currentWaits } from '../platform/db/waits.ts';
import { Problem } from '../platform/problem.ts';
import { StompRefusal } from '../platform/realtime/stomp-types.ts';
import { type Channel, CONNECTING_PATIENCE, type Sender } from './channel.ts';
import { createHooks } from './hooks.ts';

const sender = {} as Sender;

test('the channels take their turns, and a channel without the hook is left out', async () => {
  const done: string[] = [];
  const channels: Channel[] = [
    {
      async onJoin() {
        done.push('first begins');
        await new Promise(setImmediate);
        done.push('first ends');
      },
    },
    { onConnect: () => void done.push('connect') },
    { onJoin: () => void done.push('third') },
  ];
  await createHooks({ channels, waitMs: 1000 })('onJoin', sender);
  expect(done).toEqual(['first begins', 'first ends', 'third']);
});

test('all hooks together may wait longer for the database than a message', async () => {
  const left: number[] = [];
  const look = () => void left.push(currentWaits()!.leftMs());
  await createHooks({ channels: [{ onConnect: look }, { onConnect: look }], waitMs: 1000 })('onConnect', sender);
  expect(left).toEqual([1000 * CONNECTING_PATIENCE, 1000 * CONNECTING_PATIENCE]);
});

test('a refusal ends the connection, and what would come after it is not done', async () => {
  const done: string[] = [];
  const channels: Channel[] = [
    {
      onJoin() {
        throw new Problem('not_admitted');
      },
    },
    { onJoin: () => void done.push('second') },
  ];
  const joined = createHooks({ channels, waitMs: 1000 })('onJoin', sender);
  await expect(joined).rejects.toBeInstanceOf(StompRefusal);
  await expect(joined).rejects.toMatchObject({ code: 'not_admitted' });
  expect(done).toEqual([]);
});
