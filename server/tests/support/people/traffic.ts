/**
 * What goes on while something fails: people of two rooms drag, act, write and use the timer, others book and confirm.
 * Whoever is refused, or gets no answer, does the same once more, as pages do. In the end nothing that was confirmed
 * may be lost, doubled or half done, and nobody may have heard anything of the other room. What they do is in traffic/.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Db } from '../../../src/platform/db/db.ts';
import type { FakeSmtp } from '../programs/fake-smtp.ts';
import { type Booker, openTrafficBookings } from './traffic/bookings.ts';
import { expectRoom } from './traffic/room-checks.ts';
import { type Actor, openTrafficRoom, type Person } from './traffic/room.ts';
import { createTries, PAUSE_MS, untilRisen } from './traffic/tries.ts';

/** Settings of the servers: nobody here is refused because of limits, and all use one PostgreSQL. */
export const TRAFFIC_ENV = {
  LIMIT_REQUESTS: '1000000/60',
  LIMIT_OPEN_CALLS: '1000000/60',
  LIMIT_BOOKING: '1000000/60',
  LIMIT_OPEN_HOLDS: '1000000/60',
  DATABASE_CONNECTIONS: '8',
} as const;

/** Tests with traffic wait for many people, often on a machine that stalls. It only ends what hangs. */
export const TRAFFIC_TEST = { timeout: 300_000 } as const;

/** No name or text of one room has the word of the other. */
const WORDS = ['amber', 'birch'] as const;

export interface Traffic {
  /** The event at which people book now. */
  eventId(): number;
  /** Waits until everybody has done so much more; messages and the timer, which go slower, once more. */
  goOnFor(times: number): Promise<void>;
  /** The same for acts in the rooms alone: they need no call. */
  actsGoOnFor(times: number): Promise<void>;
  /** Waits until everybody who acts or holds places has been refused once more, or has got no answer. */
  untilRefused(): Promise<void>;
  /** The same for those who hold places alone. */
  untilBookingRefused(): Promise<void>;
  /** Waits until everybody who acts has seen the hand of everybody else in the room move once more. */
  untilHandsMove(): Promise<void>;
  /**
   * There is a client who has a figure in the hand and never drops it, nor comes back once the connection is lost.
   * Another client moves that figure, as soon as it may.
   */
  takeFromHand(): Promise<void>;
  /** How often somebody who acts lost the connection, or a call got no answer. */
  lost(): number;
  /** Everybody finishes what they do. Compares what they were told with the database, and what their pages show. */
  settle(): Promise<void>;
  /** Nobody goes on, and nobody is connected any more. */
  stop(): void;
}

interface TrafficOptions {
  /** A database that works before and after the fault. */
  readonly db: Db;
  /** The addresses that people use: read again for every call, so that nodes may come and go. */
  readonly urls: () => readonly string[];
  /** How many nodes are behind the addresses, if those are of proxies. */
  readonly nodesBehind?: number;
  /** The mail server of the servers, if they have one: its emails are compared too. */
  readonly smtp?: FakeSmtp;
}

/** Starts it. Resolves once everybody is in their room. */
export async function startTraffic({ db, urls, nodesBehind, smtp }: TrafficOptions): Promise<Traffic> {
  const tries = createTries(db, urls, nodesBehind);
  const [first, second] = WORDS;
  const room = await openTrafficRoom(tries, {
    ...{ word: first, otherWords: [second], clients: 2, hasHand: true, pauseMs: PAUSE_MS },
  });
  // Slower, because it is only there to show that rooms receive nothing of each other.
  const aside = await openTrafficRoom(tries, {
    ...{ word: second, otherWords: [first], clients: 1, hasHand: false, pauseMs: 2 * PAUSE_MS },
  });
  const rooms = [room, aside];
  const actors = rooms.flatMap((one) => one.actors);
  const hand = room.hand!;
  const bookings = await openTrafficBookings(tries, { therapistId: room.therapist.id, smtp: smtp ?? null });
  const { bookers } = bookings;

  const running = Promise.all([...rooms.map((one) => one.run()), bookings.run()]);
  // A fault is reported where the end is waited for.
  running.catch(() => {});

  /** For tests that fail: who does what. */
  const describeAll = () =>
    [
      ...actors.map(
        ({ userType, confirmed, written, refused, doing }) =>
          `${userType}, ${confirmed.size} acts, ${written} messages, ${refused} refused: ${doing}`,
      ),
      ...rooms.map(({ timer }) => `timer, ${timer.changes} changes, ${timer.refused} refused`),
      ...bookers.map(({ done, refused, doing }) => `booker, ${done} bookings, ${refused} refused: ${doing}`),
    ].join('\n');
  const until = <T>(people: readonly T[], by: number, read: (person: T) => number) =>
    untilRisen(tries, { running, describeAll }, people, by, read);

  /** How often somebody has seen another one's hand move. */
  const timesSeen = ({ eye, mover }: { eye: Person; mover: Person }) =>
    eye.screen
      .of('PLAYER_DRAG')
      .filter(({ contents }) => contents.drags.some(({ by, end }) => by === mover.id && end !== true)).length;

  const actsGoOnFor = (times: number) => until(actors, times, ({ confirmed }) => confirmed.size);
  // People who confirm may be waiting for an email.
  const holders = bookers.filter(({ confirms }) => !confirms);
  return {
    eventId: bookings.eventId,
    async takeFromHand() {
      const taker = room.actors.at(-1)!;
      const actId = randomUUID();
      while (!tries.stopped && tries.wrong.length === 0) {
        const place = { kind: 'place', figureId: hand.figureId, x: 777, y: 7 };
        const revision = await room.tryToAct(taker, place, actId);
        if (revision !== null) {
          taker.confirmed.set(actId, revision);
          break;
        }
        await passed(PAUSE_MS);
      }
      expect(tries.wrong).toEqual([]);
    },
    actsGoOnFor,
    goOnFor: async (times) => {
      await Promise.all([
        actsGoOnFor(times),
        until(actors, 1, ({ written }) => written),
        until(rooms, 1, ({ timer }) => timer.changes),
        until(bookers, times, ({ done }) => done),
      ]);
    },
    untilRefused: () => until<Actor | Booker>([...actors, ...holders], 1, ({ refused }) => refused),
    untilBookingRefused: () => until(holders, 1, ({ refused }) => refused),
    untilHandsMove: () => {
      const pairs = rooms.flatMap((one) => {
        const movers = [...one.actors, ...(one.hand === null ? [] : [one.hand])].filter(({ screen }) =>
          screen.isOpen(),
        );
        return one.actors.flatMap((eye) => movers.map((mover) => ({ eye, mover })));
      });
      return until(
        pairs.filter(({ eye, mover }) => eye.id !== mover.id),
        1,
        timesSeen,
      );
    },
    lost: () => tries.lost,
    async settle() {
      tries.going = false;
      await running;
      expect(tries.wrong).toEqual([]);
      for (const one of rooms) await expectRoom(tries, one);
      await bookings.expectBookings();
      await bookings.expectEmails();
    },
    stop() {
      tries.going = false;
      tries.stopped = true;
      for (const { screen } of [...actors, hand]) void screen.cut();
    },
  };
}
