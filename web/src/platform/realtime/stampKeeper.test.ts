import type { Change, StampedChange } from '@fieldroom/contract/realtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshKeeper, hear, isLacking, nextCheck, type StampKeeper } from './stampKeeper.ts';

const field = (revision: number, users = 0): StampedChange => ({
  eventType: 'PLAYERS_VALUE',
  participantsUpdatedOn: revision,
  usersUpdatedOn: users,
  contents: { figures: [], handsAllowed: true },
});
const act = (revision: number, users = 0): StampedChange => ({
  eventType: 'PLAYER_CHANGE',
  participantsUpdatedOn: revision,
  usersUpdatedOn: users,
  contents: { revision, actId: null, by: null, ops: [] },
});
const people = (users: number, revision = 0): StampedChange => ({
  eventType: 'UNREGISTER_USER',
  participantsUpdatedOn: revision,
  usersUpdatedOn: users,
  contents: { people: [], therapistHere: true },
});
const stamps = (revision: number, users: number): StampedChange => ({
  eventType: 'STAMPS',
  participantsUpdatedOn: revision,
  usersUpdatedOn: users,
  contents: null,
});
const listen = (changes: Change[], at = 0) =>
  changes.reduce<{ keeper: StampKeeper; verdicts: string[] }>(
    ({ keeper, verdicts }, change) => {
      const heard = hear(keeper, change, at);
      return { keeper: heard.keeper, verdicts: [...verdicts, heard.verdict] };
    },
    { keeper: freshKeeper, verdicts: [] },
  );

describe('stale messages', () => {
  test('1. an older snapshot is ignored, an equal or newer one is applied', () =>
    expect(listen([field(5), field(4), field(5), field(6)]).verdicts).toEqual(['take', 'outdated', 'take', 'take']));
  test('1. people and field have their own stamps', () =>
    expect(listen([field(5), people(2), people(1), field(5, 2)]).verdicts).toEqual([
      'take',
      'take',
      'outdated',
      'take',
    ]));
  test('1. the stamp of any message counts', () =>
    expect(listen([stamps(9, 3), field(8), people(2)]).verdicts).toEqual(['plain', 'outdated', 'outdated']));
  test('2. a change is applied only on the previous revision', () =>
    expect(listen([field(5), act(6), act(6), act(8), act(7)]).verdicts).toEqual([
      'take',
      'take',
      'outdated',
      'gap',
      'take',
    ]));
  test('volatile messages do not change the keeper', () =>
    expect(listen([{ eventType: 'RESTART', contents: null }]).keeper).toBe(freshKeeper));
});

describe('3. checks', () => {
  const lacking = () => listen([field(5, 1), people(1, 5), act(7, 1)], 1000).keeper;
  test('nothing is requested while nothing is missing', () =>
    expect(nextCheck(listen([field(5, 1), people(1, 5)]).keeper, 99_999)).toEqual({ kind: 'none' }));
  test('within the guard time it waits for the end of it', () =>
    expect(nextCheck(lacking(), 1400)).toEqual({ kind: 'wait', ms: 600 }));
  test('then it asks with what it holds, at most once per guard time', () => {
    const asked = nextCheck(lacking(), 2000);
    expect(asked).toMatchObject({ kind: 'ask', held: { fieldRevision: 5, peopleRevision: 1 } });
    if (asked.kind === 'ask') expect(nextCheck(asked.keeper, 2500)).toEqual({ kind: 'wait', ms: 500 });
  });
  test('a stream of messages does not delay the request', () => {
    let keeper = lacking();
    for (let at = 1100; at < 2000; at += 100) keeper = hear(keeper, act(at / 100, 1), at).keeper;
    expect(nextCheck(keeper, 2000).kind).toBe('ask');
  });
  test('the answer ends the check', () => expect(isLacking(hear(lacking(), field(7, 1), 2100).keeper)).toBe(false));
});

test('whatever is lost, duplicated or reordered: once messages stop and checks are answered, the browser equals the server', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('field', 'people'), { minLength: 1, maxLength: 40 }),
      fc.infiniteStream(fc.record({ lose: fc.boolean(), twice: fc.boolean(), later: fc.integer({ min: 0, max: 6 }) })),
      (history, fate) => {
        // The server: each event is one revision and one message with both stamps after it.
        let revision = 0;
        let users = 0;
        const sent: { at: number; change: StampedChange }[] = [
          { at: -1, change: field(0) },
          { at: -1, change: people(0) },
        ];
        history.forEach((kind, index) => {
          if (kind === 'field') revision += 1;
          else users += 1;
          const change = kind === 'field' ? act(revision, users) : people(users, revision);
          const { lose, twice, later } = fate.next().value;
          if (!lose) sent.push({ at: index + later, change });
          if (twice) sent.push({ at: index + later + 3, change });
        });
        // One second after the last change the stamps are sent, and they arrive.
        sent.push({ at: history.length + 20, change: stamps(revision, users) });
        sent.sort((a, b) => a.at - b.at);
        let keeper = freshKeeper;
        let now = 0;
        let appliedRevision = 0;
        const take = (change: StampedChange) => {
          const heard = hear(keeper, change, now);
          if (heard.verdict === 'take' && change.eventType === 'PLAYER_CHANGE') {
            expect(change.contents.revision).toBe(appliedRevision + 1);
            appliedRevision = change.contents.revision;
          }
          if (heard.verdict === 'take' && change.eventType === 'PLAYERS_VALUE') {
            expect(change.participantsUpdatedOn).toBeGreaterThanOrEqual(appliedRevision);
            appliedRevision = change.participantsUpdatedOn;
          }
          keeper = heard.keeper;
        };
        for (const { change } of sent) {
          now += 100;
          take(change);
        }
        let asks = 0;
        for (let step = nextCheck(keeper, now); step.kind !== 'none'; step = nextCheck(keeper, now)) {
          if (step.kind === 'wait') now += step.ms;
          else {
            asks += 1;
            keeper = step.keeper;
            take(field(revision, users));
            take(people(users, revision));
          }
        }
        expect(asks).toBeLessThanOrEqual(1);
        expect(keeper.held).toEqual({ fieldRevision: revision, peopleRevision: users });
        expect(appliedRevision).toBe(revision);
      },
    ),
    { numRuns: 300 },
  );
});
