/**
 * The bus over Redis (docs/decisions/0024-several-nodes-over-postgresql-and-redis.md). Messages travel by PUBLISH on
 * one channel of Redis for each channel of the bus, so a node gets only what it has subscribed to. The handlers of this
 * node get a message at once and never wait for Redis; what comes back of it is thrown away.
 *
 * Redis keeps nothing: what is published while a node cannot hear is gone. The bus promises that this is noticed. A
 * node that lost its connection tells its own listeners (`onGap`) when it hears again. A node that could not send tells
 * the others, by a message of its own on each channel concerned.
 *
 * One connection both publishes and subscribes (RESP3), so that nobody can hear without being able to speak.
 */
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { type Bus, type BusMessage, createLocalBus, type LocalBusOptions, parseUnquoted } from './bus.ts';
import { sparing } from '../monitoring/log.ts';
import { groupsOf } from '../small.ts';

export interface RedisBusOptions extends LocalBusOptions {
  readonly url: string;
  /** Distinguishes installations on one Redis. */
  readonly installation: string;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  readonly times?: Partial<RedisBusTimes>;
}

/** Real time in milliseconds. */
export interface RedisBusTimes {
  /** How often the node sends itself a message to see that it hears. */
  readonly echoEveryMs: number;
  /** Without an echo for this long the connection counts as dead. */
  readonly deadAfterMs: number;
  /** Longest pause between two tries to connect. */
  readonly retryMs: number;
  /** How long `ready` waits for a subscription. */
  readonly readyMs: number;
}

const TIMES: RedisBusTimes = { echoEveryMs: 1_000, deadAfterMs: 3_000, retryMs: 1_000, readyMs: 500 };
/** If more channels than this lost messages, the others are told to look at everything. */
const LOST_MAX = 10_000;
/** Channels in one SUBSCRIBE after a reconnection. */
const SUBSCRIBE_AT_ONCE = 1_000;
const SENDER_LENGTH = 8;

export interface RedisBus extends Bus {
  numbers(): {
    published: number;
    received: number;
    /** Messages for other nodes that could not be sent. */
    lost: number;
    gaps: number;
    /** How often a connection to Redis was made and had all subscriptions. */
    connects: number;
    channels: number;
    /** The way of the last message to Redis and back. */
    echoMs: number;
  };
}

/** What a message on the wire is: text, bytes, or the word that something was lost on this channel. */
const TEXT = 0x74;
const BYTES = 0x62;
const GAP = 0x67;

/** Makes the bus; it connects in the background. Takes the address of Redis. */
export function createRedisBus({ url, installation, log, times: given, ...options }: RedisBusOptions): RedisBus {
  const times = { ...TIMES, ...given };
  const local = createLocalBus(options);
  const sender = randomBytes(6).toString('base64url');
  const prefix = `fieldroom:${installation}:`;
  const everybody = `${prefix}*`;
  const myself = `${prefix}@${sender}`;
  const silent = sparing((fields, message) => log.warn(fields, message));

  const handlers = new Map<string, number>();
  /** By channel: subscriptions that Redis has not confirmed yet. */
  const pending = new Map<string, Promise<void>>();
  /** Channels whose subscription was not confirmed in time. */
  const late = new Set<string>();
  const gapListeners: ((channel: string | null) => void)[] = [];
  /** Channels with messages that the others did not get; null for all. */
  let lostOn: Set<string> | null = new Set();
  const totals = { published: 0, received: 0, lost: 0, gaps: 0, connects: 0 };
  let whole = false;
  let everWhole = false;
  let closed = false;
  let echoMs = 0;
  /** Beats since the last echo. Time alone would also count while this process was suspended. */
  let unheard = 0;

  const redis = new Redis(url, {
    protocol: 3,
    // Messages that waited would come late and out of order; nodes that missed them look at the database.
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    // The end of a connection refuses what it has not answered, so that we know what the others may lack.
    maxRetriesPerRequest: 0,
    connectTimeout: times.deadAfterMs,
    retryStrategy: (tries) => Math.min(times.retryMs, 50 * 2 ** Math.min(tries, 6)) * (0.5 + Math.random() / 2),
    connectionName: `fieldroom-${sender}`,
  });

  // ---- out

  /** Its commands wait for the end of this turn of the event loop. */
  let gathering: typeof redis.stream | null = null;

  /** What one turn of the event loop publishes goes out in one write, which costs as much for ten rooms as for one. */
  function publish(channel: string, payload: string | Buffer): Promise<number> {
    if (gathering !== redis.stream) {
      const { stream } = redis;
      gathering = stream;
      stream.cork();
      setImmediate(() => {
        if (gathering === stream) gathering = null;
        stream.uncork();
      });
    }
    return redis.publish(channel, payload);
  }

  function lose(channel: string): void {
    totals.lost += 1;
    if (lostOn === null) return;
    lostOn.add(channel);
    if (lostOn.size > LOST_MAX) lostOn = null;
  }

  function tellOthers(channel: string, message: BusMessage): void {
    if (closed) return;
    if (redis.status !== 'ready') return lose(channel);
    totals.published += 1;
    publish(prefix + channel, encode(sender, message)).catch(() => lose(channel));
  }

  /** Sends at once, so that order holds; Redis answers how many have it. */
  function reach(channel: string, message: BusMessage): Promise<boolean> {
    if (closed || redis.status !== 'ready') return Promise.resolve(false);
    totals.published += 1;
    // Redis counts this node, too.
    const own = whole && handlers.has(channel) ? 1 : 0;
    return publish(prefix + channel, encode(sender, message)).then(
      (receivers) => receivers > own,
      () => false,
    );
  }

  /** Tells the others on which channels they missed something. What cannot be told now is told the next time. */
  async function tellLost(): Promise<void> {
    const lost = lostOn;
    lostOn = new Set();
    const word = Buffer.concat([Uint8Array.of(GAP), Buffer.from(sender)]);
    try {
      if (lost === null) await redis.publish(everybody, word);
      else await Promise.all([...lost].map((channel) => redis.publish(prefix + channel, word)));
    } catch {
      if (lost === null || lostOn === null) lostOn = null;
      else for (const channel of lost) lostOn.add(channel);
    }
  }

  // ---- in

  function gap(channel: string | null): void {
    totals.gaps += 1;
    for (const listener of gapListeners) {
      try {
        listener(channel);
      } catch (error) {
        options.onError?.(error, channel ?? '*');
      }
    }
  }

  redis.on('messageBuffer', (wireChannel: Buffer, payload: Buffer) => {
    if (closed) return;
    // Our own, which the handlers of this node have had.
    if (payload.toString('latin1', 1, 1 + SENDER_LENGTH) === sender) {
      if (payload[0] !== GAP && wireChannel.length === myself.length && wireChannel.toString('latin1') === myself) {
        unheard = 0;
        echoMs = performance.now() - Number(payload.toString('latin1', 1 + SENDER_LENGTH));
      }
      return;
    }
    const channel = wireChannel.toString('utf8', prefix.length);
    if (payload[0] === GAP) return gap(channel === '*' ? null : channel);
    totals.received += 1;
    let message: BusMessage;
    try {
      message = decode(payload);
    } catch (error) {
      options.onError?.(error, channel);
      return;
    }
    local.publish(channel, message);
  });

  // ---- the connection

  /** Every connection begins without subscriptions. */
  redis.on('ready', () => {
    const { stream } = redis;
    void begin().catch((error: unknown) => {
      // With the connection, which is followed by the next one already.
      if (closed || redis.status !== 'ready' || redis.stream !== stream) return;
      silent({ err: error }, 'Redis did not take the subscriptions');
      redis.disconnect(true);
    });
  });
  async function begin(): Promise<void> {
    unheard = 0;
    const channels = [everybody, myself, ...[...handlers.keys()].map((channel) => prefix + channel)];
    for (const group of groupsOf(channels, SUBSCRIBE_AT_ONCE)) await redis.subscribe(...group);
    whole = true;
    totals.connects += 1;
    late.clear();
    await tellLost();
    log.info({ channels: channels.length }, everWhole ? 'Redis is back' : 'joined the other nodes over Redis');
    everWhole = true;
    // Also the first time: people may have come before.
    gap(null);
  }
  redis.on('error', (error: Error) => silent({ err: error }, 'Redis does not answer'));
  redis.on('close', () => {
    const wasWhole = whole;
    whole = false;
    if (wasWhole && !closed)
      log.warn({}, 'the connection to Redis is lost; nodes find changes in the database meanwhile');
  });

  // A Redis that hangs takes connections, and answers nothing on them.
  redis.on('connect', () => (unheard = 0));
  const beating = setInterval(() => {
    if (redis.status !== 'ready' && redis.status !== 'connect') return;
    if (++unheard * times.echoEveryMs > times.deadAfterMs) {
      silent({}, 'Redis is silent');
      // Not `disconnect`, which waits for the other end.
      redis.stream.destroy();
      return;
    }
    if (whole) redis.publish(myself, `t${sender}${performance.now()}`).catch(() => {});
  }, times.echoEveryMs);
  beating.unref();

  function subscribeInRedis(channel: string): void {
    // While there is no connection, the next one begins with all subscriptions.
    if (redis.status !== 'ready') return;
    const confirmed = redis.subscribe(prefix + channel).then(
      () => {
        if (late.delete(channel)) gap(channel);
      },
      () => {},
    );
    pending.set(channel, confirmed);
    void confirmed.then(() => {
      if (pending.get(channel) === confirmed) pending.delete(channel);
    });
  }

  return {
    isShared: true,
    publish(channel, message) {
      local.publish(channel, message);
      tellOthers(channel, message);
    },
    publishHere: local.publish,
    tellOthers,
    reach,
    subscribe(channel, handler) {
      const leave = local.subscribe(channel, handler);
      const before = handlers.get(channel) ?? 0;
      handlers.set(channel, before + 1);
      if (before === 0) subscribeInRedis(channel);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        leave();
        const rest = handlers.get(channel)! - 1;
        if (rest > 0) {
          handlers.set(channel, rest);
          return;
        }
        handlers.delete(channel);
        late.delete(channel);
        if (redis.status === 'ready') redis.unsubscribe(prefix + channel).catch(() => {});
      };
    },
    async ready() {
      await local.ready();
      if (pending.size === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, times.readyMs, 'late' as const);
      });
      const how = await Promise.race([Promise.all(pending.values()), patience]);
      clearTimeout(timer);
      // A connection made while Redis hangs gets the state of the database now, and is told to look again.
      if (how === 'late') for (const channel of pending.keys()) late.add(channel);
    },
    onGap: (listener) => void gapListeners.push(listener),
    isWhole: () => whole,
    async close() {
      closed = true;
      clearInterval(beating);
      await local.close();
      redis.disconnect();
    },
    numbers: () => ({ ...totals, channels: handlers.size, echoMs }),
  };
}

/** Kind, sender, attributes as JSON, a line feed, body. */
function encode(sender: string, { body, attributes }: BusMessage): string | Buffer {
  const head = `${sender}${attributes === undefined ? '' : JSON.stringify(attributes)}\n`;
  if (typeof body === 'string') return `t${head}${body}`;
  return Buffer.concat([Uint8Array.of(BYTES), Buffer.from(head), body]);
}

function decode(payload: Buffer): BusMessage {
  const end = payload.indexOf(0x0a, 1 + SENDER_LENGTH);
  if (end === -1 || (payload[0] !== TEXT && payload[0] !== BYTES)) throw new Error('a message of another kind');
  const body = payload[0] === TEXT ? payload.toString('utf8', end + 1) : payload.subarray(end + 1);
  if (end === 1 + SENDER_LENGTH) return { body };
  return { body, attributes: parseUnquoted(payload.toString('utf8', 1 + SENDER_LENGTH, end)) };
}
