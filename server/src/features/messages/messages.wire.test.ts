/**
 * Properties of the wire over random histories: people write, send again, leave and come back, and connections are
 * lost. No connection ever carries a private message of others, and MESSAGES is exactly what its person may read. The
 * numbers are those of README.md.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MESSAGES_SEND } from '@fieldroom/contract/messages';
import {
  openClientScreen,
  openTherapistScreen,
  rejoinTherapistScreen,
  type Screen,
} from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aTherapist } from '../../builders/accounts.builders.ts';
import { aClient, inRoom } from '../../builders/clients.builders.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** A person in the run, with all their connections. */
interface Person {
  readonly id: number;
  readonly screens: Screen[];
  readonly connect: () => Promise<Screen>;
  /** Texts they may read, in the order in which they were written. */
  readonly readable: string[];
  isIn: boolean;
}

type Step =
  | { kind: 'write'; by: number; to: number | 'all'; lost: boolean }
  | { kind: 'reconnect'; by: number; first: 'cut' | 'open' }
  | { kind: 'secondScreen' | 'remove' | 'comeAgain'; by: number };

const who = fc.nat({ max: 2 });
const client = fc.integer({ min: 1, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      by: who,
      to: fc.oneof(fc.constant('all' as const), who),
      lost: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reconnect' as const),
      by: who,
      first: fc.constantFrom('cut' as const, 'open' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('secondScreen' as const), by: who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), by: client }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('comeAgain' as const), by: client }) },
);

test('2, 3 and 4: no connection carries a private message of others, and MESSAGES is what its person may read', async () => {
  let words = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 19 }), async (steps) => {
      const account = await aTherapist(t.db);
      const everybody: Person[] = [];
      /** The therapist is number 0, and two clients are 1 and 2 at the moment. */
      const now: Person[] = [];

      async function enter(number: number, id: number, connect: () => Promise<Screen>): Promise<void> {
        const person: Person = { id, connect, screens: [await connect()], readable: [], isIn: true };
        everybody.push(person);
        now[number] = person;
      }
      async function letIn(number: number): Promise<void> {
        const seat = await inRoom(t.app, account);
        await enter(number, seat.id, () => openClientScreen(t.url, seat));
      }
      const waits = await aClient(t.app, account);
      const waiting = await openClientScreen(t.url, waits, { room: false });
      const opened = await openTherapistScreen(t.url, account);
      await enter(0, account.id, async () =>
        now[0] === undefined ? opened : await rejoinTherapistScreen(t.url, account),
      );
      await letIn(1);
      await letIn(2);

      async function write({ by, to, lost }: Extract<Step, { kind: 'write' }>): Promise<void> {
        const sender = now[by]!;
        const recipient = to === 'all' ? null : now[to]!;
        if (!sender.isIn) return;
        const actId = crypto.randomUUID();
        const text = `word${++words}.`;
        const sent = { actId, to: recipient?.id ?? 'all', text };
        if (lost) {
          // It is unknown whether it arrived: the page that comes back sends it again.
          sender.screens.at(-1)!.say(MESSAGES_SEND.send, sent);
          await sender.screens.at(-1)!.cut();
          sender.screens.push(await sender.connect());
        }
        const screen = sender.screens.at(-1)!;
        await screen.send(MESSAGES_SEND.send, sent);
        const isAllowed = recipient === null || (recipient !== sender && recipient.isIn && (by === 0) !== (to === 0));
        if (!isAllowed) {
          await screen.next('PROBLEM', ({ contents }) => contents.actId === actId);
          return;
        }
        await screen.next('MESSAGE', ({ contents }) => contents.actId === actId);
        const readers = recipient === null ? now.filter(({ isIn }) => isIn) : [sender, recipient];
        for (const reader of readers) reader.readable.push(text);
      }

      const carryOut: { [K in Step['kind']]: (step: Extract<Step, { kind: K }>) => Promise<void> } = {
        write,
        async reconnect({ by, first }) {
          const person = now[by]!;
          if (!person.isIn) return;
          const before = person.screens.at(-1)!;
          if (first === 'cut') await before.cut();
          person.screens.push(await person.connect());
          if (first === 'open') await before.leave();
        },
        async secondScreen({ by }) {
          const person = now[by]!;
          if (person.isIn) person.screens.push(await person.connect());
        },
        async remove({ by }) {
          const person = now[by]!;
          if (!person.isIn) return;
          await t.app.clients.remove(account.id, person.id);
          person.isIn = false;
        },
        async comeAgain({ by }) {
          if (!now[by]!.isIn) await letIn(by);
        },
      };
      for (const one of steps) await carryOut[one.kind](one as never);

      for (const { isIn, connect, screens, readable } of everybody) {
        if (isIn) {
          const last = await connect();
          screens.push(last);
          const { contents } = await last.next('MESSAGES');
          expect(contents.messages.map(({ text }) => text)).toEqual(readable);
        }
        for (const screen of screens) {
          if (screen.isOpen()) await screen.send('/app/check.connection', {});
          const carried = JSON.stringify(screen.heard).match(/word\d+\./g) ?? [];
          expect(carried.filter((word) => !readable.includes(word))).toEqual([]);
        }
      }
      await waiting.send('/app/check.connection', {});
      expect(JSON.stringify(waiting.heard)).not.toMatch(/word\d+\./);
      await t.app.sessions.end(account.id, 'ended');
      for (const screen of now[0]!.screens) if (screen.isOpen()) await screen.leave();
      await waiting.closed;
    }),
    { numRuns: 12 },
  );
});
