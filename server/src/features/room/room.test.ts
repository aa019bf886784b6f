/** Only the room: order of acts, stamps after the last change. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Change } from '@fieldroom/contract/realtime';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { aTherapist } from '../../builders/accounts.builders.ts';
import { DatabaseUnavailable } from '../../platform/db/db.ts';
import { Waits, withWaits } from '../../platform/db/waits.ts';
import { createRoom } from './index.ts';

let t: TestPlatform;
beforeAll(async () => {
  t = await testPlatform();
});
afterAll(() => t.close());

function stage(stampsAfterMs?: number) {
  const sent: { destination: string; change: Change }[] = [];
  return {
    sent,
    room: createRoom({
      db: t.db,
      publish: (destination, change) => void sent.push({ destination, change }),
      log: t.log,
      stampsAfterMs,
    }),
  };
}

test('acts of one room run in turn, a failed one does not stop the next, and other rooms do not wait', async () => {
  const { room } = stage();
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = room.inOrder(1, async () => {
    await gate.promise;
    done.push('first');
    throw new Error('first failed');
  });
  const second = room.inOrder(1, async () => void done.push('second'));
  await room.inOrder(2, async () => void done.push('other'));
  gate.resolve();
  await expect(first).rejects.toThrow('first failed');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});

test('work after a commit runs before the next act, and not at all if the act failed', async () => {
  const { room } = stage();
  const { id } = await aTherapist(t.db);
  const done: string[] = [];
  const acts = [1, 2, 3].map((n) =>
    room.act(id, async (tx, row, afterCommit) => {
      afterCommit(async () => {
        await room.stamps(id);
        done.push(`after ${n}`);
      });
      done.push(`act ${n} at ${row.fieldRevision}`);
      await room.raiseFieldRevision(tx, id);
      if (n === 2) throw new Error('taken back');
    }),
  );
  await Promise.allSettled(acts);
  expect(done).toEqual(['act 1 at 0', 'after 1', 'act 2 at 1', 'act 3 at 1', 'after 3']);
  expect(await room.stamps(id)).toEqual({ usersUpdatedOn: 0, participantsUpdatedOn: 2 });
});

test('two simultaneous first acts make one row; each stamp goes up separately', async () => {
  const { id } = await aTherapist(t.db);
  const [one, other] = [stage().room, stage().room];
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0
        ? one.act(id, (tx) => one.raisePeopleRevision(tx, id))
        : other.act(id, (tx) => other.raiseFieldRevision(tx, id)),
    ),
  );
  expect(await one.stamps(id)).toEqual({ usersUpdatedOn: 5, participantsUpdatedOn: 5 });
  expect(await one.stamps(999_999_999)).toEqual({ usersUpdatedOn: 0, participantsUpdatedOn: 0 });
});

test('the stamps are sent once more after the last of many changes', async () => {
  const { id } = await aTherapist(t.db);
  const { room, sent } = stage(500);
  for (let n = 0; n < 3; n++) {
    const stamps = await room.act(id, (tx) => room.raisePeopleRevision(tx, id));
    room.announce(id, { eventType: 'LOGIN', contents: { id: 1, name: 'A' }, ...stamps });
  }
  await vi.waitFor(() => expect(sent.at(-1)!.change.eventType).toBe('STAMPS'), { timeout: 60_000 });
  await room.stop();
  expect(sent.map(({ change }) => change.eventType)).toEqual(['LOGIN', 'LOGIN', 'LOGIN', 'STAMPS']);
  expect(sent.at(-1)).toEqual({
    destination: `/sb/user/${id}`,
    change: { eventType: 'STAMPS', contents: null, usersUpdatedOn: 3, participantsUpdatedOn: 0 },
  });
});

test('a caller with no time left for the turn is refused, and the act is skipped; later ones follow', async () => {
  const { room } = stage();
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = room.inOrder(1, () => gate.promise);
  const late = withWaits(new Waits(1000, 5000), () => room.inOrder(1, async () => void done.push('late')));
  const last = room.inOrder(1, async () => void done.push('last'));
  await expect(late).rejects.toBeInstanceOf(DatabaseUnavailable);
  gate.resolve();
  await first;
  await last;
  expect(done).toEqual(['last']);
});
