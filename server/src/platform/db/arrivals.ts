/**
 * The work of people who come into a room, or come back. After a restart a whole node's people come back at once, and
 * each of them is looked up, let in and told what stands: those who are in a room must not wait behind them for a
 * connection to the database.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const arriving = new AsyncLocalStorage<true>();

/** Runs work of somebody who arrives. Returns what it returns. */
export const asArrival = <T>(work: () => T): T => arriving.run(true, work);

/** Whether the present work is that of somebody who arrives. */
export const isArrival = (): boolean => arriving.getStore() === true;

/** A part of a pool's connections. Those for whom none is free wait in order until one of theirs is given back. */
export class ConnectionShare {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param connections how many may be in use at a time */
  constructor(connections: number) {
    this.#free = connections;
  }

  /** Calls back when a connection may be taken; whoever takes one gives it back, once. */
  take(begin: () => void): void {
    if (this.#free === 0) this.#waiting.push(begin);
    else {
      this.#free -= 1;
      begin();
    }
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
