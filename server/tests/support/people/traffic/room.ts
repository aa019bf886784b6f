/**
 * A room of the traffic: people who drag, act and write messages, and a therapist who starts and stops the timer. In
 * the end it is compared with the database, page by page.
 */
import { randomUUID, type UUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { vi } from 'vitest';
import { admit, enterRoom, getSeat } from '@fieldroom/contract/clients';
import { FIELD_SEND } from '@fieldroom/contract/field';
import { MESSAGES_SEND } from '@fieldroom/contract/messages';
import { startTimer, stopTimer } from '@fieldroom/contract/usage';
import { sql } from 'drizzle-orm';
import { aTherapist, type BuiltAccount } from '../../../../src/builders/accounts.builders.ts';
import { fieldOf } from '../../../../src/builders/field.builders.ts';
import { Problem } from '../../../../src/platform/problem.ts';
import { createCaller } from '../../test-app.ts';
import { act } from '../node-room.ts';
import { openClientScreen, openTherapistScreen, Refused, rejoinTherapistScreen, type Screen } from '../screen.ts';
import { highestTold, type Page, type RoomMarks } from './heard.ts';
import { PAUSE_MS, type Tries, WAIT } from './tries.ts';

/** Every so many acts one is sent again, although it was answered. */
const AGAIN_EVERY = 4;
/** Between two messages of one person, and between two changes of the timer. */
const WORDS_PAUSE_MS = 500;

export interface Person {
  readonly id: number;
  readonly userType: 'THERAPIST' | 'CLIENT';
  readonly figureId: number;
  /** Opens another page, as one that reconnects. */
  readonly open: (url: string) => Promise<Screen>;
  screen: Screen;
  /** All pages there were. */
  readonly pages: Page[];
}
export interface Actor extends Person {
  /** Own acts that were confirmed, with the revision under which they were told. */
  readonly confirmed: Map<string, number>;
  /** Messages that were confirmed; the next one carries the number behind it. */
  written: number;
  refused: number;
  /** What it does now, for messages about tests that fail. */
  doing: string;
}

export interface TrafficRoom {
  readonly therapist: BuiltAccount;
  readonly actors: readonly Actor[];
  /** A client who has a figure in the hand, never drops it, and does not come back. */
  readonly hand: Person | null;
  readonly marks: RoomMarks;
  /** How often the timer was started or stopped. */
  readonly timer: { refused: number; changes: number };
  /** Everybody goes on until the traffic ends. */
  run(): Promise<unknown>;
  /** Acts once. Returns the revision under which it was told, or null if it was refused or not answered. */
  tryToAct(person: Person, place: object, actId: UUID): Promise<number | null>;
}

interface RoomWish {
  /** One that no other room has. */
  readonly word: string;
  readonly otherWords: readonly string[];
  readonly clients: number;
  readonly hasHand: boolean;
  /** Between two messages of one person. */
  readonly pauseMs: number;
}

/** The text of somebody's message, by its number. */
export const textOf = (word: string, personId: number, number: number) => `${word} ${personId} says ${number}`;

/** Opens it, with everybody in it. */
export async function openTrafficRoom(
  tries: Tries,
  { word, otherWords, clients, hasHand, pauseMs }: RoomWish,
): Promise<TrafficRoom> {
  const { db } = tries;
  const therapist = await aTherapist(db);
  const figures = await fieldOf(
    db,
    therapist.id,
    Array.from({ length: clients + 2 }, (_, n) => ({ name: `${word} ${n}`, movableBy: 'everyone' as const })),
  );
  const newPerson = (who: Pick<Person, 'id' | 'userType' | 'figureId' | 'open'>, screen: Screen): Person => ({
    ...who,
    screen,
    pages: [{ screen, openedAt: 0 }],
  });
  const newActor = (person: Person): Actor => ({ ...person, confirmed: new Map(), written: 0, refused: 0, doing: '' });

  const own = { id: therapist.id, userType: 'THERAPIST', figureId: figures[0]!.id } as const;
  const rejoin = (url: string) => rejoinTherapistScreen(url, therapist);
  const opened = await openTherapistScreen(tries.forPage(), therapist);
  const actors = [newActor(newPerson({ ...own, open: rejoin }, opened))];
  async function aClient(figureId: number): Promise<Person> {
    const { api } = createCaller(tries.forCall());
    const name = `${word} ${figureId}`;
    const { client, token } = await api(enterRoom, { body: { joinLink: therapist.joinLink, name } });
    await api(admit, { body: { clientIds: [client.id] } }, { token: therapist.token });
    const seat = { id: client.id, token, therapistId: therapist.id };
    const open = async (url: string) => {
      // As a page does, whose seat may have been freed meanwhile.
      await createCaller(url).api(getSeat, {}, { token });
      return openClientScreen(url, seat);
    };
    return newPerson({ id: client.id, userType: 'CLIENT', figureId, open }, await open(tries.forPage()));
  }
  for (let n = 1; n <= clients; n++) actors.push(newActor(await aClient(figures[n]!.id)));
  const hand = hasHand ? await aClient(figures.at(-1)!.id) : null;
  const everybody = [...actors, ...(hand === null ? [] : [hand])];
  const timer = { refused: 0, changes: 0 };

  async function comeBack(actor: Actor): Promise<void> {
    tries.lost += 1;
    while (!tries.stopped) {
      try {
        const openedAt = highestTold(everybody.flatMap(({ pages }) => pages));
        actor.screen = await actor.open(tries.forPage());
        actor.pages.push({ screen: actor.screen, openedAt });
        return;
      } catch (error) {
        actor.refused += 1;
        // Neither a server that is not there nor one that is cut off says anything.
        if (error instanceof Problem) tries.judgeProblem(error.code, error.more);
        if (error instanceof Refused && error.code !== undefined) tries.judge(error.code);
        await passed(pauseMs);
      }
    }
  }

  /** Waits for what is told about an act, or for the end of the connection. */
  async function answerTo(screen: Screen, from: number, actId: UUID) {
    const answer = () => {
      for (const { change } of screen.heard.slice(from)) {
        const { eventType } = change;
        if (eventType !== 'PLAYER_CHANGE' && eventType !== 'PROBLEM' && eventType !== 'MESSAGE') continue;
        if (change.contents.actId === actId) return change;
      }
      return null;
    };
    await vi.waitUntil(() => answer() !== null || !screen.isOpen(), { ...WAIT, interval: 5 });
    return answer();
  }

  async function tryToAct({ screen }: Person, place: object, actId: UUID): Promise<number | null> {
    const from = screen.heard.length;
    // Where the connection ends nobody answers.
    void act(screen, place, actId).catch(() => {});
    const change = await answerTo(screen, from, actId);
    if (change?.eventType === 'PLAYER_CHANGE') return change.contents.revision;
    if (change?.eventType === 'PROBLEM') tries.judgeProblem(change.contents.problem.code, change.contents.problem);
    return null;
  }

  async function keepActing(actor: Actor): Promise<void> {
    for (let x = 1; tries.going; x++) {
      const actId = randomUUID();
      const place = { figureId: actor.figureId, x: x % 1600, y: Math.floor(x / 1600) };
      while (!tries.stopped) {
        actor.doing = 'comes back';
        if (!actor.screen.isOpen()) await comeBack(actor);
        actor.doing = `waits for the answer to ${actId}`;
        // The hand moves on, whatever becomes of the act, and longer than a tick: a refusal may come at once, and ends
        // it.
        drag(actor);
        await passed(pauseMs);
        const revision = await tryToAct(actor, { kind: 'place', ...place }, actId);
        if (revision !== null) {
          const known = actor.confirmed.get(actId);
          if (known !== undefined && known !== revision) tries.wrong.push('an act that was sent again counted again');
          actor.confirmed.set(actId, revision);
          // Now and then as a page that has missed the answer.
          if (known !== undefined || x % AGAIN_EVERY > 0) break;
        }
        if (revision === null) actor.refused += 1;
        await passed(pauseMs);
      }
      await passed(pauseMs);
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
    while (tries.going && person.screen.isOpen()) {
      drag(person);
      await passed(pauseMs);
    }
  }

  /** Sends a message once. Returns whether it was confirmed. */
  async function tryToWrite({ screen }: Person, text: string, actId: UUID): Promise<boolean> {
    if (!screen.isOpen()) return false;
    const from = screen.heard.length;
    void screen.send(MESSAGES_SEND.send, { actId, to: 'all', text }).catch(() => {});
    const change = await answerTo(screen, from, actId);
    if (change?.eventType !== 'PROBLEM') return change !== null;
    const { problem } = change.contents;
    // The one limit without a setting: people here write more than a person may.
    if (problem.code === 'too_many_requests') await db.execute(sql`DELETE FROM limit_counters`).catch(() => {});
    else tries.judgeProblem(problem.code, problem);
    return false;
  }
  async function keepWriting(actor: Actor): Promise<void> {
    while (tries.going) {
      const actId = randomUUID();
      const text = textOf(word, actor.id, actor.written + 1);
      // One that may have been stored is sent until that is known.
      while (!tries.stopped && !(await tryToWrite(actor, text, actId))) await passed(PAUSE_MS);
      if (!tries.stopped) actor.written += 1;
      await passed(WORDS_PAUSE_MS);
    }
  }

  async function keepTiming(): Promise<void> {
    const params = { userId: therapist.id };
    while (tries.going) {
      for (const change of [stopTimer, startTimer]) {
        await tries.untilDone(timer, (url) => createCaller(url).api(change, { params }, { token: therapist.token }));
        timer.changes += 1;
        await passed(WORDS_PAUSE_MS);
      }
    }
  }

  return {
    ...{ therapist, actors, hand, timer, tryToAct },
    marks: {
      ...{ word, otherWords },
      people: new Set(everybody.map(({ id }) => id)),
      figures: new Set(figures.map(({ id }) => id)),
    },
    run: () =>
      Promise.all([
        ...actors.map(keepActing),
        ...actors.map(keepWriting),
        keepTiming(),
        ...(hand === null ? [] : [keepDragging(hand)]),
      ]),
  };
}
