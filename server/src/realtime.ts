/**
 * Joins the channels of all features to the STOMP broker: who may connect and listen, which handlers a message goes to,
 * and how a refusal names the act it is about. It knows no message; the wire is `contract/src/realtime.ts`.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { FieldFault } from '@fieldroom/contract/problems';
import { Problem, problemBody, type ProblemCode, PROBLEMS } from '@fieldroom/contract/problems';
import { type Change, ownDestination, roomDestination, SOCKET_PATHS } from '@fieldroom/contract/realtime';
import type { Principal } from './access.ts';
import { type Channel, endConnection, type MessageHandler, type Sender } from './channel.ts';
import type { ConnectionOrders, Order } from './connections.ts';
import type { Feature } from './feature.ts';
import type { Members } from './features/clients/index.ts';
import { isDatabaseUnavailable } from './platform/db/db.ts';
import { parseJson } from './platform/json.ts';
import {
  createStompBroker,
  type StompBroker,
  type StompBrokerOptions,
  type StompConnection,
  StompRefusal,
} from './platform/realtime/stomp-broker.ts';
import { stompGauges } from './platform/realtime/stomp-gauges.ts';

type Connection = StompConnection<Principal>;

export interface Realtime extends Pick<Feature, 'jobs' | 'metrics'> {
  readonly broker: StompBroker<Principal>;
  /** Tells every browser that the service restarts, and closes all connections in peace. */
  stop(timeoutMs?: number): Promise<void>;
}

export interface RealtimeParts extends Pick<
  StompBrokerOptions<Principal>,
  'bus' | 'log' | 'allowedOrigin' | 'limits' | 'flushMs' | 'addressOf'
> {
  channels: readonly Channel[];
  members: Members;
  connections: Pick<ConnectionOrders, 'onOrder'>;
  /** Who a bearer token belongs to; null for an unknown one, a Problem for one whose end can be told. */
  identify: (token: string) => Promise<Principal | Problem | null>;
  /** Whether the sign-in of a connection still holds. */
  isSignedIn: (principal: Principal) => Promise<boolean>;
}

const JSON_TEXT = { contentType: 'application/json' } as const;
const TOKEN_LENGTH = 512;

/** Makes the real-time side. Takes the features' channels in the order in which their hooks run. */
export function createRealtime({
  channels,
  members,
  connections,
  identify,
  isSignedIn,
  ...options
}: RealtimeParts): Realtime {
  const handlers = handlersOf(channels);
  const isVolatile = (destination: string) => handlers.get(destination)?.[0]?.lane === 'volatile';
  let stopping = false;

  const broker = createStompBroker<Principal>({
    ...options,
    paths: SOCKET_PATHS,
    volatileSend: isVolatile,
    personOf: ({ id }) => id,

    async authenticate(headers) {
      const token = tokenIn(headers);
      if (token === null) return endConnection('not_signed_in');
      const found = await orEnd(() => identify(token));
      if (found instanceof Problem) return endConnection(found.code);
      return found ?? endConnection('session_expired');
    },
    async onConnect(_, connection) {
      if (stopping) throw endConnection('shutting_down');
      await inOrder('onConnect', connection);
    },
    async onDisconnect(principal, connection) {
      const others = broker.connectionsOf((other, one) => other.id === principal.id && one.id !== connection.id);
      const last = others.length === 0;
      if (last) members.forget([principal.id]);
      const sender = senderOf(connection);
      await Promise.all(channels.map(async (channel) => channel.onGone?.(sender, last)));
    },

    // Exact destinations only: a person's own one, and the room the person is in.
    async authorizeSubscribe(principal, destination) {
      if (destination === ownDestination(principal.id)) return true;
      if (destination !== roomDestination(therapistOf(principal))) return false;
      return (await orEnd(() => members.accessNow(principal))) !== null;
    },
    onSubscribe: (principal, connection, destination) =>
      inOrder(destination === ownDestination(principal.id) ? 'onOwnSubscribed' : 'onJoin', connection),

    onSend(_, connection, message) {
      const body = jsonOf(message.text());
      return isVolatile(message.destination)
        ? handleVolatile(connection, message.destination, body)
        : handleStored(connection, message.destination, body);
    },
    onVolatile: (_, connection, message) => handleVolatile(connection, message.destination, jsonOf(message.text())),
    // A refusal that is not fatal: the connection goes on, the sender reads why.
    onRefused(_, connection, refused, { message }) {
      const code = Object.hasOwn(PROBLEMS, refused.code) ? (refused.code as ProblemCode) : 'frame_malformed';
      const fields = refused instanceof MessageRefusal ? refused.fields : undefined;
      const { actId, figureId } = message === undefined ? NO_ACT : actIn(message);
      senderOf(connection).tell({
        eventType: 'PROBLEM',
        // Of a message that does not fit its schema only the act's id is worth telling.
        contents: { actId, figureId: fields ? null : figureId, problem: problemBody(code, fields ? { fields } : {}) },
      });
    },
  });

  // ---- messages

  function handleVolatile(connection: Connection, destination: string, body: unknown): void {
    const sender = senderOf(connection);
    try {
      for (const handler of handlers.get(destination)!) void handler.handle(body, sender);
    } catch (error) {
      throw asRefusal(error);
    }
  }

  async function handleStored(connection: Connection, destination: string, body: unknown): Promise<void> {
    const sender = senderOf(connection);
    for (const handler of handlers.get(destination) ?? [UNKNOWN_DESTINATION]) {
      try {
        await handler.handle(body, sender);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw asRefusal(error);
        // It does not cost the connection, which would only come back and ask the database for more.
        const reaction = handler.lane === 'stored' ? handler.whenUnavailable : 'refuse';
        if (reaction === 'end') throw endConnection('unavailable');
        if (reaction === 'refuse') throw new MessageRefusal('unavailable');
      }
    }
  }

  /** Runs a hook of all channels, one after the other. The connection can't go on without it, so a fault ends it. */
  async function inOrder(hook: 'onConnect' | 'onOwnSubscribed' | 'onJoin', connection: Connection): Promise<void> {
    const sender = senderOf(connection);
    for (const channel of channels) await orEnd(async () => channel[hook]?.(sender));
  }

  // ---- who sends

  /** One for each connection, as moves come many times a second. */
  const senders = new WeakMap<Connection, Sender>();

  function senderOf(connection: Connection): Sender {
    const known = senders.get(connection);
    if (known !== undefined) return known;
    const { principal } = connection;
    const therapistId = therapistOf(principal);
    const sender: Sender = {
      principal,
      therapistId,
      connection,
      async access() {
        if (!members.mayLook(principal)) throw new Problem('too_many_requests');
        const access = await members.accessNow(principal);
        if (access === null) throw new Problem(principal.kind === 'client' ? 'not_admitted' : 'forbidden');
        return access;
      },
      knownAccess: () => members.knownAccess(principal),
      hearsOwn: () => broker.isSubscribed(connection, ownDestination(principal.id)),
      tell(change) {
        const text = JSON.stringify(change);
        if (!broker.sendTo(connection, ownDestination(principal.id), text, JSON_TEXT))
          broker.sendTo(connection, roomDestination(therapistId), text, JSON_TEXT);
      },
    };
    senders.set(connection, sender);
    return sender;
  }

  // ---- orders to connections

  function carryOut(order: Order): void {
    switch (order.kind) {
      case 'close':
        members.forget(order.ids);
        // Whoever does not hear the own destination yet could not be told: then the ERROR says why.
        if (order.why)
          broker.disconnect(
            ({ id }, connection) => order.ids.includes(id) && !broker.isSubscribed(connection, ownDestination(id)),
            closedFor(order.why),
          );
        broker.disconnect(({ id }) => order.ids.includes(id), { code: 1000, reason: 'ended' });
        return;
      case 'leaveRoom':
        members.forget(order.ids);
        broker.unsubscribe(roomDestination(order.therapistId), ({ id }) => order.ids.includes(id));
        return;
      case 'account':
        broker.disconnect(({ kind, id }) => kind === 'account' && id === order.accountId, closedFor('session_expired'));
        return;
      case 'signIn':
        broker.disconnect(
          (principal) => principal.kind === 'account' && principal.tokenHash.toString('hex') === order.tokenHash,
          closedFor('session_expired'),
        );
    }
  }
  connections.onOrder(carryOut);

  /** Ends connections whose sign-in has run out. */
  async function checkSignIns(): Promise<void> {
    members.tidy();
    const gone = new Set<Connection>();
    for (const connection of broker.connectionsOf(() => true))
      if (!(await isSignedIn(connection.principal))) gone.add(connection);
    broker.disconnect((_, connection) => gone.has(connection), closedFor('session_expired'));
  }

  return {
    broker,
    jobs: [{ name: 'realtime.checkSignIns', everySeconds: 60, run: checkSignIns }],
    metrics: stompGauges(broker),
    async stop(timeoutMs) {
      stopping = true;
      const restart: Change = { eventType: 'RESTART', contents: null };
      for (const connection of broker.connectionsOf(() => true)) senderOf(connection).tell(restart);
      await turn();
      await broker.drain(timeoutMs);
    },
  };
}

const therapistOf = (principal: Principal) => (principal.kind === 'client' ? principal.therapistId : principal.id);

const closedFor = (code: ProblemCode) => ({ code: 1008, errorCode: code, errorMessage: PROBLEMS[code].title });

/** All handlers by destination. Throws when a message is volatile to one feature and stored to another. */
function handlersOf(channels: readonly Channel[]): ReadonlyMap<string, readonly MessageHandler[]> {
  const all = new Map<string, MessageHandler[]>();
  for (const { messages = {} } of channels)
    for (const [destination, handler] of Object.entries(messages)) {
      const known = all.get(destination) ?? [];
      if (known.some(({ lane }) => lane !== handler.lane)) throw new Error(`${destination} is in two lanes`);
      all.set(destination, [...known, handler]);
    }
  return all;
}

const UNKNOWN_DESTINATION: MessageHandler = {
  lane: 'stored',
  whenUnavailable: 'refuse',
  handle() {
    throw new Problem('destination_unknown');
  },
};

// ---- refusals

/** One message was refused; the connection stays. */
class MessageRefusal extends StompRefusal {
  readonly fields: FieldFault[] | undefined;

  constructor(code: ProblemCode, fields?: FieldFault[]) {
    super(code, PROBLEMS[code].title, { fatal: false });
    this.fields = fields;
  }
}

const asRefusal = (error: unknown) =>
  error instanceof Problem ? new MessageRefusal(error.code, error.more.fields) : error;

/** For what a connection can't go on without: a Problem ends it, and `unavailable` tells the browser to come again. */
async function orEnd<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw endConnection(error.code);
    throw isDatabaseUnavailable(error) ? endConnection('unavailable') : error;
  }
}

const NO_ACT = { actId: null, figureId: null };

/** The names by which the sender of a refused act finds it again, where they can be read. */
function actIn(message: { text(): string }): { actId: string | null; figureId: number | null } {
  try {
    const { actId, act } = parseJson(message.text()) as { actId?: unknown; act?: { figureId?: unknown } };
    return {
      actId: typeof actId === 'string' && /^[0-9a-f-]{36}$/i.test(actId) ? actId : null,
      figureId: Number.isSafeInteger(act?.figureId) ? (act!.figureId as number) : null,
    };
  } catch {
    return NO_ACT;
  }
}

/** The bearer token of CONNECT: `Authorization: Bearer …`, in the spelling the program chose, or `token`. */
function tokenIn(headers: Readonly<Record<string, string | undefined>>): string | null {
  const authorization = headers.Authorization ?? headers.authorization;
  const token = authorization === undefined ? headers.token : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return token !== undefined && token !== '' && token.length <= TOKEN_LENGTH ? token : null;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new MessageRefusal('frame_malformed');
  }
}
