/** A server with only accounts, for their tests: a real database and a real port; everything else is left out. */
import { randomBytes } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { inject } from 'vitest';
import type { AccessValues, ClientSeat, Gates, Principal } from '../../access.ts';
import { type Clock, createClock } from '../../platform/clock.ts';
import { type Config, readConfig } from '../../platform/config.ts';
import { type Db, openDatabase } from '../../platform/db/db.ts';
import { createHttp } from '../../platform/http/http.ts';
import { createLimits, type Limits } from '../../platform/limits.ts';
import { createLog } from '../../platform/monitoring/log.ts';
import { createOutbox } from '../../platform/mail/outbox.ts';
import { createMetrics } from '../../platform/monitoring/metrics.ts';
import { lockWaits } from '../../../tests/support/locks.ts';
import { copyDatabase } from '../../../tests/support/database.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { hashToken } from '../../platform/tokens.ts';
import { type Accounts, createAccounts } from './index.ts';

export interface AccountsWorld {
  readonly url: string;
  readonly db: Db;
  readonly clock: Clock;
  readonly config: Config;
  readonly limits: Limits;
  readonly accounts: Accounts;
  /** The people who have signed out, in order. */
  readonly signedOut: Principal[];
  /** The accounts whose sign-ins have all ended, in order. */
  readonly signInsEnded: number[];
  /** A bearer token of a client, as the clients feature would issue it. */
  seat(seat: ClientSeat): string;
  /** Makes the feature again on the same database, as after a restart. */
  startAgain(settings?: Partial<Config>): Promise<Accounts>;
  /**
   * Runs acts at exactly the same moment: `barrier` locks what they need in a transaction, the acts run into the lock,
   * and when all of them wait the transaction commits.
   */
  together<T>(barrier: SQL, acts: readonly (() => Promise<T>)[]): Promise<T[]>;
  /** Everything that was logged so far, as JSON lines of every level. */
  logged(): string;
  stop(): Promise<void>;
}

/** Starts it on a separate database and a free port. */
export async function startAccounts(): Promise<AccountsWorld> {
  const ground = await copyDatabase(inject('postgres'));
  // Each case comes from its own proxy address, so that limits by source can be tested side by side.
  const config = readConfig({
    DATABASE_URL: ground.connectionString,
    PORT: '0',
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'debug',
    DEMO: '1',
    DATABASE_TIMEOUT_MS: '45000',
  });
  const lines: string[] = [];
  const log = createLog(config, { write: (line) => void lines.push(line) });
  const database = await openDatabase(config, log);
  const { db } = database;
  const clock = createClock(db);
  await clock.refresh();
  const limitsKey = randomBytes(32);
  const limits = createLimits(db, async () => limitsKey);
  const outbox = createOutbox({ db, config, log, jobs: { every: () => {} } });
  const signedOut: Principal[] = [];
  const signInsEnded: number[] = [];
  const seats = new Map<string, ClientSeat>();

  const make = (settings: Partial<Config> = {}) => {
    const made = createAccounts({
      db,
      outbox,
      limits,
      clock,
      config: { ...config, ...settings },
      secrets: createSecrets(db),
      log,
      captchaEffort: { cost: 10, counterMin: 5, counterMax: 20 },
    });
    made.onSignOut((principal) => void signedOut.push(principal));
    made.onSignInsEnded((accountId) => void signInsEnded.push(accountId));
    return made;
  };
  const accounts = make();
  const gates: Gates = {
    ...accounts.gates,
    // The clients feature has the rule about clients; here a therapist's half of it is enough.
    roomOfTherapist: async (context) => {
      const { id } = await accounts.gates.self(context);
      return { as: 'therapist', therapistId: id, personId: id };
    },
  };
  const http = await createHttp<Principal, AccessValues>({
    config,
    log,
    metrics: createMetrics({ processNumbers: false }),
    identify: async (token) => seats.get(token) ?? accounts.identifyAccount(hashToken(token)),
    gates,
    maxLagMs: 0,
  });
  accounts.routes(http);
  const url = await http.listen();

  return {
    url,
    db,
    clock,
    config,
    limits,
    accounts,
    signedOut,
    signInsEnded,
    seat(seat) {
      const token = randomBytes(32).toString('base64url');
      seats.set(token, seat);
      return token;
    },
    startAgain: async (settings) => make(settings),
    async together(barrier, acts) {
      const { promise: running, resolve: started } = Promise.withResolvers<void>();
      let answers: Promise<Awaited<ReturnType<(typeof acts)[number]>>[]> | undefined;
      await db.transaction(async (tx) => {
        await tx.execute(barrier);
        answers = Promise.all(acts.map((act) => act()));
        answers.then(
          () => started(),
          () => started(),
        );
        const finished = running.then(() => 'finished' as const);
        for (;;) {
          if ((await lockWaits(tx)) >= acts.length) return;
          if ((await Promise.race([finished, Promise.resolve('waiting' as const)])) === 'finished')
            throw new Error('the acts went past the barrier');
        }
      });
      return answers!;
    },
    logged: () => lines.join(''),
    async stop() {
      await http.close();
      await accounts.idle();
      outbox.close();
      await database.close();
      await ground.drop();
    },
  };
}
