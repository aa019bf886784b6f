/** A transaction, and what follows it once it is committed. */
import type { Db, Tx } from './db.ts';

/** Adds what happens after the commit, such as telling browsers. It must not throw: the work is stored by then. */
export type AfterCommit = (work: () => void) => void;

/**
 * Runs work in a transaction; after the commit, what the work handed over, in order. Returns the work's result. Nothing
 * follows when the transaction fails, or when the answer to its commit is lost.
 */
export async function transactionThen<T>(db: Db, work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T> {
  const afterwards: (() => void)[] = [];
  const result = await db.transaction((tx) => work(tx, (next) => void afterwards.push(next)));
  for (const next of afterwards) next();
  return result;
}
