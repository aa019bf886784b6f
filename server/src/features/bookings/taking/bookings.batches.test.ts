/** Rule 2: which requests share a batch, and which wait. The test answers the batches. */
import { afterEach, expect, test, vi } from 'vitest';
import { DatabaseUnavailable } from '../../../platform/db/db.ts';
import { createBatches, type BatchesParts, type Served } from './bookings.batches.ts';

interface PlayedBatch {
  requests: readonly string[];
  patient: boolean;
  answer: (served?: Served<string>[]) => void;
  fail: (fault: unknown) => void;
}
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));

function setUp(
  parts: Partial<Pick<BatchesParts<string, string>, 'batches' | 'patientBatches' | 'size' | 'apartMs'>> = {},
) {
  const played: PlayedBatch[] = [];
  const batches = createBatches<string, string>({
    batches: 2,
    patientBatches: 1,
    size: 4,
    ...parts,
    serve: (requests, patient) =>
      new Promise((resolve, reject) => {
        played.push({
          requests,
          patient,
          answer: (served = requests.map((request) => ({ answer: `${request}!` }))) => resolve(served),
          fail: reject,
        });
      }),
  });
  return { played, batches };
}

test('2 requests of one turn share a batch; later ones form the next, in order of arrival', async () => {
  const { played, batches } = setUp();
  const asked = [batches.ask(1, 'a'), batches.ask(1, 'b'), batches.ask(2, 'c')];
  await turn();
  asked.push(batches.ask(1, 'd'), batches.ask(1, 'e'));
  await turn();
  expect(played.map(({ requests }) => requests)).toEqual([['a', 'b', 'c']]);
  played[0]!.answer();
  await turn();
  expect(played.map(({ requests }) => requests)).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
  played[1]!.answer();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
});

test('2 an event is in one batch at a time; another batch takes other events; there are at most two batches', async () => {
  const { played, batches } = setUp();
  const asked = [batches.ask(1, 'a')];
  await turn();
  asked.push(batches.ask(1, 'b'), batches.ask(2, 'c'));
  await turn();
  expect(played.map(({ requests }) => requests)).toEqual([['a'], ['c']]);
  asked.push(batches.ask(3, 'd'));
  await turn();
  expect(played).toHaveLength(2);
  played[1]!.answer();
  await turn();
  expect(played[2]!.requests).toEqual(['d']);
  played[0]!.answer();
  await turn();
  expect(played[3]!.requests).toEqual(['b']);
  for (const batch of played) batch.answer();
  await Promise.all(asked);
});

test('2 a crowd at one event does not keep others waiting', async () => {
  const { played, batches } = setUp({ batches: 1 });
  const asked = Array.from({ length: 9 }, (_, nth) => batches.ask(1, `crowd ${nth}`));
  asked.push(batches.ask(2, 'alone'));
  await turn();
  expect(played[0]!.requests).toHaveLength(4);
  played[0]!.answer();
  await turn();
  // The rest of the crowd is queued behind the other event.
  expect(played[1]!.requests).toEqual(['alone', 'crowd 4', 'crowd 5', 'crowd 6']);
  played[1]!.answer();
  await turn();
  played[2]!.answer();
  await Promise.all(asked);
});

test('2 a locked event waits in a separate batch, at the head of its queue, and does not delay others', async () => {
  const { played, batches } = setUp({ batches: 1 });
  const asked = [batches.ask(1, 'a'), batches.ask(2, 'b')];
  await turn();
  asked.push(batches.ask(1, 'c'));
  played[0]!.answer(['locked', { answer: 'b!' }]);
  await turn();
  expect(played[1]).toMatchObject({ requests: ['a', 'c'], patient: true });
  asked.push(batches.ask(3, 'd'));
  await turn();
  expect(played[2]).toMatchObject({ requests: ['d'], patient: false });
  played[2]!.answer();
  played[1]!.answer();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'c!', 'd!']);
});

test('2 only a request that cannot be served is refused; "again" is retried; a fault of the batch reaches all of it', async () => {
  const { played, batches } = setUp();
  const [bad, good, again] = [batches.ask(1, 'bad'), batches.ask(1, 'good'), batches.ask(1, 'again')];
  await turn();
  played[0]!.answer([{ fault: new Error('not this one') }, { answer: 'good!' }, 'again']);
  await expect(bad).rejects.toThrow('not this one');
  expect(await good).toBe('good!');
  await turn();
  expect(played[1]!.requests).toEqual(['again']);
  played[1]!.fail(new Error('no connection'));
  await expect(again).rejects.toThrow('no connection');
  const next = batches.ask(1, 'next');
  await turn();
  played[2]!.answer();
  expect(await next).toBe('next!');
});

test('2 requests queued behind a batch without a database are refused with it, those of other events are not', async () => {
  const { played, batches } = setUp();
  const first = batches.ask(1, 'a');
  await turn();
  const behind = batches.ask(1, 'b');
  const asked = [first, behind, batches.ask(2, 'c')];
  await turn();
  played[0]!.fail(new DatabaseUnavailable('locked'));
  for (const refused of [first, behind]) await expect(refused).rejects.toBeInstanceOf(DatabaseUnavailable);
  played[1]!.answer();
  expect(await asked[2]).toBe('c!');
  // Any other fault is that of the batch alone.
  const third = batches.ask(1, 'd');
  await turn();
  const fourth = batches.ask(1, 'e');
  played[2]!.fail(new Error('a bug'));
  await expect(third).rejects.toThrow('a bug');
  await turn();
  played[3]!.answer();
  expect(await fourth).toBe('e!');
});

test('2 if one event of a batch waits too long for a lock, each continues in its own batch', async () => {
  const { played, batches } = setUp({ patientBatches: 2 });
  const asked = [batches.ask(1, 'a'), batches.ask(2, 'b')];
  await turn();
  const behind = batches.ask(1, 'c');
  const lockTimeout = Object.assign(new Error('a lock was not free in time'), { code: '55P03', severity: 'ERROR' });
  played[0]!.fail(lockTimeout);
  await turn();
  expect(played.slice(1).map(({ requests, patient }) => [requests, patient])).toEqual([
    [['a', 'c'], true],
    [['b'], true],
  ]);
  const refused = Promise.allSettled([asked[0], behind]);
  played[1]!.fail(lockTimeout);
  played[2]!.answer();
  expect(await asked[1]).toBe('b!');
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('2 a request that can never be served is refused in the end', async () => {
  const { played, batches } = setUp();
  const asked = batches.ask(1, 'a').catch((error: Error) => error.message);
  for (let nth = 0; nth < 30; nth++) {
    await turn();
    played.at(-1)?.answer(['again']);
  }
  expect(await asked).toMatch(/could not be served/);
  expect(played.length).toBeLessThan(25);
});

test('5 with a minimum interval the first batch starts at once, and requests within the interval share the next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { played, batches } = setUp({ batches: 1, apartMs: 4 });
  const asked = [batches.ask(1, 'a')];
  await turn();
  expect(played).toHaveLength(1);
  vi.advanceTimersByTime(1);
  played[0]!.answer();
  asked.push(batches.ask(1, 'b'));
  await turn();
  vi.advanceTimersByTime(2);
  asked.push(batches.ask(1, 'c'));
  await turn();
  expect(played).toHaveLength(1);
  let idle = false;
  const waiting = batches.idle().then(() => (idle = true));
  await turn();
  expect(idle).toBe(false);
  vi.advanceTimersByTime(1);
  await turn();
  expect(played[1]!.requests).toEqual(['b', 'c']);
  played[1]!.answer();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'c!']);
  await waiting;
  // After the interval nobody waits.
  vi.advanceTimersByTime(4);
  const next = batches.ask(1, 'd');
  await turn();
  played[2]!.answer();
  expect(await next).toBe('d!');
});

test('5 a batch that takes longer than the interval is followed at once, but not before its answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { played, batches } = setUp({ batches: 1, apartMs: 4 });
  const asked = [batches.ask(1, 'a')];
  await turn();
  asked.push(batches.ask(1, 'b'));
  await turn();
  vi.advanceTimersByTime(9);
  await turn();
  expect(played).toHaveLength(1);
  played[0]!.answer();
  await turn();
  expect(played[1]!.requests).toEqual(['b']);
  played[1]!.answer();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!']);
});

test('idle resolves when nothing waits and nothing runs', async () => {
  const { played, batches } = setUp();
  await batches.idle();
  const asked = batches.ask(1, 'a');
  let idle = false;
  const waiting = batches.idle().then(() => (idle = true));
  await turn();
  expect(idle).toBe(false);
  played[0]!.answer();
  await asked;
  await waiting;
  expect(idle).toBe(true);
});
