/**
 * The nodes of one service: each writes a sign of life into the database, by whose clock it is judged, so that clocks
 * of machines do not matter. A node that is silent for too long is dead; the living ones put right what it left. A
 * service without Redis has one node, and none of this is read or written.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import type { Db, Queryable } from '../db/db.ts';
import { lastTimes, nodePeople, nodes } from '../platform.tables.ts';
import { sparing } from '../monitoring/log.ts';
import { createLastTimes, type LastTimes } from './last-times.ts';
import { createPresence, type NodePresence, type Presence } from './presence.ts';

export interface Nodes {
  readonly isShared: boolean;
  /** The name of this node among the others, from its start to its end; null where there are no others. */
  readonly id: string | null;
  /** Finds the names of the nodes that live, as a part of a statement. */
  readonly living: SQL;
  /**
   * The same for those that are not known to be dead: after the database was away, or just after the start, everybody
   * whose name is written, however old the last sign is.
   */
  mayLive(): SQL;
  /** Makes who is here, for one kind of people. */
  presence(kind: string): Presence;
  /** Makes moments that all nodes know, under a name. */
  lastTimes(name: string): LastTimes;
  /** Whether another node lives. */
  hasOthers(): Promise<boolean>;
  /** Whether each of the others heard the rest, and was heard, when it gave its last sign of life. */
  allHear(): boolean;
  /** Listens to nodes that have ended or died, by name: what they were about to tell may never have been told. */
  onGone(listener: (gone: readonly string[]) => void): void;
  /**
   * The first sign of life, before anybody connects. Returns whether no other node lived then: of nodes that start
   * together one is alone.
   */
  start(): Promise<{ isAlone: boolean }>;
  /** Every second: the sign of life. What the dead left is put right in the background. */
  sweep(): Promise<void>;
  /** Now and then: removes old moments. */
  tidy(): Promise<void>;
  /** The sweeps end, as stopping has begun: the sign of life goes on until `stop`, or this would look like a death. */
  leave(): void;
  /** This node ends; nobody is connected to it any more. It gives no sign of life afterwards. */
  stop(): Promise<void>;
  /** How many live, as of the last sweep. */
  count(): number;
}

export interface NodesOptions {
  readonly db: Db;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Whether messages of other nodes arrive, and theirs here. */
  readonly hears?: () => boolean;
  /** Real time without a sign of life after which a node is dead. */
  readonly deadAfterMs?: number | undefined;
  /** How long a node that starts waits for a sign of those whose last one is old. */
  readonly graceMs?: number;
}

const DEAD_AFTER_MS = 5_000;
const SIGN_EVERY_MS = 1_000;
const GRACE_MS = 3 * SIGN_EVERY_MS;
const LOOK_EVERY_MS = 100;
/** The name under which a node that is cut off says so, and for how long that counts. */
const CUT_OFF = 'node cut off';
const CUT_OFF_FOR_MS = 5_000;

/** One node that needs no others. */
export function createLoneNode(): Nodes {
  const living = sql`SELECT NULL::text WHERE false`;
  return {
    isShared: false,
    id: null,
    living,
    mayLive: () => living,
    presence: (kind) => createPresence(kind, null),
    lastTimes: (name) => createLastTimes(name, null, () => {}),
    hasOthers: async () => false,
    allHear: () => true,
    onGone() {},
    start: async () => ({ isAlone: true }),
    async sweep() {},
    async tidy() {},
    leave() {},
    async stop() {},
    count: () => 1,
  };
}

/** Makes a node among others. */
export function createNodes({
  db,
  log,
  hears = () => true,
  deadAfterMs = DEAD_AFTER_MS,
  graceMs = GRACE_MS,
}: NodesOptions): Nodes {
  const id = randomBytes(6).toString('base64url');
  const before = (ms: number) => sql`clock_timestamp() - make_interval(secs => ${ms / 1000})`;
  const age = before(deadAfterMs);
  const nowMs = sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
  const living = sql`SELECT ${nodes.id} FROM ${nodes} WHERE ${nodes.seenAt} >= ${age}`;
  const all = sql`SELECT ${nodes.id} FROM ${nodes}`;
  const presences = new Map<string, NodePresence>();
  const times: LastTimes[] = [];
  const unavailable = sparing((fields, message) => log.warn(fields, message));
  const goneListeners: ((gone: readonly string[]) => void)[] = [];
  /** The others may have taken this node for dead, and its people are not written again yet. */
  let isForgotten = false;
  let known = new Set<string>();
  let someAreCutOff = false;
  /** Since when the own sign of life has been written without a break; null after a break (process clock). */
  let steadySince: number | null = null;
  let lastBeat = -Infinity;
  /** Cleaning up after a dead node takes a while; our own sign of life must not wait for it. */
  let settling: Promise<void> | null = null;
  let stopped = false;
  let leaving: NodeJS.Timeout | undefined;
  /** Signs follow each other, so that none is written after the end. */
  let signed: Promise<unknown> = Promise.resolve();

  /**
   * Whether this node may say who is dead. After the database was away everybody's last sign is old: the others get the
   * time to give one.
   */
  function mayJudge(): boolean {
    const now = performance.now();
    return steadySince !== null && now - lastBeat <= deadAfterMs / 2 && now - steadySince >= deadAfterMs;
  }

  /**
   * Writes the sign of life. Returns whether the others may have taken this node for dead. Either they have removed it,
   * or it was silent, and other nodes that asked in that time took its people as away. The clock of the database
   * decides, as it does for them.
   */
  async function sign(on: Queryable): Promise<boolean> {
    if (stopped) return false;
    const now = performance.now();
    if (now - lastBeat > deadAfterMs / 2) steadySince = null;
    const { rows } = await on.execute<{ was_silent: boolean }>(sql`
      WITH last AS (SELECT seen_at FROM ${nodes} WHERE id = ${id})
      INSERT INTO ${nodes} (id, seen_at) VALUES (${id}, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
      RETURNING coalesce((SELECT seen_at < ${before(deadAfterMs / 2)} FROM last), true) AS was_silent`);
    lastBeat = performance.now();
    steadySince ??= lastBeat;
    return rows[0]!.was_silent;
  }
  function beat(on: Queryable = db): Promise<boolean> {
    const written = signed.then(() => sign(on));
    signed = written.catch(() => {});
    return written;
  }

  /**
   * Writes that this node is cut off from the others. They may hear each other well, and would not look into the
   * database for what it cannot tell them. In real time of the database.
   */
  async function tellCutOff(): Promise<void> {
    await db.execute(sql`
      INSERT INTO ${lastTimes} (name, id, at_ms) VALUES (${CUT_OFF}, 0, ${nowMs})
      ON CONFLICT (name, id) DO UPDATE SET at_ms = excluded.at_ms`);
  }

  /** Whether another node lives. All signs are old where the database was away: then the next ones come at once. */
  async function findOthers(tx: Queryable): Promise<boolean> {
    for (const until = performance.now() + graceMs; ; await passed(LOOK_EVERY_MS)) {
      const isLate = performance.now() >= until;
      const { rows } = await tx.execute<{ lives: boolean }>(
        sql`SELECT seen_at >= ${age} AS lives FROM ${nodes} WHERE id <> ${id}`,
      );
      if (rows.some(({ lives }) => lives)) return true;
      if (rows.length === 0 || isLate) return false;
    }
  }

  /**
   * Settles the people of dead nodes. Every node does so, each repeating its part of the work; the last one finds
   * nothing to do.
   */
  async function settlePeopleOf(dead: readonly string[]): Promise<void> {
    log.warn({ nodes: dead }, 'a node has died');
    const ids = sql`ANY(${sql.param([...dead])}::text[])`;
    const { rows } = await db.execute<{ id: number; kind: string }>(
      sql`SELECT person_id::float8 AS id, kind FROM ${nodePeople} WHERE node_id = ${ids} ORDER BY person_id`,
    );
    for (const [kind, presence] of presences)
      await presence.doubt(rows.filter((row) => row.kind === kind).map((row) => row.id));
    // A node that has come back keeps what it has written.
    await db.execute(sql`
      WITH gone AS (DELETE FROM ${nodes} WHERE id = ${ids} AND seen_at < ${age} RETURNING id)
      DELETE FROM ${nodePeople} USING gone WHERE node_id = gone.id`);
  }

  async function settle(dead: readonly string[]): Promise<void> {
    if (isForgotten) {
      // Others settled its people as away, and what was written about them may have been removed.
      isForgotten = false;
      try {
        for (const presence of presences.values()) await presence.doubt(presence.here());
      } catch (error) {
        isForgotten = true;
        throw error;
      }
    }
    if (dead.length > 0) await settlePeopleOf(dead);
  }

  return {
    isShared: true,
    id,
    living,
    mayLive: () => (mayJudge() ? living : all),
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
    allHear: () => !someAreCutOff,
    onGone: (listener) => void goneListeners.push(listener),
    async start() {
      const isAlone = await db.transaction(async (tx) => {
        await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('nodes.start'))`);
        const alone = !(await findOthers(tx));
        await beat(tx);
        return alone;
      });
      log.info({ node: id, isAlone }, 'this node has joined');
      return { isAlone };
    },
    async sweep() {
      const wasForgotten = await beat();
      if (!hears()) await tellCutOff();
      const { rows } = await db.execute<{ id: string; dead: boolean; cutOff: boolean }>(sql`
        SELECT id, seen_at < ${age} AS dead,
               EXISTS (SELECT FROM ${lastTimes}
                        WHERE name = ${CUT_OFF} AND at_ms > ${nowMs} - ${CUT_OFF_FOR_MS}) AS "cutOff"
          FROM ${nodes} WHERE id <> ${id}`);
      someAreCutOff = rows.some(({ cutOff }) => cutOff);
      const alive = new Set(rows.filter(({ dead }) => !dead).map((row) => row.id));
      const judges = mayJudge();
      const there = judges ? alive : new Set(rows.map((row) => row.id));
      const dead = rows.filter((row) => row.dead).map((row) => row.id);
      isForgotten ||= wasForgotten;
      if (isForgotten || (judges && dead.length > 0))
        settling ??= settle(judges ? dead : [])
          .catch((error: unknown) => unavailable({ err: error }, 'the people of a node could not be settled'))
          .finally(() => (settling = null));
      const gone = [...known].filter((one) => !there.has(one));
      known = new Set([...[...known].filter((one) => there.has(one)), ...alive]);
      if (gone.length > 0) for (const listener of goneListeners) listener(gone);
    },
    async tidy() {
      for (const one of times) await one.sweep();
    },
    leave() {
      leaving ??= setInterval(() => void beat().catch(() => {}), SIGN_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(leaving);
      stopped = true;
      await Promise.all([settling, signed]);
      await db.execute(sql`DELETE FROM ${nodePeople} WHERE node_id = ${id}`);
      await db.execute(sql`DELETE FROM ${nodes} WHERE id = ${id}`);
    },
    count: () => known.size + 1,
  };
}
