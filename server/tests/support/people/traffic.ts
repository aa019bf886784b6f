/**
 * What goes on while something fails: people of one room drag and act, others book and confirm. Whoever is refused, or
 * gets no answer, does the same once more, as pages do. In the end nothing that was confirmed may be lost, doubled or
 * half done.
 */
import { randomUUID, type UUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { admit, enterRoom, getSeat } from '@fieldroom/contract/clients';
import { maxHeld } from '@fieldroom/contract/bookings';
import { FIELD_SEND } from '@fieldroom/contract/field';
import { Problem } from '../../../src/platform/problem.ts';
import { SEND } from '@fieldroom/contract/realtime';
import { aTherapist } from '../../../src/builders/accounts.builders.ts';
import { anEvent } from '../../../src/builders/events.builders.ts';
import { fieldOf } from '../../../src/builders/field.builders.ts';
import { aNewEmail, book, confirm, countsOf } from '../../../src/features/bookings/bookings.fixture.ts';
import type { Db } from '../../../src/platform/db/db.ts';
import { act, fieldOn } from './node-room.ts';
import { countActs } from './practice.ts';
import { openClientScreen, openTherapistScreen, Refused, rejoinTherapistScreen, type Screen } from './screen.ts';
import { createCaller } from '../test-app.ts';

/** Settings of the servers: nobody here is refused because of limits, and all use one PostgreSQL. */
export const TRAFFIC_ENV = {
  LIMIT_REQUESTS: '1000000/60',
  LIMIT_OPEN_CALLS: '1000000/60',
  LIMIT_BOOKING: '1000000/60',
  LIMIT_OPEN_HOLDS: '1000000/60',
  DATABASE_CONNECTIONS: '8',
} as const;

const WAIT = { timeout: 100_000, interval: 10 };
/** Between two messages of one person: below the rate that a connection may have, and above a tick of the lane. */
const PAUSE_MS = 40;
const CLIENTS = 2;
/** Every so many acts one is sent again, although it was answered. */
const AGAIN_EVERY = 4;
/** One event after the other gets so many bookings: fewer than it has room for, even twice. */
const EVENTS = 30;
const BOOKINGS_EACH = 100;
const PLACES = 500;
/** Words of a refusal after which the same may work a moment later. */
const PASSING = new Set(['unavailable', 'shutting_down', 'therapist_away', 'figure_held']);
/** Those among them that say when. */
const WITH_TIME = new Set(['unavailable', 'shutting_down']);

export interface Traffic {
  /** Waits until everybody has done so much more. */
  goOnFor(times: number): Promise<void>;
  /** Waits until everybody who acts or holds places has been refused once more, or has got no answer. */
  untilRefused(): Promise<void>;
  /** Waits until everybody who acts has seen the hand of everybody else move once more. */
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
  /** For tests that fail: nobody goes on. */
  stop(): void;
}

interface Person {
  readonly id: number;
  readonly userType: 'THERAPIST' | 'CLIENT';
  readonly figureId: number;
  /** Opens another page, as one that reconnects. */
  readonly open: (url: string) => Promise<Screen>;
  screen: Screen;
  /** All pages there were. */
  readonly screens: Screen[];
}
interface Actor extends Person {
  /** Own acts that were confirmed, with the revision under which they were told. */
  readonly confirmed: Map<string, number>;
  refused: number;
  /** What it does now, for messages about tests that fail. */
  doing: string;
}
interface Booker {
  readonly confirms: boolean;
  done: number;
  refused: number;
  doing: string;
}

/**
 * Begins. Takes a way to the database that works before and after the fault, and where people go: read again at every
 * try, so that nodes may come and go.
 */
export async function startTraffic({ db, urls }: { db: Db; urls: () => readonly string[] }): Promise<Traffic> {
  let calls = 0;
  let pages = 0;
  /** Until the end: everybody begins something new. Until a test has failed: everybody ends what they have begun. */
  let going = true;
  let stopped = false;
  let lost = 0;
  /** What must not be, such as refusals that are not honest. */
  const wrong: string[] = [];
  const addressOf = (n: number) => {
    const all = urls();
    return all[n % all.length]!;
  };
  /** Calls and pages each take turns: people of the room are on all servers. */
  const forCall = () => addressOf((calls += 1));
  const forPage = () => addressOf((pages += 1));

  // ---- who is there

  const therapist = await aTherapist(db);
  const figures = await fieldOf(db, therapist.id, Array(CLIENTS + 2).fill({ movableBy: 'everyone' }));
  const newPerson = (who: Pick<Person, 'id' | 'userType' | 'figureId' | 'open'>, screen: Screen): Person => ({
    ...who,
    screen,
    screens: [screen],
  });
  const newActor = (person: Person): Actor => ({ ...person, confirmed: new Map(), refused: 0, doing: '' });

  const own = { id: therapist.id, userType: 'THERAPIST', figureId: figures[0]!.id } as const;
  const rejoin = (url: string) => rejoinTherapistScreen(url, therapist);
  const actors = [newActor(newPerson({ ...own, open: rejoin }, await openTherapistScreen(forPage(), therapist)))];
  async function aClient(figureId: number): Promise<Person> {
    const { api } = createCaller(forCall());
    const { client, token } = await api(enterRoom, { body: { joinLink: therapist.joinLink, name: `P ${figureId}` } });
    await api(admit, { body: { clientIds: [client.id] } }, { token: therapist.token });
    const seat = { id: client.id, token, therapistId: therapist.id };
    const open = async (url: string) => {
      // As a page does, whose seat may have been freed meanwhile.
      await createCaller(url).api(getSeat, {}, { token });
      return openClientScreen(url, seat);
    };
    return newPerson({ id: client.id, userType: 'CLIENT', figureId, open }, await open(forPage()));
  }
  for (let n = 1; n <= CLIENTS; n++) actors.push(newActor(await aClient(figures[n]!.id)));
  const hand = await aClient(figures.at(-1)!.id);
  const eventIds: number[] = [];
  while (eventIds.length < EVENTS) eventIds.push((await anEvent(db, { therapistId: therapist.id, places: PLACES })).id);
  let bookings = 0;
  /** Accepted bookings, by address. */
  const accepted = new Map<string, 'HELD' | 'CONFIRMED'>();
  const newBooker = (confirms: boolean): Booker => ({ confirms, done: 0, refused: 0, doing: '' });
  const bookers = [false, false, true].map(newBooker);

  // ---- what becomes of a try

  function judge(code: string): void {
    if (!PASSING.has(code)) wrong.push(`refused: ${code}`);
  }
  function judgeProblem(code: string, { retryAfterSeconds = 0 }: Problem['more']): void {
    judge(code);
    if (WITH_TIME.has(code) && !(retryAfterSeconds > 0)) wrong.push(`refused without a time: ${code}`);
  }
  async function comeBack(actor: Actor): Promise<void> {
    lost += 1;
    while (!stopped) {
      try {
        actor.screen = await actor.open(forPage());
        actor.screens.push(actor.screen);
        return;
      } catch (error) {
        actor.refused += 1;
        // Neither a server that is not there nor one that is cut off says anything.
        if (error instanceof Problem) judgeProblem(error.code, error.more);
        if (error instanceof Refused && error.code !== undefined) judge(error.code);
        await passed(PAUSE_MS);
      }
    }
  }

  /** Sends an act once. Returns the revision under which it was told, or null if it was refused or not answered. */
  async function tryToAct({ screen }: Person, place: object, actId: UUID): Promise<number | null> {
    const from = screen.heard.length;
    const answer = () => {
      for (const { change } of screen.heard.slice(from)) {
        if (change.eventType !== 'PLAYER_CHANGE' && change.eventType !== 'PROBLEM') continue;
        if (change.contents.actId === actId) return change;
      }
      return null;
    };
    // Where the connection ends nobody answers.
    void act(screen, place, actId).catch(() => {});
    await vi.waitUntil(() => answer() !== null || !screen.isOpen(), { ...WAIT, interval: 5 });
    const change = answer();
    if (change?.eventType === 'PLAYER_CHANGE') return change.contents.revision;
    if (change?.eventType === 'PROBLEM') judgeProblem(change.contents.problem.code, change.contents.problem);
    return null;
  }

  async function keepActing(actor: Actor): Promise<void> {
    for (let x = 1; going; x++) {
      const actId = randomUUID();
      const place = { figureId: actor.figureId, x: x % 1600, y: Math.floor(x / 1600) };
      while (!stopped) {
        actor.doing = 'comes back';
        if (!actor.screen.isOpen()) await comeBack(actor);
        actor.doing = `waits for the answer to ${actId}`;
        // The hand moves on, whatever becomes of the act, and longer than a tick: a refusal may come at once, and ends
        // it.
        drag(actor);
        await passed(PAUSE_MS);
        const revision = await tryToAct(actor, { kind: 'place', ...place }, actId);
        if (revision !== null) {
          const known = actor.confirmed.get(actId);
          if (known !== undefined && known !== revision) wrong.push('an act that was sent again counted again');
          actor.confirmed.set(actId, revision);
          // Now and then as a page that has missed the answer.
          if (known !== undefined || x % AGAIN_EVERY > 0) break;
        }
        if (revision === null) actor.refused += 1;
        await passed(PAUSE_MS);
      }
      await passed(PAUSE_MS);
    }
  }

  let moves = 0;
  function drag({ screen, figureId }: Person): void {
    moves += 1;
    try {
      if (screen.isOpen()) screen.say(FIELD_SEND.drag, { figureId, x: moves % 1600, y: 900 });
    } catch {
      // It ends at this moment.
    }
  }
  async function keepDragging(person: Person): Promise<void> {
    while (going && person.screen.isOpen()) {
      drag(person);
      await passed(PAUSE_MS);
    }
  }

  async function untilDone(booker: Booker, work: (url: string) => Promise<unknown>): Promise<void> {
    while (!stopped) {
      try {
        await work(forCall());
        return;
      } catch (error) {
        booker.refused += 1;
        if (error instanceof Problem) judgeProblem(error.code, error.more);
        // Nobody answered, or the answer was cut off.
        else if (error instanceof TypeError) lost += 1;
        else throw error;
        await passed(PAUSE_MS);
      }
    }
  }
  /** The token in the email to an address, read past what fails. */
  async function tokenTo(email: string): Promise<string> {
    const find = async () => {
      const { rows } = await db.execute<{ text: string }>(
        sql`SELECT text FROM outbox_emails WHERE to_address = ${email} AND kind = 'bookings.held'
             ORDER BY number DESC LIMIT 1`,
      );
      return /#token=([\w-]{43})/.exec(rows[0]?.text ?? '')?.[1] ?? null;
    };
    return vi.waitUntil(() => find().catch(() => null), WAIT);
  }
  async function keepBooking(booker: Booker): Promise<void> {
    while (going) {
      const email = aNewEmail('traffic');
      const eventId = eventIds[Math.floor(bookings / BOOKINGS_EACH) % EVENTS]!;
      bookings += 1;
      booker.doing = `books for ${email}`;
      await untilDone(booker, (url) => book(createCaller(url), eventId, { email }));
      accepted.set(email, 'HELD');
      if (booker.confirms) {
        booker.doing = `waits for the email to ${email}`;
        const token = await tokenTo(email);
        booker.doing = `confirms for ${email}`;
        await untilDone(booker, (url) => confirm(createCaller(url), token));
        accepted.set(email, 'CONFIRMED');
      }
      booker.done += 1;
      await passed(PAUSE_MS);
    }
  }

  const running = Promise.all([...actors.map(keepActing), keepDragging(hand), ...bookers.map(keepBooking)]);
  // Whoever waits for the end is told.
  running.catch(() => {});

  // ---- what tests ask

  /** Waits for each person's number to rise. Fails at once if somebody can't go on, or was told what is wrong. */
  async function untilRisen<T>(people: readonly T[], by: number, read: (person: T) => number): Promise<void> {
    const from = people.map(read);
    const haveRisen = () => people.every((person, n) => read(person) >= from[n]! + by);
    const risen = vi
      .waitUntil(() => wrong.length > 0 || haveRisen(), WAIT)
      .catch(() => {
        const what = people.map((person, n) => `${from[n]} to ${read(person)}`).join(', ');
        throw new Error(`not everybody got ${by} further: ${what}\n${describeAll()}`);
      });
    risen.catch(() => {});
    await Promise.race([risen, running.then(() => risen)]);
    expect(wrong).toEqual([]);
  }
  /** For tests that fail: who does what. */
  const describeAll = () =>
    [
      ...actors.map(
        (actor) => `${actor.userType}, ${actor.confirmed.size} acts, ${actor.refused} refused: ${actor.doing}`,
      ),
      ...bookers.map(({ done, refused, doing }) => `booker, ${done} bookings, ${refused} refused: ${doing}`),
    ].join('\n');
  /** How often somebody has seen another one's hand move. */
  const timesSeen = ({ eye, mover }: { eye: Person; mover: Person }) =>
    eye.screen
      .of('PLAYER_DRAG')
      .filter(({ contents }) => contents.drags.some(({ by, end }) => by === mover.id && end !== true)).length;

  async function expectField(): Promise<void> {
    const { rows } = await db.execute<{ act_id: string; revision: string }>(
      sql`SELECT act_id, revision FROM field_acts WHERE therapist_id = ${therapist.id}`,
    );
    const acts = new Map(rows.map((row) => [row.act_id, Number(row.revision)]));
    expect(acts.size, 'each act is stored once').toBe(rows.length);
    for (const { confirmed } of actors)
      for (const [actId, revision] of confirmed) expect(acts.get(actId), 'what was confirmed is stored').toBe(revision);
    for (const { screens } of [...actors, hand])
      for (const screen of screens)
        for (const { contents } of screen.of('PLAYER_CHANGE'))
          expect(acts.get(contents.actId!), 'what was told is stored').toBe(contents.revision);
    const room = await db.execute<{ revision: string }>(
      sql`SELECT field_revision AS revision FROM rooms WHERE therapist_id = ${therapist.id}`,
    );
    const revision = Number(room.rows[0]!.revision);
    // Each moved something, so each raised the revision, once.
    expect(revision).toBe(actors.reduce((sum, { confirmed }) => sum + confirmed.size, 0));
    expect(await countActs(db, therapist.id)).toBe(revision);
    const stored = await db.execute<{ id: string; x: number; y: number }>(
      sql`SELECT id, x, y FROM figures WHERE therapist_id = ${therapist.id} ORDER BY id`,
    );
    const places = stored.rows.map(({ id, x, y }) => ({ id: Number(id), x, y }));
    for (const person of [...actors, ...(hand.screen.isOpen() ? [hand] : [])]) {
      await untilShown(person, revision);
      const shown = fieldOn(person.screen)!.figures.map(({ id, x, y }) => ({ id, x, y }));
      expect(shown.toSorted((a, b) => a.id - b.id)).toEqual(places);
    }
  }
  /** As a browser does that hears of newer stamps. */
  async function untilShown({ id: userId, userType, screen }: Person, revision: number): Promise<void> {
    await vi.waitUntil(
      async () => {
        const participantsUpdatedOn = fieldOn(screen)?.revision ?? 0;
        if (participantsUpdatedOn === revision) return true;
        await screen.send(SEND.checkUpdate, { userId, userType, usersUpdatedOn: 0, participantsUpdatedOn });
        return false;
      },
      { ...WAIT, interval: 200 },
    );
  }

  async function expectBookings(): Promise<void> {
    const { rows } = await db.execute<{ email: string; states: string[]; asked: boolean }>(sql`
      SELECT email, array_agg(state) AS states,
             bool_and(EXISTS (SELECT FROM outbox_emails o
                               WHERE o.about = 'booking ' || b.id AND o.kind = 'bookings.held')) AS asked
        FROM bookings b WHERE event_id = ANY (${sql.param(eventIds)}::bigint[]) GROUP BY email`);
    expect(rows.length, 'no booking that nobody was told of').toBe(accepted.size);
    for (const { email, states, asked } of rows) expect([states, asked], email).toEqual([[accepted.get(email)], true]);
    const counts = { held: 0, confirmed: 0 };
    for (const eventId of eventIds) {
      const { held, confirmed } = await countsOf({ db }, eventId);
      expect(held).toBeLessThanOrEqual(maxHeld(PLACES));
      counts.held += held;
      counts.confirmed += confirmed;
    }
    const states = [...accepted.values()];
    expect(counts).toEqual({
      held: states.filter((state) => state === 'HELD').length,
      confirmed: states.filter((state) => state === 'CONFIRMED').length,
    });
  }

  return {
    async takeFromHand() {
      const taker = actors.at(-1)!;
      const actId = randomUUID();
      while (!stopped && wrong.length === 0) {
        const revision = await tryToAct(taker, { kind: 'place', figureId: hand.figureId, x: 777, y: 7 }, actId);
        if (revision !== null) {
          taker.confirmed.set(actId, revision);
          break;
        }
        await passed(PAUSE_MS);
      }
      expect(wrong).toEqual([]);
    },
    goOnFor: async (times) => {
      await Promise.all([
        untilRisen(actors, times, ({ confirmed }) => confirmed.size),
        untilRisen(bookers, times, ({ done }) => done),
      ]);
    },
    untilRefused: async () => {
      // Who confirms may be waiting for an email.
      const holders = bookers.filter(({ confirms }) => !confirms);
      await untilRisen<Actor | Booker>([...actors, ...holders], 1, ({ refused }) => refused);
    },
    untilHandsMove: () => {
      const movers = [...actors, hand].filter(({ screen }) => screen.isOpen());
      const pairs = actors.flatMap((eye) => movers.map((mover) => ({ eye, mover })));
      return untilRisen(
        pairs.filter(({ eye, mover }) => eye.id !== mover.id),
        1,
        timesSeen,
      );
    },
    lost: () => lost,
    async settle() {
      going = false;
      await running;
      expect(wrong).toEqual([]);
      await expectField();
      await expectBookings();
    },
    stop() {
      going = false;
      stopped = true;
    },
  };
}
