/** Rule 2: who waits together, and who keeps whom waiting. The rounds are played. */
import { expect, test } from 'vitest';
import { createGatherer, type Served } from './bookings.gather.ts';

interface Round {
  wishes: readonly string[];
  patient: boolean;
  answer: (served?: Served<string>[]) => void;
  fail: (fault: unknown) => void;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

function stage(parts: Partial<{ rounds: number; patientRounds: number; together: number }> = {}) {
  const rounds: Round[] = [];
  const gatherer = createGatherer<string, string>({
    rounds: 2,
    patientRounds: 1,
    together: 4,
    ...parts,
    serve: (wishes, patient) =>
      new Promise((resolve, reject) => {
        rounds.push({
          wishes,
          patient,
          answer: (served = wishes.map((wish) => ({ answer: `${wish}!` }))) => resolve(served),
          fail: reject,
        });
      }),
  });
  return { rounds, gatherer };
}

test('2 who comes in one turn goes together, who comes meanwhile goes next, in the order of coming', async () => {
  const { rounds, gatherer } = stage();
  const asked = [gatherer.ask(1, 'a'), gatherer.ask(1, 'b'), gatherer.ask(2, 'c')];
  await turn();
  asked.push(gatherer.ask(1, 'd'), gatherer.ask(1, 'e'));
  await turn();
  expect(rounds.map(({ wishes }) => wishes)).toEqual([['a', 'b', 'c']]);
  rounds[0]!.answer();
  await turn();
  expect(rounds.map(({ wishes }) => wishes)).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
  rounds[1]!.answer();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
});

test('2 an event is in one round at a time; another round takes others; so many rounds and no more', async () => {
  const { rounds, gatherer } = stage();
  const asked = [gatherer.ask(1, 'a')];
  await turn();
  asked.push(gatherer.ask(1, 'b'), gatherer.ask(2, 'c'));
  await turn();
  expect(rounds.map(({ wishes }) => wishes)).toEqual([['a'], ['c']]);
  asked.push(gatherer.ask(3, 'd'));
  await turn();
  expect(rounds).toHaveLength(2);
  rounds[1]!.answer();
  await turn();
  expect(rounds[2]!.wishes).toEqual(['d']);
  rounds[0]!.answer();
  await turn();
  expect(rounds[3]!.wishes).toEqual(['b']);
  for (const round of rounds) round.answer();
  await Promise.all(asked);
});

test('2 a crowd at one event does not keep others waiting', async () => {
  const { rounds, gatherer } = stage({ rounds: 1 });
  const asked = Array.from({ length: 9 }, (_, nth) => gatherer.ask(1, `crowd ${nth}`));
  asked.push(gatherer.ask(2, 'alone'));
  await turn();
  expect(rounds[0]!.wishes).toHaveLength(4);
  rounds[0]!.answer();
  await turn();
  // What was left of the crowd stands behind the other.
  expect(rounds[1]!.wishes).toEqual(['alone', 'crowd 4', 'crowd 5', 'crowd 6']);
  rounds[1]!.answer();
  await turn();
  rounds[2]!.answer();
  await Promise.all(asked);
});

test('2 what others have locked is waited for apart, at the head of its line, and keeps nobody', async () => {
  const { rounds, gatherer } = stage({ rounds: 1 });
  const asked = [gatherer.ask(1, 'a'), gatherer.ask(2, 'b')];
  await turn();
  asked.push(gatherer.ask(1, 'c'));
  rounds[0]!.answer(['locked', { answer: 'b!' }]);
  await turn();
  expect(rounds[1]).toMatchObject({ wishes: ['a', 'c'], patient: true });
  asked.push(gatherer.ask(3, 'd'));
  await turn();
  expect(rounds[2]).toMatchObject({ wishes: ['d'], patient: false });
  rounds[2]!.answer();
  rounds[1]!.answer();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'c!', 'd!']);
});

test('2 one that cannot be served is refused alone; again means again; a fault of the round is told to all of it', async () => {
  const { rounds, gatherer } = stage();
  const [bad, good, again] = [gatherer.ask(1, 'bad'), gatherer.ask(1, 'good'), gatherer.ask(1, 'again')];
  await turn();
  rounds[0]!.answer([{ fault: new Error('not this one') }, { answer: 'good!' }, 'again']);
  await expect(bad).rejects.toThrow('not this one');
  expect(await good).toBe('good!');
  await turn();
  expect(rounds[1]!.wishes).toEqual(['again']);
  rounds[1]!.fail(new Error('no line'));
  await expect(again).rejects.toThrow('no line');
  const next = gatherer.ask(1, 'next');
  await turn();
  rounds[2]!.answer();
  expect(await next).toBe('next!');
});

test('2 what can never be served ends', async () => {
  const { rounds, gatherer } = stage();
  const asked = gatherer.ask(1, 'a').catch((error: Error) => error.message);
  for (let nth = 0; nth < 30; nth++) {
    await turn();
    rounds.at(-1)?.answer(['again']);
  }
  expect(await asked).toMatch(/could not be served/);
  expect(rounds.length).toBeLessThan(25);
});

test('idle when nobody waits and nothing runs', async () => {
  const { rounds, gatherer } = stage();
  await gatherer.idle();
  const asked = gatherer.ask(1, 'a');
  let idle = false;
  const waiting = gatherer.idle().then(() => (idle = true));
  await turn();
  expect(idle).toBe(false);
  rounds[0]!.answer();
  await asked;
  await waiting;
  expect(idle).toBe(true);
});
