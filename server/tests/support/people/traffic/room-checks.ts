/** What must be true of a room when its people have finished: in the database, and on every page there was. */
import { sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { MESSAGES_SHOWN } from '@fieldroom/contract/messages';
import { roomDestination, SEND } from '@fieldroom/contract/realtime';
import { counterAt, getTimer, startTimer, stopTimer, type Timer } from '@fieldroom/contract/usage';
import { createCaller } from '../../test-app.ts';
import { fieldOn } from '../node-room.ts';
import { countActs } from '../practice.ts';
import { repeatedMessages, loweredRevisions, messagesOn, messagesOfOthers } from './heard.ts';
import { type Person, textOf, type TrafficRoom } from './room.ts';
import { type Tries, WAIT } from './tries.ts';

/** Compares timer, field and messages of a room with the database. */
export async function expectRoom(tries: Tries, room: TrafficRoom): Promise<void> {
  await expectTimer(tries, room);
  await expectField(tries, room);
  const destination = roomDestination(room.therapist.id);
  for (const { userType, pages } of everybodyOf(room))
    for (const page of pages) {
      expect(messagesOfOthers(page, room.marks), `${userType} receives only messages of its own room`).toEqual([]);
      expect(
        loweredRevisions(page, destination, tries.servers === 1),
        `revisions never fall for a ${userType}`,
      ).toEqual([]);
    }
  await expectMessages(tries, room);
}

const everybodyOf = ({ actors, hand }: TrafficRoom): Person[] => [...actors, ...(hand === null ? [] : [hand])];
const thereNow = (room: TrafficRoom) => everybodyOf(room).filter(({ screen }) => screen.isOpen());

async function expectField({ db }: Tries, room: TrafficRoom): Promise<void> {
  const { therapist, actors } = room;
  const { rows } = await db.execute<{ act_id: string; revision: string }>(
    sql`SELECT act_id, revision FROM field_acts WHERE therapist_id = ${therapist.id}`,
  );
  const acts = new Map(rows.map((row) => [row.act_id, Number(row.revision)]));
  expect(acts.size, 'each act is stored once').toBe(rows.length);
  for (const { confirmed } of actors)
    for (const [actId, revision] of confirmed) expect(acts.get(actId), 'what was confirmed is stored').toBe(revision);
  for (const { pages } of everybodyOf(room))
    for (const { screen } of pages)
      for (const { contents } of screen.of('PLAYER_CHANGE'))
        expect(acts.get(contents.actId!), 'what was told is stored').toBe(contents.revision);
  const stored = await db.execute<{ revision: string }>(
    sql`SELECT field_revision AS revision FROM rooms WHERE therapist_id = ${therapist.id}`,
  );
  const revision = Number(stored.rows[0]!.revision);
  // Each moved something, so each raised the revision, once.
  expect(revision).toBe(actors.reduce((sum, { confirmed }) => sum + confirmed.size, 0));
  expect(await countActs(db, therapist.id)).toBe(revision);
  const figures = await db.execute<{ id: string; x: number; y: number }>(
    sql`SELECT id, x, y FROM figures WHERE therapist_id = ${therapist.id} ORDER BY id`,
  );
  const places = figures.rows.map(({ id, x, y }) => ({ id: Number(id), x, y }));
  for (const person of thereNow(room)) {
    await untilShown(person, revision);
    const shown = fieldOn(person.screen)!.figures.map(({ id, x, y }) => ({ id, x, y }));
    expect(shown.toSorted((a, b) => a.id - b.id)).toEqual(places);
  }
}

/** Waits until a page shows this revision. It asks for what it lacks, as a browser does. */
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

async function expectMessages({ db }: Tries, room: TrafficRoom): Promise<void> {
  const { therapist, actors, marks } = room;
  const people = sql`ANY (${sql.param([...marks.people])}::bigint[])`;
  const { rows } = await db.execute<{ id: string; from: string; text: string }>(
    sql`SELECT id, from_id AS "from", text FROM messages WHERE from_id = ${people} ORDER BY id`,
  );
  for (const { id, written } of actors) {
    const texts = rows.filter(({ from }) => Number(from) === id).map(({ text }) => text);
    const confirmed = Array.from({ length: written }, (_, n) => textOf(marks.word, id, n + 1));
    expect(texts, 'each message is stored once, in the order in which it was written').toEqual(confirmed);
  }
  const newest = rows.slice(-MESSAGES_SHOWN).map(({ id, text }) => ({ id: Number(id), text }));
  for (const { screen } of thereNow(room)) {
    const shown = () => messagesOn(screen).slice(-MESSAGES_SHOWN);
    await vi.waitUntil(() => shown().at(-1)?.id === newest.at(-1)?.id, WAIT);
    expect(shown(), 'each page shows each message').toEqual(newest);
  }
  for (const { pages } of everybodyOf(room))
    for (const { screen } of pages)
      expect(repeatedMessages(screen, roomDestination(therapist.id)), 'the room receives each message once').toEqual(
        [],
      );
}

/** Starts the timer and stops it: all pages and servers show the same seconds, while it counts and when it stands. */
async function expectTimer(tries: Tries, room: TrafficRoom): Promise<void> {
  const { therapist, timer } = room;
  const params = { userId: therapist.id };
  const { token } = therapist;
  const shownNow = async (): Promise<(Timer | undefined)[]> => [
    ...thereNow(room).map(({ screen }) => screen.of('TIMER_UPDATE').at(-1)?.contents),
    ...(await Promise.all(tries.urls().map((url) => createCaller(url).api(getTimer, { params }, { token })))),
  ];
  for (const [change, counting] of [
    [startTimer, true],
    [stopTimer, false],
  ] as const) {
    await tries.untilDone(timer, (url) => createCaller(url).api(change, { params }, { token }));
    let shown: (Timer | undefined)[] = [];
    const isAlike = async () => {
      shown = await shownNow();
      const latest = Math.max(...shown.map((one) => Date.parse(one?.at ?? '')));
      const seconds = new Set(shown.map((one) => (one === undefined ? null : counterAt(one, latest))));
      return shown.every((one) => one?.counting === counting) && seconds.size === 1;
    };
    await vi.waitUntil(isAlike, { ...WAIT, interval: 200 }).catch(() => {
      expect(shown, `the timer is shown alike when it ${counting ? 'counts' : 'stands'}`).toEqual([]);
    });
  }
  for (const { pages } of everybodyOf(room))
    for (const { screen } of pages) {
      const told = screen.of('TIMER_UPDATE').map(({ contents }) => contents);
      const inTime = told.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).map((one) => one.counterState);
      expect(inTime, 'the seconds of the timer never fall').toEqual(inTime.toSorted((a, b) => a - b));
    }
}
