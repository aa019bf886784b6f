/**
 * Who has a connection, and on which node (docs/decisions/0024-several-nodes-over-postgresql-and-redis.md). Each node
 * knows its own connections from memory. Of the others' it knows what they wrote into the database, in the act on the
 * room in which they also wrote what follows from it; so the lock of the room's row orders them.
 */
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '../db/db.ts';
import { nodePeople } from '../platform.tables.ts';

export interface Presence {
  /** A connection of a person is open on this node. Compared by identity. */
  add(personId: number, connection: object): void;
  /** It is gone. Returns whether it was the person's last one on this node. */
  remove(personId: number, connection: object): boolean;
  /** Whether the person has a connection on this node. */
  isHere(personId: number): boolean;
  /**
   * Writes whether the person has a connection on this node, and returns whether they have one on any. Needs the lock
   * of their room's row.
   */
  settle(tx: Queryable, personId: number): Promise<boolean>;
  /** Writes of many people of one room whether they have a connection on this node. Needs the same lock. */
  record(tx: Queryable, personIds: readonly number[]): Promise<void>;
  /** Those of them who have a connection on any node. */
  anywhere(on: Queryable, personIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Calls the listener with people whose presence must be settled again, because a node died or seemed to. */
  onDoubt(listener: (personIds: readonly number[]) => Promise<void>): void;
}

/** A presence, and how its node uses it. */
export interface NodePresence extends Presence {
  here(): number[];
  doubt(personIds: readonly number[]): Promise<void>;
}

/**
 * Makes the presence of people of one kind. `nodeId` is null for a service of one node, which asks nobody; `living`
 * finds the nodes that live.
 */
export function createPresence(kind: string, nodeId: string | null, living = sql``): NodePresence {
  const open = new Map<number, Set<object>>();
  const listeners: ((personIds: readonly number[]) => Promise<void>)[] = [];

  const isHere = (personId: number) => open.has(personId);

  async function anywhere(on: Queryable, personIds: readonly number[]): Promise<ReadonlySet<number>> {
    const found = new Set(personIds.filter(isHere));
    const others = personIds.filter((id) => !found.has(id));
    if (nodeId === null || others.length === 0) return found;
    const { rows } = await on.execute<{ id: number }>(sql`
      SELECT DISTINCT ${nodePeople.personId}::float8 AS id FROM ${nodePeople}
      WHERE ${nodePeople.personId} = ANY(${sql.param(others)}::bigint[]) AND ${nodePeople.kind} = ${kind}
        AND ${nodePeople.nodeId} <> ${nodeId} AND ${nodePeople.nodeId} IN (${living})`);
    for (const { id } of rows) found.add(id);
    return found;
  }

  async function record(tx: Queryable, personIds: readonly number[]): Promise<void> {
    if (nodeId === null) return;
    const come = personIds.filter(isHere);
    const gone = personIds.filter((id) => !isHere(id));
    if (come.length > 0)
      await tx
        .insert(nodePeople)
        .values(come.map((personId) => ({ personId, nodeId, kind })))
        .onConflictDoNothing();
    if (gone.length > 0)
      await tx.delete(nodePeople).where(and(inArray(nodePeople.personId, gone), eq(nodePeople.nodeId, nodeId)));
  }

  return {
    add(personId, connection) {
      const mine = open.get(personId);
      if (mine === undefined) open.set(personId, new Set([connection]));
      else mine.add(connection);
    },
    remove(personId, connection) {
      const mine = open.get(personId);
      if (!mine?.delete(connection) || mine.size > 0) return false;
      return open.delete(personId);
    },
    isHere,
    async settle(tx, personId) {
      await record(tx, [personId]);
      return (await anywhere(tx, [personId])).has(personId);
    },
    record,
    anywhere,
    onDoubt: (listener) => void listeners.push(listener),
    here: () => [...open.keys()],
    async doubt(personIds) {
      for (const listener of listeners) await listener(personIds);
    },
  };
}
