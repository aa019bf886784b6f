/**
 * The nodes of one service: each writes a sign of life into the database, by whose clock it is judged, so that clocks of
 * machines do not matter. Whoever is silent for too long is dead; those who live put right what it left. A service
 * without Redis has one node, and none of this is read or written.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { nodePeople, nodes } from '../platform.tables.ts';
import { sparing } from '../monitoring/log.ts';
import { createLastTimes, type LastTimes } from './last-times.ts';
import { createPresence, type NodePresence, type Presence } from './presence.ts';

export interface Nodes {
  readonly isShared: boolean;
  /** Makes who is here, for one kind of people. */
  presence(kind: string): Presence;
  /** Makes moments that all nodes know, under a name. */
  lastTimes(name: string): LastTimes;
  /** Whether another node lives. */
  hasOthers(): Promise<boolean>;
  /** Listens to nodes that have gone: what they were about to tell may never have been told. */
  onGone(listener: () => void): void;
  /** The first sign of life, before anybody connects. */
  start(): Promise<void>;
  /** Every second: the sign of life. What the dead left is put right in the background. */
  sweep(): Promise<void>;
  /** Now and then: removes old moments. */
  tidy(): Promise<void>;
  /** This node ends; nobody is connected to it any more. */
  stop(): Promise<void>;
  /** How many live, as of the last sweep. */
  count(): number;
}

export interface NodesOptions {
  readonly db: Db;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Real time without a sign of life after which a node is dead. */
  readonly deadAfterMs?: number | undefined;
}

const DEAD_AFTER_MS = 5_000;

/** One node that needs no others. */
export function createLoneNode(): Nodes {
  return {
    isShared: false,
    presence: (kind) => createPresence(kind, null),
    lastTimes: (name) => createLastTimes(name, null, () => {}),
    hasOthers: async () => false,
    onGone() {},
    async start() {},
    async sweep() {},
    async tidy() {},
    async stop() {},
    count: () => 1,
  };
}

/** Makes a node among others. */
export function createNodes({ db, log, deadAfterMs = DEAD_AFTER_MS }: NodesOptions): Nodes {
  const id = randomBytes(6).toString('base64url');
  const age = sql`clock_timestamp() - make_interval(secs => ${deadAfterMs / 1000})`;
  const living = sql`SELECT ${nodes.id} FROM ${nodes} WHERE ${nodes.seenAt} >= ${age}`;
  const presences = new Map<string, NodePresence>();
  const times: LastTimes[] = [];
  const unavailable = sparing((fields, message) => log.warn(fields, message));
  const goneListeners: (() => void)[] = [];
  /** The others took this node for dead, and its people are not written again yet. */
  let isForgotten = false;
  let known = new Set<string>();
  /** Since when the own sign of life has been written without a break; null after a break (process clock). */
  let steadySince: number | null = null;
  let lastBeat = -Infinity;
  /** What follows from a death takes its time; the own sign of life must not wait for it. */
  let settling: Promise<void> | null = null;

  /** Writes the sign of life. Returns whether the others took this node for dead. */
  async function beat(): Promise<boolean> {
    const now = performance.now();
    if (now - lastBeat > deadAfterMs / 2) steadySince = null;
    const { rows } = await db.execute<{ was_there: boolean }>(sql`
      INSERT INTO ${nodes} (id, seen_at) VALUES (${id}, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at RETURNING xmax <> 0 AS was_there`);
    lastBeat = performance.now();
    steadySince ??= lastBeat;
    return !rows[0]!.was_there;
  }

  /** Settles the people of dead nodes. Every node does so, each its part of the work again; the last one finds nothing. */
  async function bury(dead: readonly string[]): Promise<void> {
    log.warn({ nodes: dead }, 'a node has died');
    const ids = sql`ANY(${sql.param([...dead])}::text[])`;
    const { rows } = await db.execute<{ id: number; kind: string }>(
      sql`SELECT person_id::float8 AS id, kind FROM ${nodePeople} WHERE node_id = ${ids} ORDER BY person_id`,
    );
    for (const [kind, presence] of presences)
      await presence.doubt(rows.filter((row) => row.kind === kind).map((row) => row.id));
    // A node that came back meanwhile keeps what it has written.
    await db.execute(sql`
      WITH gone AS (DELETE FROM ${nodes} WHERE id = ${ids} AND seen_at < ${age} RETURNING id)
      DELETE FROM ${nodePeople} USING gone WHERE node_id = gone.id`);
  }

  async function settle(dead: readonly string[]): Promise<void> {
    if (isForgotten) {
      // What was written about this node's people was removed with it.
      for (const presence of presences.values()) await presence.doubt(presence.here());
      isForgotten = false;
    }
    if (dead.length > 0) await bury(dead);
  }

  return {
    isShared: true,
    presence(kind) {
      const made = createPresence(kind, id, living);
      presences.set(kind, made);
      return made;
    },
    lastTimes(name) {
      const made = createLastTimes(name, db, (error) => unavailable({ err: error }, 'a moment could not be written'));
      times.push(made);
      return made;
    },
    async hasOthers() {
      const { rows } = await db.execute(sql`${living} AND ${nodes.id} <> ${id} LIMIT 1`);
      return rows.length > 0;
    },
    onGone: (listener) => void goneListeners.push(listener),
    async start() {
      await beat();
      log.info({ node: id }, 'this node has joined');
    },
    async sweep() {
      const wasForgotten = await beat();
      const { rows } = await db.execute<{ id: string; dead: boolean }>(
        sql`SELECT id, seen_at < ${age} AS dead FROM ${nodes} WHERE id <> ${id}`,
      );
      const alive = new Set(rows.filter(({ dead }) => !dead).map((row) => row.id));
      // After the database was away everybody's last sign is old: the others get the time to give one.
      const mayJudge = steadySince !== null && performance.now() - steadySince >= deadAfterMs;
      const dead = rows.filter((row) => row.dead).map((row) => row.id);
      isForgotten ||= wasForgotten;
      if (isForgotten || (mayJudge && dead.length > 0))
        settling ??= settle(mayJudge ? dead : [])
          .catch((error: unknown) => unavailable({ err: error }, 'the people of a node could not be settled'))
          .finally(() => (settling = null));
      const gone = [...known].some((one) => !alive.has(one));
      known = alive;
      if (gone) for (const listener of goneListeners) listener();
    },
    async tidy() {
      for (const one of times) await one.sweep();
    },
    async stop() {
      await settling;
      await db.execute(sql`DELETE FROM ${nodePeople} WHERE node_id = ${id}`);
      await db.execute(sql`DELETE FROM ${nodes} WHERE id = ${id}`);
    },
    count: () => known.size + 1,
  };
}
