/**
 * Pools of database connections that never wait without a limit, and survive whatever happens to a connection.
 *
 * - Every connection has an `error` listener for its whole life. pg removes its own while a connection is in use, and
 *   an error without a listener would end the process.
 * - PostgreSQL ends statements and waits for locks that take too long. If PostgreSQL itself does not answer any more,
 *   we stop waiting a moment later and drop the connection.
 * - A connection that breaks while it is in use gives its place back, even if its user never does.
 * - All waits of one request share one deadline (`waits.ts`): the later ones get what the earlier ones left.
 * - Work that may take long has separate connections (`asBackgroundWork`), whichever pool it asks.
 * - People who arrive in a crowd leave a third of the connections to the others (`arrivals.ts`).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { ConnectionShare, isArrival } from './arrivals.ts';
import { currentWaits, STALL_GRACE_MS, STALL_MS, type Waits, withoutWaits } from './waits.ts';

/** Time limits for one kind of work, in milliseconds. */
export interface WaitLimits {
  /** For a free connection, or for a new one to be made. */
  readonly connectionMs: number;
  /** For a lock that others hold. */
  readonly lockMs: number;
  /** For a statement, locks included. */
  readonly statementMs: number;
  /**
   * For PostgreSQL's answer of any kind; longer than `statementMs`, so that only a server that hangs reaches it.
   */
  readonly answerMs: number;
}

/**
 * After this time a transaction releases its locks, if its owner forgot it or its process is suspended: far longer than
 * any of our transactions is idle, and longer than others wait for a lock.
 */
const idleInTransactionMs = ({ lockMs }: WaitLimits): number => Math.max(10_000, 3 * lockMs);
const IDLE_MS = 30_000;
/**
 * The part of a pool's connections that arriving people may use. With half, 1,000 people were not all back within 10
 * seconds (bench/nodes/restart.ts).
 */
const ARRIVALS_SHARE = 2 / 3;
/**
 * How PostgreSQL notices that a client is gone, and releases its locks. During a statement it looks once a second.
 * Between two statements the client's machine may have vanished without a word: after two seconds of silence the system
 * asks three times, a second apart, and then ends the connection. It also does so when an answer has not been received
 * for five seconds.
 */
const CLIENT_CHECKS = {
  client_connection_check_interval: 1000,
  tcp_keepalives_idle: 2,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 5000,
} as const;
/**
 * What a session is told as it starts. Its zone is UTC, whatever the server's or the database's is: where days are
 * added to a moment, none may have 23 or 25 hours.
 */
export const SESSION_OPTIONS = Object.entries({ timezone: 'UTC', ...CLIENT_CHECKS })
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** The database was not reached, or did not answer in time. The same may work a moment later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** What pg says, without a code, if a connection is gone or was never made. */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout e)/;
/** Codes of sockets. Other codes come from our own parameters. */
const SOCKET_CODE = /^E[A-Z]{3,}$/;

/** The SQLSTATE of a lock that was not free in time. */
const LOCK_TIMEOUT = '55P03';
/** SQLSTATEs by which PostgreSQL says that it cannot serve this now. Classes have two characters. */
const PASSING_STATES = new Set([
  '08', // the connection
  '53', // out of disk, memory or connections
  LOCK_TIMEOUT,
  '57', // statement timeout, shutdown, crash, starting
  '25P03', // a transaction was idle for too long
  '40001',
  '40P01', // two transactions blocked each other
  '58030', // a file could not be read or written
]);

/** Whether the same request may succeed in a moment: the database is gone, busy, locked or full. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return causes(error).some(
    (one) =>
      one instanceof DatabaseUnavailable ||
      (isSqlError(one) && (PASSING_STATES.has(one.code) || PASSING_STATES.has(one.code.slice(0, 2)))),
  );
}

/** Whether a lock that another transaction holds was not free in time. */
export const isLockTimeout = (error: unknown): boolean =>
  causes(error).some((one) => isSqlError(one) && one.code === LOCK_TIMEOUT);

/** Whether PostgreSQL found no room to write. */
export const isDatabaseFull = (error: unknown): boolean =>
  causes(error).some((one) => isSqlError(one) && (one.code === '53100' || one.code === '58030'));

/** The error with its causes, outermost first. drizzle keeps PostgreSQL's error as a cause. */
export function causes(error: unknown): Error[] {
  const all: Error[] = [];
  for (let at = error; at instanceof Error && all.length < 10; at = at.cause) all.push(at);
  return all;
}

function isSqlError(error: Error): error is Error & { code: string } {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && severity !== undefined;
}

/** Whether pg says that a connection is gone, or was never made. */
function isConnectionFault(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return (
    !isSqlError(error) &&
    (CONNECTION_MESSAGES.test(error.message) || (typeof code === 'string' && SOCKET_CODE.test(code)))
  );
}

/** Returns the fault; if it is one of the connection, under that name. */
const named = (error: Error): Error =>
  isConnectionFault(error) ? new DatabaseUnavailable('The database does not answer', { cause: error }) : error;

const backgroundWork = new AsyncLocalStorage<true>();

/** Runs work that may take long, with separate connections and limits. */
export const asBackgroundWork = <T>(work: () => Promise<T>): Promise<T> =>
  backgroundWork.run(true, () => withoutWaits(work));

/** What a wait gets when nothing is left: a request that is slow but moves on is not refused for that. */
const LEAST_MS = 100;
/** Limits are sent to PostgreSQL again when they have shrunk by this part of the whole: it costs a round trip. */
const STEP = 1 / 15;

/** The limits of work that has this much time left, in milliseconds. */
function shrunk(limits: WaitLimits, leftMs: number): WaitLimits {
  const part = Math.min(1, Math.max(leftMs, LEAST_MS) / limits.statementMs);
  const ms = Math.ceil(limits.statementMs * part);
  return {
    connectionMs: Math.min(limits.connectionMs, ms),
    lockMs: Math.ceil(limits.lockMs * part),
    statementMs: ms,
    answerMs: ms + limits.answerMs - limits.statementMs,
  };
}

/** These can't be refused for want of time: they end what was begun. They also run where a statement has failed. */
const ENDS_SOMETHING = /^\s*(?:commit|rollback|release)\b/i;

type Callback = (error: Error | null | undefined, ...rest: unknown[]) => void;

/** What a pool's connections need beyond pg's settings; passed among those. */
interface ClientSettings {
  readonly limits: WaitLimits;
  readonly onFull?: () => void;
}

/** A connection that closes itself if PostgreSQL does not answer in time. */
class LimitedClient extends pg.Client {
  readonly #limits: WaitLimits;
  readonly #onFull: (() => void) | undefined;
  /** The waits of the request that uses it now. */
  #waits: Waits | null = null;
  /** The limits that PostgreSQL keeps now, as far as is known: a rollback takes back what was set before it. */
  #kept: WaitLimits;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { limits, onFull } = config as pg.ClientConfig & ClientSettings;
    this.#limits = limits;
    this.#kept = limits;
    this.#onFull = onFull;
    // The user of the connection learns of the fault by the statement that fails.
    this.on('error', () => {});
  }

  /**
   * Somebody gets the connection. Takes their waits. Returns a promise where PostgreSQL has to be told other limits
   * first, otherwise null.
   */
  taken(waits: Waits | null): Promise<unknown> | null {
    this.#waits = waits;
    const wanted = this.#wanted();
    const isUnchanged = this.#kept === this.#limits && !this.#isShorter(wanted);
    return isUnchanged ? null : this.#set(this.#isShorter(wanted, this.#limits) ? wanted : this.#limits);
  }

  /** Nobody uses it any more. */
  givenBack(): void {
    this.#waits = null;
  }

  #wanted(): WaitLimits {
    return this.#waits === null || this.#waits.isOver ? this.#limits : shrunk(this.#limits, this.#waits.leftMs());
  }

  #isShorter({ statementMs }: WaitLimits, than = this.#kept): boolean {
    return than.statementMs - statementMs > this.#limits.statementMs * STEP;
  }

  #set(wanted: WaitLimits): Promise<unknown> {
    this.#kept = wanted;
    return this.#send([`SET lock_timeout = ${wanted.lockMs}; SET statement_timeout = ${wanted.statementMs}`]);
  }

  override query(...args: unknown[]): never {
    const wanted = this.#waits === null ? null : this.#wanted();
    // With a callback it is the only statement of its user, who got the connection just now.
    if (wanted !== null && this.#isShorter(wanted) && isAwaited(args) && !ENDS_SOMETHING.test(textOf(args)))
      // Where it fails, the statement itself says why.
      return this.#set(wanted)
        .catch(() => {})
        .then(() => this.#send(args)) as never;
    return this.#send(args);
  }

  #send(args: unknown[]): never {
    const answered = this.#waitForAnswer();
    const failed = (error: Error) => {
      if (isDatabaseFull(error)) this.#onFull?.();
      return named(error);
    };
    const callback = args.findIndex((one) => typeof one === 'function');
    if (callback > 0) {
      const told = args[callback] as Callback;
      args[callback] = (error: Error | null, ...rest: unknown[]) => {
        answered();
        told(error ? failed(error) : error, ...rest);
      };
    }
    const result: unknown = (super.query as (...all: unknown[]) => unknown)(...args);
    if (!(result instanceof Promise)) return result as never;
    return result.then(
      (rows: unknown) => {
        answered();
        return rows;
      },
      (error: Error) => {
        answered();
        throw failed(error);
      },
    ) as never;
  }

  /**
   * Ends the connection when no answer comes in time: the statement may still run or wait, so nothing else can be sent
   * after it. If this process was suspended, the answer may already be in the socket, and is read first. Returns what
   * to call when the answer has come.
   */
  #waitForAnswer(): () => void {
    const { answerMs } = this.#wanted();
    const ended = this.#waits?.begin();
    let due = performance.now() + answerMs;
    const look = () => {
      const now = performance.now();
      if (now - due > STALL_MS) {
        due = now + STALL_GRACE_MS;
        timer = setTimeout(look, STALL_GRACE_MS);
      } else void this.end().catch(() => {});
    };
    let timer = setTimeout(look, answerMs);
    return () => {
      clearTimeout(timer);
      ended?.();
    };
  }
}

/** Whether a statement is asked for by text, and its result by a promise. */
const isAwaited = (args: readonly unknown[]): boolean =>
  !args.some((one) => typeof one === 'function') && !(typeof args[0] === 'object' && 'submit' in (args[0] ?? {}));

const textOf = ([statement]: readonly unknown[]): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '');

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (fault?: unknown) => void,
) => void;

export interface LimitedPoolOptions {
  readonly connectionString: string;
  /** Maximum number of connections. */
  readonly max: number;
  readonly limits: WaitLimits;
  /** The pool for `asBackgroundWork`. */
  readonly background?: LimitedPool;
  /** Called when a connection broke while nobody used it. */
  readonly onIdleFault: (error: Error) => void;
  /** Called when PostgreSQL found no room to write. */
  readonly onFull?: () => void;
}

/**
 * A pool of connections with the limits of its options. Throws `DatabaseUnavailable` where no connection comes in time
 * or one breaks. Background work gets its connections from another pool.
 */
export class LimitedPool extends pg.Pool {
  readonly #background: LimitedPool | undefined;
  readonly #limits: WaitLimits;
  readonly #arrivals: ConnectionShare;

  constructor({ connectionString, max, limits, background, onIdleFault, onFull }: LimitedPoolOptions) {
    super({
      connectionString,
      max,
      Client: LimitedClient,
      onFull,
      application_name: 'fieldroom',
      connectionTimeoutMillis: limits.connectionMs,
      idleTimeoutMillis: IDLE_MS,
      statement_timeout: limits.statementMs,
      lock_timeout: limits.lockMs,
      limits,
      idle_in_transaction_session_timeout: idleInTransactionMs(limits),
      options: SESSION_OPTIONS,
    } as pg.PoolConfig & ClientSettings);
    this.#background = background;
    this.#limits = limits;
    this.#arrivals = new ConnectionShare(Math.max(1, Math.floor(max * ARRIVALS_SHARE)));
    this.on('error', onIdleFault);
  }

  /**
   * When a connection breaks during a query, pg-pool rejects with the socket's raw error, which `LimitedClient` never
   * sees. It gets its name here.
   */
  override query(...args: unknown[]): never {
    const result: unknown = (super.query as (...all: unknown[]) => unknown)(...args);
    if (!(result instanceof Promise)) return result as never;
    return result.catch((error: Error) => {
      throw named(error);
    }) as never;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(told: ConnectCallback): void;
  override connect(told?: ConnectCallback): Promise<pg.PoolClient> | void {
    if (this.#background && backgroundWork.getStore())
      return told ? this.#background.connect(told) : this.#background.connect();
    if (!told) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (error ? reject(error) : resolve(client!)));
      });
    }
    const waits = currentWaits();
    const share = isArrival() ? this.#arrivals : null;
    const { isLate, inTime } = this.#connectInTime(waits, told, share !== null);
    const connect = () => {
      if (isLate()) return share?.giveBack();
      super.connect((error, client, release) => {
        if (!inTime()) {
          if (client) release();
          share?.giveBack();
          return;
        }
        if (error) {
          share?.giveBack();
          return told(unreachable(error), undefined, release);
        }
        const giveBack = ownRelease(client as pg.PoolClient & LimitedClient, () => share?.giveBack());
        const limited = (client as pg.PoolClient & LimitedClient).taken(waits);
        if (limited === null) return told(undefined, client!, giveBack);
        limited.then(
          () => told(undefined, client!, giveBack),
          (fault: Error) => {
            giveBack(fault);
            told(unreachable(fault), undefined, () => {});
          },
        );
      });
    };
    if (share) share.take(connect);
    else connect();
  }

  /**
   * Refuses a connection when a request has no time left for it, and work that waits for its share when the pool would
   * not wait any longer. Returns whether that has happened, and what to call when a connection has come, or a fault: it
   * says whether that was in time.
   */
  #connectInTime(
    waits: Waits | null,
    told: ConnectCallback,
    isShared: boolean,
  ): { isLate(): boolean; inTime(): boolean } {
    // The pool itself refuses work without a deadline.
    if (waits === null && !isShared) return { isLate: () => false, inTime: () => true };
    let isLate = false;
    const ended = waits?.begin();
    const { connectionMs } = waits === null ? this.#limits : shrunk(this.#limits, waits.leftMs());
    const timer = setTimeout(() => {
      isLate = true;
      ended?.();
      told(new DatabaseUnavailable('No connection was free in time'), undefined, () => {});
    }, connectionMs);
    return {
      isLate: () => isLate,
      inTime() {
        clearTimeout(timer);
        ended?.();
        return !isLate;
      },
    };
  }
}

/**
 * What kept us from a connection may be over in a moment; at the start of the server the operator sees the fault.
 */
const unreachable = (error: Error): Error =>
  error instanceof DatabaseUnavailable
    ? error
    : new DatabaseUnavailable('The database cannot be reached', { cause: error });

/**
 * Gives the connection's place back once: when its user releases it, or when it ends. drizzle forgets one that breaks
 * at BEGIN. Calls back then.
 */
function ownRelease(client: pg.PoolClient & LimitedClient, onReleased: () => void): (fault?: unknown) => void {
  const release = client.release.bind(client);
  let released = false;
  const once = (fault?: unknown) => {
    if (released) return;
    released = true;
    client.givenBack();
    client.removeListener('end', ended);
    release(fault instanceof Error ? fault : Boolean(fault));
    onReleased();
  };
  const ended = () => once(true);
  client.once('end', ended);
  client.release = once;
  return once;
}
