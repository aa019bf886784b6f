/**
 * The server as a separate process, stopped and killed in the middle of acts from five connections: everything that was
 * confirmed is in the database afterwards, nothing is half done, and everybody is back with the stored field.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { login } from '@fieldroom/contract/accounts';
import * as calls from '@fieldroom/contract/clients';
import { applyChange, type FieldCopy, type Figure, FIELD_SEND } from '@fieldroom/contract/field';
import { openDatabase, type Database } from '../../src/platform/db/db.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { copyDatabase, type TestDatabase } from '../support/database.ts';
import { MAIN } from '../support/programs/process.ts';
import { createCaller } from '../support/test-app.ts';
import { openClientScreen, openTherapistScreen, type Screen } from '../support/people/screen.ts';

const CLIENTS = 4;

interface Running {
  url: string;
  child: ChildProcess;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  output(): string;
}

let ground: TestDatabase;
let database: Database;
let dataDir: string;
let running: Running[] = [];

beforeEach(async () => {
  ground = await copyDatabase(inject('postgres'));
  database = await openDatabase(
    { databaseUrl: ground.connectionString, dataDir: '/', databaseConnections: 2, databaseTimeoutMs: 15_000 },
    createLog({ logLevel: 'silent', production: true }),
  );
  dataDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-stop-'));
});
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  running = [];
  await database.close();
  await ground.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the real program on this test's database. Resolves when it prints its address. */
async function start(): Promise<Running> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: ground.connectionString,
      DATA_DIR: dataDir,
      DEMO: '1',
      NODE_ENV: 'test',
      DATABASE_CONNECTIONS: '6',
      DATABASE_TIMEOUT_MS: '15000',
      LIMIT_REQUESTS: '1000000/60',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      const at = /^Fieldroom is at (http:\S+)/.exec(line);
      if (at) resolve(at[1]!);
    });
    void ended.then(() => reject(new Error(`it did not start:\n${output}`)));
  });
  const server = { url, child, ended, output: () => output };
  running.push(server);
  return server;
}

interface Person {
  id: number;
  token: string;
  therapistId: number;
}

/** The demo's therapist with four clients in the room, each with the role of a different figure. */
async function people({ url }: Running): Promise<{ therapist: Person; clients: Person[]; figures: Figure[] }> {
  const { api } = createCaller(url);
  const { token, user } = await api(login, { body: { email: 'anna@demo.example', password: 'constellation' } });
  await api(calls.openRoom, {}, { token });
  const clients: Person[] = [];
  for (let n = 0; n < CLIENTS; n++) {
    const seat = await api(calls.enterRoom, { body: { joinLink: user.joinLink, name: `Person ${n}` } });
    clients.push({ id: seat.client.id, token: seat.token, therapistId: user.id });
  }
  expect((await api(calls.admit, { body: { clientIds: 'all' } }, { token })).admitted).toHaveLength(CLIENTS);
  const { rows } = await database.db.execute<Figure>(
    sql`SELECT id FROM figures WHERE therapist_id = ${user.id} ORDER BY id`,
  );
  for (const [n, client] of clients.entries())
    await api(calls.setRole, { params: { userId: client.id, participantId: rows[n]!.id } as never }, { token });
  return { therapist: { id: user.id, token, therapistId: user.id }, clients, figures: rows };
}

const open = (url: string, therapist: Person, clients: Person[]) =>
  Promise.all([openTherapistScreen(url, therapist), ...clients.map((client) => openClientScreen(url, client))]);

/**
 * Acts without a pause on every connection, with a few acts under way at a time, until the connections end. Returns the
 * ids, by connection.
 */
function burst(screens: Screen[], figureIds: readonly number[], go: () => boolean): string[][] {
  return screens.map((screen, n) => {
    const sent: string[] = [];
    let step = 0;
    const one = async (): Promise<void> => {
      while (go() && screen.isOpen()) {
        const actId = crypto.randomUUID();
        step += 1;
        sent.push(actId);
        // The therapist adds, moves and renames; clients move their own figures.
        const act =
          n === 0 && step % 3 === 0
            ? { kind: 'add', figure: { iconType: 'STAR', x: step % 1600, y: 10, name: actId } }
            : { kind: 'place', figureId: figureIds[n === 0 ? CLIENTS : n - 1], x: step % 1600, y: n };
        await screen.send(FIELD_SEND.act, { actId, act }).catch(() => {});
      }
    };
    for (let hand = 0; hand < 4; hand++) void one();
    return sent;
  });
}

/** Own acts that were answered, by connection. */
const confirmed = (screen: Screen) => screen.of('PLAYER_CHANGE').map(({ contents }) => contents.actId!);
const refused = (screen: Screen) => screen.of('PROBLEM').map(({ contents }) => contents.actId!);

/** What is stored, by the rows. */
async function stored(therapistId: number) {
  const { acts, figures, room } = await database.db.transaction(async (tx) => {
    // With the lock of every act: PostgreSQL may still be about to commit what a killed server sent last.
    const { rows: rooms } = await tx.execute<{ field_revision: number }>(
      sql`SELECT field_revision FROM rooms WHERE therapist_id = ${therapistId} FOR UPDATE`,
    );
    const { rows: acts } = await tx.execute<{ act_id: string; revision: string }>(
      sql`SELECT act_id, revision FROM field_acts WHERE therapist_id = ${therapistId} ORDER BY id`,
    );
    const { rows: figures } = await tx.execute<{
      id: number;
      name: string;
      x: number;
      y: number;
      updated_on: number;
    }>(sql`SELECT id, name, x, y, updated_on FROM figures WHERE therapist_id = ${therapistId} ORDER BY id`);
    return { acts, figures, room: rooms[0]! };
  });
  return {
    acts: new Map(acts.map((row) => [row.act_id, Number(row.revision)])),
    figures: figures.map((row) => ({ ...row, id: Number(row.id) })),
    revision: Number(room.field_revision),
  };
}

/** The field as a screen has it from what it received. */
function copyOf(screen: Screen): FieldCopy | null {
  let copy: FieldCopy | null = null;
  for (const { change } of screen.heard) {
    if (change.eventType === 'PLAYERS_VALUE') copy = { ...change.contents, revision: change.participantsUpdatedOn };
    if (change.eventType !== 'PLAYER_CHANGE' || copy === null) continue;
    const applied = applyChange(copy, change.contents);
    if (applied.kind === 'applied') copy = applied.field;
  }
  return copy;
}

/** What was confirmed or seen before the end is stored completely, in the order in which it was announced. */
async function expectKept(therapistId: number, screens: Screen[]): Promise<void> {
  const { acts, figures, revision } = await stored(therapistId);
  for (const screen of screens)
    for (const { contents } of screen.of('PLAYER_CHANGE'))
      expect(acts.get(contents.actId!), 'a change that was told is stored').toBe(contents.revision);
  for (const screen of screens)
    for (const actId of refused(screen)) expect(acts.has(actId), 'a refused act is not stored').toBe(false);
  // Nothing half done: the room's revision is its last act's, and an added figure exists exactly if its act is stored.
  expect(Math.max(0, ...acts.values())).toBe(revision);
  for (const { name, updated_on } of figures.filter((figure) => /^[0-9a-f-]{36}$/.test(figure.name)))
    expect(acts.get(name)).toBe(Number(updated_on));
}

/**
 * Everybody comes back with the token they have, and gets the field of the rows; acts without an answer are sent once
 * more.
 */
async function expectBack(
  { url }: Running,
  therapist: Person,
  clients: Person[],
  unanswered: { connection: number; actId: string }[],
): Promise<void> {
  const screens = await open(url, therapist, clients);
  const before = await stored(therapist.id);
  for (const screen of screens)
    expect(
      copyOf(screen)
        ?.figures.map(({ id, x, y }) => ({ id, x, y }))
        .toSorted((a, b) => a.id - b.id),
    ).toEqual(before.figures.map(({ id, x, y }) => ({ id, x, y })));
  const { people: present } = (
    await screens[0]!.next('UNREGISTER_USER', ({ contents }) => contents.people.every((person) => person.connected))
  ).contents;
  expect(present.map(({ id, roles }) => [id, roles.length])).toEqual(clients.map(({ id }) => [id, 1]));
  // As a browser does when its connection is back: the same id again. Stored acts do nothing a second time.
  for (const { connection, actId } of unanswered) {
    const screen = screens[connection]!;
    await screen.send(FIELD_SEND.act, { actId, act: { kind: 'add', figure: { iconType: 'KIWI', x: 1, y: 1 } } });
  }
  const after = await stored(therapist.id);
  const known = unanswered.filter(({ actId }) => before.acts.has(actId));
  for (const { actId } of known) expect(after.acts.get(actId)).toBe(before.acts.get(actId));
  const fresh = unanswered.filter(({ connection, actId }) => connection === 0 && !before.acts.has(actId));
  expect(after.figures.length).toBe(before.figures.length + fresh.length);
  for (const screen of screens) await screen.leave();
}

describe('in the middle of acts', () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)(
    '%s: everything confirmed is stored, everybody is back',
    async (signal) => {
      const first = await start();
      const { therapist, clients, figures } = await people(first);
      const screens = await open(first.url, therapist, clients);
      let going = true;
      const sent = burst(
        screens,
        figures.map(({ id }) => Number(id)),
        () => going,
      );
      // In the middle: each connection has had acts confirmed, and more are under way on all of them.
      await Promise.all(
        screens.map((screen, connection) =>
          screen.next('PLAYER_CHANGE', ({ contents }) => sent[connection]!.indexOf(contents.actId!) >= 12),
        ),
      );
      first.child.kill(signal);
      const end = await first.ended;
      await Promise.all(screens.map((screen) => screen.closed));
      going = false;
      if (signal === 'SIGTERM') {
        expect(end).toEqual({ code: 0, signal: null });
        for (const screen of screens) expect(screen.of('RESTART')).toHaveLength(1);
        expect(first.output()).not.toMatch(/ (?:error|fatal) /);
      } else expect(end.signal).toBe('SIGKILL');
      await expectKept(therapist.id, screens);

      const second = await start();
      const unanswered = sent.flatMap((ids, connection) => {
        const answered = new Set([...confirmed(screens[connection]!), ...refused(screens[connection]!)]);
        return ids.filter((actId) => !answered.has(actId)).map((actId) => ({ connection, actId }));
      });
      await expectBack(second, therapist, clients, unanswered);
      second.child.kill('SIGTERM');
      expect(await second.ended).toEqual({ code: 0, signal: null });
    },
  );
});
