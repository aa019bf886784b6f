/**
 * Reads that belong to no request, such as what sweeps ask every second, in batches: those that begin in the same turn
 * of the event loop are sent as one statement. So a server on which nothing happens asks PostgreSQL once a second, and
 * not once for each rule. Each combination of reads is one prepared statement.
 */
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from './db.ts';
import { withoutWaits } from './waits.ts';

declare const ROW: unique symbol;
/** A read that can be sent with others. */
export interface BatchableRead<Row extends object> {
  readonly query: SQL;
  readonly [ROW]?: Row;
}

interface Waiting {
  readonly read: BatchableRead<object>;
  readonly resolve: (rows: never[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Describes a read, once for the whole process.
 * @param query a SELECT whose columns have the names of `Row`. Its rows come as JSON: numbers, texts, booleans and
 *   null, but times as text.
 */
export const batchableRead = <Row extends object>(query: SQL): BatchableRead<Row> => ({ query });

/** Numbers of the reads, of which the names of statements consist. */
const numbers = new Map<BatchableRead<object>, number>();
function numberOf(read: BatchableRead<object>): number {
  const known = numbers.get(read) ?? numbers.size;
  numbers.set(read, known);
  return known;
}

const waitingOf = new WeakMap<Db, Waiting[]>();
const statementsOf = new WeakMap<Db, Map<string, ReturnType<typeof prepare>>>();

/** One row, in which each column holds the rows of one read. */
function prepare(db: Db, name: string, reads: readonly BatchableRead<object>[]) {
  const columns = reads.map(({ query }, index) => [
    `read${index}`,
    sql<never[]>`(SELECT coalesce(json_agg(found), '[]') FROM (${query}) found)`,
  ]);
  const fields = Object.fromEntries(columns) as Record<string, SQL<never[]>>;
  return db
    .select(fields)
    .from(sql`(VALUES (1)) one`)
    .prepare(name);
}

async function answer(db: Db, waiting: readonly Waiting[]): Promise<void> {
  try {
    const reads = [...new Set(waiting.map(({ read }) => read))].toSorted((a, b) => numberOf(a) - numberOf(b));
    const name = `batch_${reads.map(numberOf).join('_')}`;
    const statements = statementsOf.get(db) ?? new Map<string, ReturnType<typeof prepare>>();
    statementsOf.set(db, statements);
    const statement = statements.get(name) ?? prepare(db, name, reads);
    statements.set(name, statement);
    const [found] = await withoutWaits(() => statement.execute());
    for (const { read, resolve } of waiting) resolve(found![`read${reads.indexOf(read)}`]!);
  } catch (error) {
    // Also a statement that cannot be made: a sweep that waits for ever never runs again.
    for (const { reject } of waiting) reject(error);
  }
}

/**
 * Reads in one statement with all other reads of the same database that begin in this turn. Callers with the same read
 * get the same rows. If the statement fails, all of them get the fault.
 */
export function readInBatch<Row extends object>(db: Db, read: BatchableRead<Row>): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    const mine: Waiting = { read, resolve, reject };
    const others = waitingOf.get(db);
    if (others !== undefined) {
      others.push(mine);
      return;
    }
    const waiting = [mine];
    waitingOf.set(db, waiting);
    // After all timers of this moment: microtasks run between them.
    setImmediate(() => {
      waitingOf.delete(db);
      void answer(db, waiting);
    });
  });
}
