/**
 * Reads that belong to no request and begin in the same turn of the event loop, such as what sweeps ask every second,
 * travel as one statement: a server on which nothing happens then asks PostgreSQL once a second and not once for each
 * rule. The statement is made once for each combination of reads and parsed once by each connection.
 */
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from './db.ts';
import { withoutWaits } from './waits.ts';

declare const ROW: unique symbol;
/** A read that can travel with others. */
export interface TogetherRead<Row extends object> {
  readonly query: SQL;
  readonly [ROW]?: Row;
}

interface Waiting {
  readonly read: TogetherRead<object>;
  readonly resolve: (rows: never[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Describes a read, once for the whole process.
 * @param query a SELECT whose columns have the names of `Row`. Its rows come as JSON: numbers, texts, booleans and
 *   null, but times as text.
 */
export const togetherRead = <Row extends object>(query: SQL): TogetherRead<Row> => ({ query });

/** Numbers of the reads, of which the names of statements consist. */
const numbers = new Map<TogetherRead<object>, number>();
function numberOf(read: TogetherRead<object>): number {
  const known = numbers.get(read) ?? numbers.size;
  numbers.set(read, known);
  return known;
}

const waitingOf = new WeakMap<Db, Waiting[]>();
const statementsOf = new WeakMap<Db, Map<string, ReturnType<typeof prepare>>>();

/** One row, in which each column holds the rows of one read. */
function prepare(db: Db, name: string, reads: readonly TogetherRead<object>[]) {
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
  const reads = [...new Set(waiting.map(({ read }) => read))].toSorted((a, b) => numberOf(a) - numberOf(b));
  const name = `together_${reads.map(numberOf).join('_')}`;
  const statements = statementsOf.get(db) ?? new Map<string, ReturnType<typeof prepare>>();
  statementsOf.set(db, statements);
  const statement = statements.get(name) ?? prepare(db, name, reads);
  statements.set(name, statement);
  try {
    const [found] = await withoutWaits(() => statement.execute());
    for (const { read, resolve } of waiting) resolve(found![`read${reads.indexOf(read)}`]!);
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

/**
 * Reads, together with all other reads of the same database that begin in this turn. Those who read the same get the
 * same rows. A fault is everybody's.
 */
export function readTogether<Row extends object>(db: Db, read: TogetherRead<Row>): Promise<readonly Row[]> {
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
