/**
 * The STOMP broker meets the features: who may connect and listen, where messages go, and what joins the room's changes
 * for one connection alone. The wire is `contract/src/realtime.ts`.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { problemBody, Problem, type ProblemBody, type ProblemCode, PROBLEMS } from '@fieldroom/contract/problems';
import {
  type Change,
  INCOMING,
  ownDestination,
  roomDestination,
  SEND,
  SOCKET_PATHS,
} from '@fieldroom/contract/realtime';
import type { Account, ClientSeat, Principal, RoomAccess } from './access.ts';
import { hashToken } from './features/accounts/index.ts';
import type { Clients, Connections } from './features/clients/index.ts';
import type { Field } from './features/field/index.ts';
import type { Publish, Room } from './features/room/index.ts';
import type { Sessions } from './features/sessions/index.ts';
import type { Video } from './features/video/index.ts';
import type { Bus } from './platform/bus.ts';
import { fieldFaults } from './platform/http/faults.ts';
import {
  createStompBroker,
  type StompBroker,
  type StompBrokerOptions,
  type StompConnection,
  StompRefusal,
} from './platform/realtime/stomp-broker.ts';

type Connection = StompConnection<Principal>;

/** What the realtime side needs, made after it because they publish by it. */
export interface RealtimeFeatures {
  /** Who a token belongs to; null for unknown and ended ones. */
  identify: (token: string) => Promise<Principal | null>;
  identifyAccount: (tokenHash: Buffer) => Promise<Account | null>;
  clients: Clients;
  sessions: Sessions;
  room: Room;
  field: Pick<Field, 'channel' | 'playersValue'>;
  video: Pick<Video, 'state' | 'lineCarries' | 'passKey'>;
}

export interface Realtime {
  readonly broker: StompBroker<Principal>;
  /** For the room. */
  readonly publish: Publish;
  /** For the clients, and for the ends of sign-ins; on all nodes. */
  readonly connections: Connections & {
    /** The connections that one sign-in let in. */
    closeSignIn(tokenHash: Buffer): void;
    /** All connections of a person with an account. */
    closeAccount(accountId: number): void;
  };
  /** Names the features; before it every connection is refused. */
  attach(features: RealtimeFeatures): void;
  /** Closes connections whose sign-in has run out; for a sweep every minute. */
  checkSignIns(): Promise<void>;
  /** Tells every browser that the service restarts, and closes all in peace. */
  stop(timeoutMs?: number): Promise<void>;
}

export interface RealtimeParts extends Pick<
  StompBrokerOptions<Principal>,
  'allowedOrigin' | 'limits' | 'metrics' | 'heartbeat' | 'flushMs'
> {
  bus: Bus;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** One channel, so that orders and the messages before them keep their order on a bus that keeps it by publisher. */
const ORDERS = 'connections';
type Order =
  | { kind: 'close'; ids: number[]; why?: ProblemCode }
  | { kind: 'account'; ids: number[] }
  | { kind: 'leaveRoom'; ids: number[]; therapistId: number }
  | { kind: 'signIn'; tokenHash: string };

const VOLATILE: ReadonlySet<string> = new Set([SEND.drag, SEND.point]);
const JSON_TEXT = { contentType: 'application/json' } as const;

/** Makes the realtime side. In: the bus, origins, log, limits. Source: specification 7.6, PRODUCT 5, SAFE (guest sign-in). */
export function createRealtime({ bus, log, ...options }: RealtimeParts): Realtime {
  let features: RealtimeFeatures | null = null;
  let stopping = false;
  /** Clients known to be in their room, for messages that are not worth a look into the database. */
  const admitted = new Map<number, RoomAccess>();
  /** Goes up with every leaving: a seat that was read before it may be older than it. */
  let leavings = 0;
  const leave = (id: number) => {
    leavings++;
    admitted.delete(id);
  };

  function attached(): RealtimeFeatures {
    if (features === null) throw refusal('shutting_down');
    return features;
  }

  const broker = createStompBroker<Principal>({
    ...options,
    paths: SOCKET_PATHS,
    bus,
    log,
    volatileSend: (destination) => VOLATILE.has(destination),

    async authenticate(headers) {
      const { identify, clients } = attached();
      const token = tokenIn(headers);
      if (token === null) return refusal('not_signed_in');
      return (await identify(token)) ?? refusal((await clients.whyEnded(hashToken(token))) ?? 'session_expired');
    },
    async onConnect(principal, connection) {
      if (stopping) throw refusal('shutting_down');
      if (principal.kind === 'client') await orRefuse(() => attached().clients.connected(principal.id, connection));
    },
    async onDisconnect(principal, connection) {
      const { clients, sessions, field } = attached();
      const therapistId = principal.kind === 'client' ? principal.therapistId : principal.id;
      const others = broker.connectionsOf((other, one) => other.id === principal.id && one.id !== connection.id);
      if (others.length === 0) {
        leave(principal.id);
        field.channel.personGone(therapistId, principal.id);
      }
      if (principal.kind === 'client') await clients.disconnected(principal.id, connection);
      else await sessions.lineGone(principal.id, connection);
    },

    // Exact destinations only: one's own channel, and the room one is in.
    async authorizeSubscribe(principal, destination) {
      if (destination === ownDestination(principal.id)) return true;
      const therapistId = principal.kind === 'client' ? principal.therapistId : principal.id;
      return destination === roomDestination(therapistId) && (await accessNow(principal)) !== null;
    },
    async onSubscribe(principal, connection, destination) {
      if (destination !== ownDestination(principal.id)) {
        await sendRoom(principal, connection, { field: true, people: true });
        await sendVideo(principal, connection);
      } else if (principal.kind === 'client' && principal.state === 'waiting')
        await tellStanding(principal, connection);
    },

    // Moves come thirty times a second from every hand: where it is known who may, they are done at once, without a promise.
    onSend(principal, connection, message) {
      const { destination } = message;
      if (!VOLATILE.has(destination)) return answer(principal, connection, destination, parseJson(message.text()));
      const { clients, field } = attached();
      const body = parseJson(message.text());
      const take = (access: RoomAccess | null) => {
        // Who is out knows it by a message of its own; a stream of refusals would tell nothing more.
        if (access === null) return;
        if (destination === SEND.drag) field.channel.drag(access, body);
        else field.channel.point(access, body);
      };
      // What a therapist may is read off the sign-in, without the database.
      const known =
        principal.kind === 'account' ? clients.roomAccessOf(principal, principal.id) : admitted.get(principal.id);
      return known === undefined ? accessNow(principal).then(take) : take(known);
    },
    // A refusal that is not fatal: the connection goes on, the sender reads why.
    onRefused(principal, connection, refused, { message }) {
      const faults = (refused as StompRefusal & { problem?: ProblemBody }).problem;
      const problem =
        faults ??
        problemBody(Object.hasOwn(PROBLEMS, refused.code) ? (refused.code as ProblemCode) : 'frame_malformed');
      sendAlone(connection, principal, {
        eventType: 'PROBLEM',
        contents: { ...namesIn(message?.destination, message), problem },
      });
    },
  });

  /** What is not a move: acts, questions, joining. */
  async function answer(
    principal: Principal,
    connection: Connection,
    destination: string,
    body: unknown,
  ): Promise<void> {
    switch (destination) {
      case SEND.act:
        await attached().field.channel.act(await getAccess(principal), body, connection);
        return;
      case SEND.checkUpdate: {
        const asked = parse(INCOMING[destination], body);
        if (asked.userId !== principal.id || asked.userType !== (principal.kind === 'client' ? 'CLIENT' : 'THERAPIST'))
          throw refusal('forbidden', false);
        await getAccess(principal);
        await sendRoom(principal, connection, 'what is newer', asked);
        return;
      }
      case SEND.addUser: {
        const joined = parse(INCOMING[destination], body);
        if (joined.userId !== principal.id) throw refusal('forbidden', false);
        if (principal.kind === 'client') {
          const seat = await attached().clients.seatOf(principal.id);
          if (seat?.state === 'away') await orRefuse(() => attached().clients.setActive(principal.id), false);
          return;
        }
        if (!principal.roles.includes('ROLE_THERAPIST')) throw refusal('forbidden', false);
        await attached().sessions.lineJoined(principal.id, connection);
        return;
      }
      case SEND.videoLine: {
        const { line } = parse(INCOMING[destination], body);
        attached().video.lineCarries(await getAccess(principal), line);
        return;
      }
      case SEND.videoKey: {
        const message = parse(INCOMING[destination], body);
        const access = await getAccess(principal);
        await orRefuse(() => attached().video.passKey(access, message), false);
        return;
      }
      default:
        throw refusal('destination_unknown', false);
    }
  }

  // ---- who is who

  /** What this person may do in its room right now, by the database. */
  async function accessNow(principal: Principal): Promise<RoomAccess | null> {
    const { clients } = attached();
    if (principal.kind === 'account') return clients.roomAccessOf(principal, principal.id);
    const seen = leavings;
    const seat: ClientSeat | null = await clients.seatOf(principal.id);
    const access = clients.roomAccessOf(seat, principal.therapistId);
    if (access === null) admitted.delete(principal.id);
    else if (seen === leavings) admitted.set(principal.id, access);
    return access;
  }

  async function getAccess(principal: Principal): Promise<RoomAccess> {
    const access = await accessNow(principal);
    if (access === null) throw refusal(principal.kind === 'client' ? 'not_admitted' : 'forbidden', false);
    return access;
  }

  async function orRefuse(work: () => Promise<void>, fatal = true): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Problem) throw refusal(error.code, fatal);
      throw error;
    }
  }

  // ---- to one connection alone

  /** By the own channel where it is subscribed, else by the room's. */
  function sendAlone(connection: Connection, principal: Principal, change: Change): void {
    const text = JSON.stringify(change);
    const therapistId = principal.kind === 'client' ? principal.therapistId : principal.id;
    if (!broker.sendTo(connection, ownDestination(principal.id), text, JSON_TEXT))
      broker.sendTo(connection, roomDestination(therapistId), text, JSON_TEXT);
  }

  /**
   * The room as it stands, between two acts: what was published before is in it, what comes after follows it.
   * `what is newer` sends only what the asker's stamps lack.
   */
  async function sendRoom(
    principal: Principal,
    connection: Connection,
    what: { field: boolean; people: boolean } | 'what is newer',
    seen = { participantsUpdatedOn: 0, usersUpdatedOn: 0 },
  ): Promise<void> {
    const { room, clients, field } = attached();
    const therapistId = principal.kind === 'client' ? principal.therapistId : principal.id;
    await room.inOrder(therapistId, async () => {
      const stamps = await room.stamps(therapistId);
      const wants =
        what === 'what is newer'
          ? {
              field: seen.participantsUpdatedOn < stamps.participantsUpdatedOn,
              people: seen.usersUpdatedOn < stamps.usersUpdatedOn,
            }
          : what;
      if (wants.field) sendAlone(connection, principal, await field.playersValue(therapistId));
      if (wants.people) {
        // Those who wait are named on the therapist's own channel only.
        const withWaiting =
          principal.kind === 'account' && broker.isSubscribed(connection, ownDestination(principal.id));
        sendAlone(connection, principal, {
          eventType: 'UNREGISTER_USER',
          contents: await clients.peopleValue(therapistId, { withWaiting }),
          ...stamps,
        });
      }
    });
  }

  /** Faces and voices as they stand. Read and sent without a pause between, so that a newer state follows it. */
  async function sendVideo(principal: Principal, connection: Connection): Promise<void> {
    const contents = await attached().video.state(principal.kind === 'client' ? principal.therapistId : principal.id);
    sendAlone(connection, principal, { eventType: 'VIDEO_STATE', contents });
  }

  /** To somebody who connected while waiting: whether the therapist is here, or that it was let in before it could hear so. */
  async function tellStanding(principal: ClientSeat, connection: Connection): Promise<void> {
    const { clients, room } = attached();
    await room.inOrder(principal.therapistId, async () => {
      const seat = await clients.seatOf(principal.id);
      if (seat?.state === 'in') sendAlone(connection, principal, { eventType: 'ADMISSION', contents: { state: 'in' } });
      if (seat?.state !== 'waiting') return;
      const { therapistHere } = await clients.peopleValue(principal.therapistId);
      sendAlone(connection, principal, {
        eventType: 'UNREGISTER_USER',
        contents: { people: [], therapistHere },
        ...(await room.stamps(principal.therapistId)),
      });
    });
  }

  // ---- orders to connections, on every node

  function carryOut(order: Order): void {
    switch (order.kind) {
      case 'close':
        for (const id of order.ids) leave(id);
        if (order.why) {
          // Who has not subscribed the own channel yet could not be told: then the ERROR says why.
          const deaf: (principal: Principal, connection: Connection) => boolean = (principal, connection) =>
            order.ids.includes(principal.id) && !broker.isSubscribed(connection, ownDestination(principal.id));
          broker.disconnect(deaf, { code: 1008, errorCode: order.why, errorMessage: PROBLEMS[order.why].title });
        }
        broker.disconnect((principal) => order.ids.includes(principal.id), { code: 1000, reason: 'ended' });
        return;
      case 'leaveRoom':
        for (const id of order.ids) leave(id);
        broker.unsubscribe(roomDestination(order.therapistId), (principal) => order.ids.includes(principal.id));
        return;
      case 'account':
        broker.disconnect((principal) => principal.kind === 'account' && order.ids.includes(principal.id), {
          code: 1008,
          errorCode: 'session_expired',
          errorMessage: PROBLEMS.session_expired.title,
        });
        return;
      case 'signIn':
        broker.disconnect(
          (principal) => principal.kind === 'account' && principal.tokenHash.toString('hex') === order.tokenHash,
          { code: 1008, errorCode: 'session_expired', errorMessage: PROBLEMS.session_expired.title },
        );
    }
  }
  bus.subscribe(ORDERS, ({ body }) =>
    carryOut(JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')) as Order),
  );
  const order = (what: Order) =>
    void Promise.resolve(bus.publish(ORDERS, { body: JSON.stringify(what) })).catch((error: unknown) =>
      log.error({ err: error }, 'an order to connections was not taken by the bus'),
    );

  return {
    broker,
    publish: (destination, change, { lane }) =>
      broker.publish(destination, JSON.stringify(change), { lane, ...JSON_TEXT }),
    connections: {
      close: (ids, why) => {
        if (ids.length > 0) order({ kind: 'close', ids: [...ids], ...(why ? { why } : {}) });
      },
      leaveRoom: (therapistId, ids) => order({ kind: 'leaveRoom', therapistId, ids: [...ids] }),
      closeSignIn: (tokenHash) => order({ kind: 'signIn', tokenHash: tokenHash.toString('hex') }),
      closeAccount: (accountId) => order({ kind: 'account', ids: [accountId] }),
    },
    attach(given) {
      features = given;
      given.clients.onPeopleChanged(({ gone }) => {
        for (const id of gone) leave(id);
      });
    },
    async checkSignIns() {
      const { clients, identifyAccount } = attached();
      const gone = new Set<Connection>();
      for (const connection of broker.connectionsOf(() => true)) {
        const { principal } = connection;
        const known =
          principal.kind === 'client' ? await clients.seatOf(principal.id) : await identifyAccount(principal.tokenHash);
        if (known === null) gone.add(connection);
      }
      broker.disconnect((_, connection) => gone.has(connection), {
        code: 1008,
        errorCode: 'session_expired',
        errorMessage: PROBLEMS.session_expired.title,
      });
    },
    async stop(timeoutMs) {
      stopping = true;
      for (const connection of broker.connectionsOf(() => true))
        sendAlone(connection, connection.principal, { eventType: 'RESTART', contents: null });
      await turn();
      await broker.drain(timeoutMs);
    },
  };
}

/** A refusal in the product's words; `fatal` ends the connection with ERROR, else the sender reads PROBLEM. */
function refusal(code: ProblemCode, fatal = true): StompRefusal {
  return new StompRefusal(code, PROBLEMS[code].title, { fatal });
}

/** The bearer token of CONNECT: `Authorization: Bearer …`, in the spelling the program chose, or `token`. */
function tokenIn(headers: Readonly<Record<string, string | undefined>>): string | null {
  const authorization = headers.Authorization ?? headers.authorization;
  const token = authorization === undefined ? headers.token : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return token !== undefined && token !== '' && token.length <= 512 ? token : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refusal('frame_malformed', false);
  }
}

function parse<T>(
  schema: {
    safeParse(
      input: unknown,
    ): { success: true; data: T } | { success: false; error: Parameters<typeof fieldFaults>[0] };
  },
  body: unknown,
): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw Object.assign(refusal('invalid_input', false), {
    problem: problemBody('invalid_input', { fields: fieldFaults(parsed.error, body) }),
  });
}

/** The names by which the sender of a refused act finds it again, where they could be read. */
function namesIn(
  destination: string | undefined,
  message: { text(): string } | undefined,
): { actId: string | null; figureId: number | null } {
  const none = { actId: null, figureId: null };
  if (destination !== SEND.act || message === undefined) return none;
  try {
    const { actId, act } = JSON.parse(message.text()) as { actId?: unknown; act?: { figureId?: unknown } };
    return {
      actId: typeof actId === 'string' && /^[0-9a-f-]{36}$/i.test(actId) ? actId : null,
      figureId: Number.isSafeInteger(act?.figureId) ? (act!.figureId as number) : null,
    };
  } catch {
    return none;
  }
}
