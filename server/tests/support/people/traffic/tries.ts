/** What all people of the traffic share: the addresses they use, how refusals are judged, and whether they go on. */
import { setTimeout as passed } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Db } from '../../../../src/platform/db/db.ts';
import { Problem } from '../../../../src/platform/problem.ts';

export const WAIT = { timeout: 100_000, interval: 10 };
/** Between two messages of one person: below the rate that a connection may have, and above a tick of the lane. */
export const PAUSE_MS = 40;
/** Codes of refusals after which the same call may work a moment later. */
const PASSING = new Set(['unavailable', 'shutting_down', 'therapist_away', 'figure_held']);
/** Those among them that must say when. */
const WITH_TIME = new Set(['unavailable', 'shutting_down']);

export interface Tries {
  /** A database that works before and after the fault. */
  readonly db: Db;
  /** `going`: everybody begins something new. Without `stopped`, everybody finishes what they have begun. */
  going: boolean;
  stopped: boolean;
  /** How often somebody who acts lost the connection, or a call got no answer. */
  lost: number;
  /** Faults found so far, such as refusals that do not say when to try again. */
  readonly wrong: string[];
  /** The addresses of all servers now. */
  urls(): readonly string[];
  /** The largest number of servers at one time. */
  servers: number;
  /** Calls and pages each take turns: people of a room are on all servers. */
  forCall(): string;
  forPage(): string;
  /** Notes a fault if a refusal is not one that may occur. */
  judge(code: string): void;
  judgeProblem(code: string, more: Problem['more']): void;
  /** Calls until it is done, once more after each refusal. */
  untilDone(tryer: { refused: number }, work: (url: string) => Promise<unknown>): Promise<void>;
}

/** Makes them. Takes the addresses, read again for every call, and how many nodes a proxy has behind them, if any. */
export function createTries(db: Db, urls: () => readonly string[], nodesBehind = 0): Tries {
  let calls = 0;
  let pages = 0;
  const addressOf = (n: number) => {
    const all = urls();
    tries.servers = Math.max(tries.servers, all.length);
    return all[n % all.length]!;
  };
  const tries: Tries = {
    ...{ db, urls, servers: nodesBehind, going: true, stopped: false, lost: 0, wrong: [] },
    forCall: () => addressOf((calls += 1)),
    forPage: () => addressOf((pages += 1)),
    judge(code) {
      if (!PASSING.has(code)) tries.wrong.push(`refused: ${code}`);
    },
    judgeProblem(code, { retryAfterSeconds = 0 }) {
      tries.judge(code);
      if (WITH_TIME.has(code) && !(retryAfterSeconds > 0)) tries.wrong.push(`refused without a time: ${code}`);
    },
    async untilDone(tryer, work) {
      while (!tries.stopped) {
        try {
          await work(tries.forCall());
          return;
        } catch (error) {
          tryer.refused += 1;
          if (error instanceof Problem) tries.judgeProblem(error.code, error.more);
          // Nobody answered, or the answer was cut off.
          else if (error instanceof TypeError) tries.lost += 1;
          else throw error;
          await passed(PAUSE_MS);
        }
      }
    },
  };
  return tries;
}

/**
 * Waits until each person's number has risen. Fails at once if somebody cannot go on, or a fault was found. Takes the
 * running traffic, and a description of everybody for a test that fails.
 */
export async function untilRisen<T>(
  { wrong }: Tries,
  { running, describeAll }: { running: Promise<unknown>; describeAll: () => string },
  people: readonly T[],
  by: number,
  read: (person: T) => number,
): Promise<void> {
  const from = people.map(read);
  const haveRisen = () => people.every((person, n) => read(person) >= from[n]! + by);
  const risen = vi
    .waitUntil(() => wrong.length > 0 || haveRisen(), WAIT)
    .catch(() => {
      const what = people.map((person, n) => `${from[n]} to ${read(person)}`).join(', ');
      throw new Error(`not everybody got ${by} further: ${what}\n${describeAll()}`);
    });
  risen.catch(() => {});
  await Promise.race([risen, running.then(() => risen)]);
  expect(wrong).toEqual([]);
}
