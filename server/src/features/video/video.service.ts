/** Video: who may connect, the room's settings, and what the room is told. The numbered rules are in README.md. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { Person } from '@fieldroom/contract/clients';
import type { BodyOf, ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import { roomDestination } from '@fieldroom/contract/realtime';
import {
  type getVideoTicket,
  KEYFRAME_SECONDS,
  LOUDEST_VOICES,
  type muteClients,
  type setStage,
  type setVideoSettings,
  TALKING_LEVEL,
  TALKING_PACKETS,
  TICKET_SECONDS,
  VIDEO_PEOPLE_MAX,
  type VideoKeyMessage,
  type NetworkQuality,
  type VideoState,
} from '@fieldroom/contract/video';
import type { RoomAccess } from '../../access.ts';
import { type Bus, createLocalBus } from '../../platform/nodes/bus.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Queryable } from '../../platform/db/db.ts';
import { createLoneNode, type Nodes } from '../../platform/nodes/nodes.ts';
import type { Clients } from '../clients/index.ts';
import { createRoomReading, type Publish, type Room } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { createGateway, type GatewayLimits, type GatewayParts } from './gateway/gateway.ts';
import { createRooms, type RoomFacts, type VideoRoom } from './gateway/rooms.ts';
import type { Elsewhere } from './gateway/routed-connection.ts';
import type { ServiceOrder } from './nodes/orders.ts';
import { createVideoNodes, type VideoNodes } from './nodes/video-nodes.ts';
import { createAllowance } from './video.allowance.ts';
import { readRoom, writeSettings, writeStage } from './video.store.ts';
import { createTickets, type Member } from './video.tickets.ts';
import { iceServersOf } from './video.turn.ts';
import type { EngineEvent, EngineSession, EngineStats, RoomSpec, VideoEngine } from './video.types.ts';

export interface Video {
  /** Problems: `no_live_session`, `video_unavailable`, `too_many_requests`. */
  ticket(
    access: RoomAccess,
    options: { firefox: boolean; signIn: Buffer | null },
  ): Promise<ReplyOf<typeof getVideoTicket>>;
  setSettings(therapistId: number, changed: BodyOf<typeof setVideoSettings>): Promise<ReplyOf<typeof setVideoSettings>>;
  /**
   * Puts these clients on stage, or those with a role; null ends the stage. Resolves when the engine sends what follows
   * from it. Clients who are not in the room are left out. Problems: `no_live_session`, `not_found` when nobody is
   * left.
   */
  setStage(therapistId: number, clientIds: BodyOf<typeof setStage>['clientIds']): Promise<ReplyOf<typeof setStage>>;
  /**
   * Mutes those of them who take part; resolves when nobody hears them any more. Problem: `video_unavailable` when the
   * node that has the room does not answer.
   */
  mute(therapistId: number, clientIds: BodyOf<typeof muteClients>['clientIds']): Promise<void>;
  /** Problem: `not_found`. */
  ask(therapistId: number, clientId: number): Promise<void>;
  /** The complete state of the room's video (VIDEO_STATE). Never call it from inside an act on the room. */
  state(therapistId: number): Promise<VideoState>;
  /** The same for somebody who has just come; null when the node that has the room tells them itself. */
  stateFor(therapistId: number, personId: number): Promise<VideoState | null>;
  /** The quality of somebody's own network; kept while they take part. */
  setNetworkQuality(access: RoomAccess, quality: NetworkQuality): void;
  /**
   * Passes an encrypted key on, between the therapist and a client who is in the room. Problems: `forbidden`,
   * `not_found`, `too_many_requests`.
   */
  passKey(access: RoomAccess, message: VideoKeyMessage): Promise<void>;
  /** Takes the upgrade of a socket to `/video`; the caller has checked the origin. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Ends all connections and tickets of a person. */
  closePerson(personId: number): void;
  /** Ends those of one sign-in. */
  closeSignIn(accountId: number, tokenHash: Buffer): void;
  /**
   * Whether anybody in the room sends sound or picture: from memory, or as another node last wrote. `on` asks within an
   * act.
   */
  mediaFlows(therapistId: number, on?: Queryable): boolean | Promise<boolean>;
  /** Every minute: closes connections whose membership has ended, in case the message about it was lost. */
  checkMembers(): Promise<void>;
  /** Every two seconds on a service of several nodes: see `VideoNodes.keep`. */
  keep(): Promise<void>;
  /** Now and then on a service of several nodes: removes old tickets. */
  tidy(): Promise<void>;
  /** Hands all rooms over to the other nodes within this real time, and takes none any more. */
  leave(overMs: number): Promise<void>;
  stats(): Promise<EngineStats & { connections: number; links: number; ready: boolean }>;
  stop(): Promise<void>;
}

export interface VideoParts {
  db: Db;
  room: Room;
  publish: Publish;
  clients: Clients;
  sessions: Sessions;
  engine: VideoEngine;
  bus?: Bus;
  nodes?: Pick<Nodes, 'id' | 'living' | 'mayLive' | 'allHear' | 'onGone'>;
  /** Whether the therapist's sign-in with this hash of its token holds. */
  isSignedIn(tokenHash: Buffer): Promise<boolean>;
  config: Pick<Config, 'turn'>;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Where a connection comes from; see GatewayParts. */
  addressOf?: GatewayParts['addressOf'];
  limits?: Partial<GatewayLimits>;
  /** Changes of a room within this real time are announced as one. */
  gatherMs?: number;
}

const GATHER_MS = 100;
const isSameSignIn = (one: Member, other: Member) =>
  one.signIn === null ? other.signIn === null : other.signIn !== null && one.signIn.equals(other.signIn);
/** Per person, in real time: a page that asks again and again has to wait. */
const TICKETS = { atOnce: 20, aSecond: 0.5 };
/** The therapist answers 24 clients at once when the key changes; a client sends one key at a time. */
const KEYS = { therapist: { atOnce: 60, aSecond: 5 }, client: { atOnce: 10, aSecond: 0.5 } };

/**
 * Makes the video of all rooms. Rules: docs/product.md#10.
 */
export function createVideoService({
  db,
  room,
  publish,
  clients,
  sessions,
  engine,
  bus = createLocalBus(),
  nodes = createLoneNode(),
  isSignedIn,
  addressOf,
  config,
  log,
  limits,
  gatherMs = GATHER_MS,
}: VideoParts): Video {
  const tickets = createTickets();
  const ticketAllowance = createAllowance();
  const keyAllowance = createAllowance();
  const timers = new Map<string, NodeJS.Timeout>();

  /** Runs something soon, once for all calls until then. */
  function soon(key: string, work: () => void): void {
    if (timers.has(key)) return;
    const timer = setTimeout(() => {
      timers.delete(key);
      work();
    }, gatherMs);
    timer.unref();
    timers.set(key, timer);
  }

  const rooms = createRooms({
    log,
    changed: (therapistId) =>
      soon(`state ${therapistId}`, () => {
        // What is left here of a room that another node has now.
        if (!isElsewhere(therapistId)) void announceInOrder(therapistId);
      }),
    talkingChanged: (therapistId) =>
      soon(`talking ${therapistId}`, () =>
        room.announceVolatile(therapistId, {
          eventType: 'TALKING',
          contents: { ids: [...(rooms.find(therapistId)?.talking ?? [])] },
        }),
      ),
    started: (therapistId) =>
      publish(
        roomDestination(therapistId),
        { eventType: 'START_VIDEO', contents: { userId: therapistId } },
        { lane: 'stored' },
      ),
  });

  /** What the database has of a room, and who is in it. Clients who are not in the room any more are not on stage. */
  async function storedWithPeople(therapistId: number): Promise<{ facts: RoomFacts; people: readonly Person[] }> {
    const [{ settings, stage }, people] = await Promise.all([readRoom(db, therapistId), clients.people(therapistId)]);
    const facts = {
      settings,
      stage: stage && people.flatMap(({ id }) => (stage.includes(id) ? [id] : [])),
      selected: people.find(({ selected }) => selected)?.id ?? null,
    };
    return { facts, people };
  }
  const stored = async (therapistId: number): Promise<RoomFacts> => (await storedWithPeople(therapistId)).facts;

  async function state(therapistId: number): Promise<VideoState> {
    const known = rooms.find(therapistId);
    if (known !== undefined) return rooms.state(known);
    const { settings, stage } = await stored(therapistId);
    return { running: false, settings, stage, faces: [] };
  }

  async function announceState(therapistId: number): Promise<void> {
    try {
      publish(
        roomDestination(therapistId),
        { eventType: 'VIDEO_STATE', contents: await state(therapistId) },
        { lane: 'stored' },
      );
    } catch (error) {
      log.error({ err: error }, 'the state of a room’s video could not be told');
    }
  }

  /**
   * The state as it is between two acts on the room. A room that nobody's video has opened is read from the database,
   * and what is read there before an act must not be told after it.
   */
  async function stateInOrder(therapistId: number): Promise<VideoState> {
    const known = rooms.find(therapistId);
    if (known !== undefined) return rooms.state(known);
    const found = Promise.withResolvers<VideoState>();
    await readState(therapistId, found.resolve);
    return found.promise;
  }
  const readState = createRoomReading(room, (therapistId) => state(therapistId));
  const announceInOrder = (therapistId: number): Promise<void> =>
    rooms.find(therapistId) === undefined
      ? room.inOrder(therapistId, () => announceState(therapistId))
      : announceState(therapistId);

  const specOf = (therapistId: number): RoomSpec => ({
    therapistId,
    publishers: VIDEO_PEOPLE_MAX,
    keyframeSeconds: KEYFRAME_SECONDS,
    talkingLevel: TALKING_LEVEL,
    talkingPackets: TALKING_PACKETS,
    loudestVoices: LOUDEST_VOICES,
  });

  /** Whether a membership holds, by the database. */
  async function holds({ as, therapistId, personId, signIn }: Member): Promise<boolean> {
    if ((await sessions.running(therapistId)) === null) return false;
    if (as === 'therapist') return signIn !== null && (await isSignedIn(signIn));
    return clients.roomAccessOf(await clients.seatOf(personId), therapistId) !== null;
  }

  /** The room with its settings, known from now on. Runs in order with the acts that set them. */
  const openRoom = (therapistId: number): Promise<VideoRoom> =>
    room.inOrder(
      therapistId,
      async () =>
        rooms.find(therapistId) ??
        rooms.open(therapistId, await stored(therapistId), (await shared?.handedOver(therapistId)) ?? null),
    );

  async function open(member: Member, listener: (event: EngineEvent) => void): Promise<EngineSession> {
    if (!(await holds(member))) throw new Problem('forbidden');
    if (shared !== null && !(await shared.isStillMine(member.therapistId))) throw new Problem('video_unavailable');
    await openRoom(member.therapistId);
    const session = await engine.open(specOf(member.therapistId), { id: member.personId, as: member.as }, listener);
    // It may have ended while the engine was opening, when there was nothing to close yet.
    if (await holds(member)) return session;
    await session.close();
    // Opening may have made the room again after it had ended.
    if ((await sessions.running(member.therapistId)) === null) {
      rooms.forget(member.therapistId);
      await engine.closeRoom(member.therapistId);
    }
    throw new Problem('forbidden');
  }

  const elsewhere: Elsewhere = {
    route: (...asked) => shared!.route(...asked),
    connect: (...asked) => shared!.connect(...asked),
    takeTicket: (hash) => shared!.takeTicket(hash),
  };
  const gateway = createGateway({
    rooms,
    take: (ticket, hash) => (shared === null ? tickets.take(ticket) : shared.takeTicket(hash)),
    open,
    log,
    ...(nodes.id === null ? {} : { elsewhere }),
    ...(addressOf ? { addressOf } : {}),
    ...(limits ? { limits } : {}),
  });

  function closeWhere(which: (member: Member) => boolean, reason: string): void {
    tickets.forget(which);
    gateway.close(which, reason);
  }

  // ---- several nodes

  const shared: VideoNodes | null =
    nodes.id === null
      ? null
      : createVideoNodes({
          ...{ db, bus, nodes, node: nodes.id, room, log, carryOut, checkMembers },
          isReady: () => engine.ready(),
          accept: gateway.accept,
          // What was known here of an earlier time may be old.
          taken: rooms.forget,
          close(therapistId) {
            gateway.close((member) => member.therapistId === therapistId, 'connect again', 1012);
            rooms.forget(therapistId);
            closeInEngine(therapistId);
          },
          async tellNobodyHas(therapistId) {
            if ((await shared!.find(therapistId)) === null) await announceInOrder(therapistId);
          },
          toHandOver: rooms.toHandOver,
        });
  /** Another node may have the room; if this one had it, it would know. */
  const isElsewhere = (therapistId: number) => shared !== null && !shared.isMine(therapistId);

  /** Not awaited: a live session ends whatever the engine does. */
  function closeInEngine(therapistId: number): void {
    void engine
      .closeRoom(therapistId)
      .catch((error: unknown) => log.error({ err: error }, 'a room of the engine could not be ended'));
  }

  /** Reads again what the database has of a room, and who is in it. Resolves when the engine keeps to it. */
  async function lookAgain(therapistId: number): Promise<void> {
    const [present, ...settled] = await room.inOrder(therapistId, async () => {
      const { facts, people } = await storedWithPeople(therapistId);
      const known = rooms.find(therapistId);
      const isNews = known !== undefined && !isDeepStrictEqual(known.settings, facts.settings);
      return [
        new Set(people.map(({ id }) => id)),
        isNews ? rooms.applySettings(therapistId, facts.settings).settled : Promise.resolve(),
        rooms.applyPeople(therapistId, { selected: facts.selected, stage: facts.stage }).settled,
      ] as const;
    });
    await Promise.all(settled);
    await dropFormer(
      (member) => member.therapistId === therapistId && member.as === 'client' && !present.has(member.personId),
    );
  }

  /** Carries out what another node orders for a room that this one has. */
  async function carryOut(therapistId: number, order: ServiceOrder): Promise<unknown> {
    switch (order.kind) {
      case 'facts':
        await lookAgain(therapistId);
        if (rooms.find(therapistId) === undefined) await announceInOrder(therapistId);
        return null;
      case 'people':
        goneFrom(therapistId, order.gone);
        return lookAgain(therapistId);
      case 'ended':
        endConnections(therapistId);
        closeInEngine(therapistId);
        return null;
      case 'mute':
        return muteHere(therapistId, order.clientIds);
      case 'quality':
        return rooms.setNetworkQuality(therapistId, order.personId, order.quality);
      case 'cap': {
        const { as, personId, firefox } = order;
        const known = rooms.find(therapistId);
        const { highQuality } = known?.settings ?? (await stored(therapistId)).settings;
        return rooms.capOf(known, { as, therapistId, personId, firefox, signIn: null }, highQuality);
      }
      case 'tellState': {
        const contents = await stateInOrder(therapistId);
        return room.tell(order.personId, { eventType: 'VIDEO_STATE', contents });
      }
      case 'signIn':
        return endSignIn(Buffer.from(order.tokenHash, 'hex'));
      case 'person':
        return endPerson(order.personId);
    }
  }

  async function muteHere(therapistId: number, clientIds: 'all' | readonly number[]): Promise<number[]> {
    const muted = await rooms.mute(therapistId, clientIds);
    const isNoted = await shared?.note(therapistId);
    // The next node may have the room already, and does not know it.
    if (isNoted === false && muted.length > 0) throw new Problem('video_unavailable');
    return muted;
  }

  /**
   * Settings or stage were written: the node that has the room keeps to them; if no node has it, the people are told.
   */
  async function tellFacts(therapistId: number): Promise<void> {
    // A node that is silent now looks at the database itself, every two seconds.
    if ((await shared?.ask(therapistId, { kind: 'facts' })) === 'nobody') await announceInOrder(therapistId);
  }

  /** Has the node of the room tell its state to somebody who has come here. Returns it where no node does. */
  async function stateFromElsewhere(therapistId: number, personId: number): Promise<VideoState | null> {
    const there = await shared?.ask(therapistId, { kind: 'tellState', personId });
    return typeof there === 'object' ? null : stateInOrder(therapistId);
  }

  // ---- what ends

  const endSignIn = (tokenHash: Buffer) => closeWhere(({ signIn }) => signIn?.equals(tokenHash) ?? false, 'signed out');
  const endPerson = (id: number) => closeWhere(({ personId }) => personId === id, 'signed out');
  function goneFrom(therapistId: number, gone: readonly number[]): void {
    if (gone.length === 0) return;
    closeWhere(({ as, personId }) => as === 'client' && gone.includes(personId), 'left the room');
    for (const id of gone) rooms.forgetPerson(therapistId, id);
  }
  function endConnections(therapistId: number): void {
    shared?.ended(therapistId);
    closeWhere((member) => member.therapistId === therapistId, 'the live session is over');
    rooms.forget(therapistId);
  }
  /** Closes those of them whose membership has ended. */
  async function dropFormer(which: (member: Member) => boolean): Promise<void> {
    for (const member of gateway.members().filter(which)) {
      if (!(await holds(member)))
        closeWhere((other) => other.personId === member.personId && isSameSignIn(other, member), 'no member any more');
    }
  }
  function checkMembers(): Promise<void> {
    return dropFormer(() => true);
  }

  clients.onPeopleChanged(({ therapistId, gone }) => {
    if (gone.length > 0) shared?.forgetTickets({ people: gone });
    if (isElsewhere(therapistId)) shared?.tell(therapistId, { kind: 'people', gone });
    goneFrom(therapistId, gone);
    if (rooms.find(therapistId) === undefined) return;
    // Run after the act that reported the change, and read what it wrote.
    void room
      .inOrder(therapistId, async () => {
        const { selected, stage } = await stored(therapistId);
        return rooms.applyPeople(therapistId, { selected, stage }).settled;
      })
      .catch((error: unknown) => log.error({ err: error }, 'who is selected or on stage could not be read'));
  });
  sessions.onEnding(async (tx, { therapistId }, afterCommit) => {
    await writeStage(tx, therapistId, null);
    await shared?.endWithin(tx, therapistId);
    afterCommit(async () => {
      if (isElsewhere(therapistId)) shared?.tell(therapistId, { kind: 'ended' });
      endConnections(therapistId);
      await announceState(therapistId);
      closeInEngine(therapistId);
    });
  });

  async function getClient(therapistId: number, clientId: number): Promise<void> {
    if (clients.roomAccessOf(await clients.seatOf(clientId), therapistId) === null) throw new Problem('not_found');
  }

  return {
    async ticket(access, { firefox, signIn }) {
      if (!ticketAllowance.take(access.personId, TICKETS))
        throw new Problem('too_many_requests', { retryAfterSeconds: 2 });
      if ((await sessions.running(access.therapistId)) === null) throw new Problem('no_live_session');
      const { as, therapistId, personId } = access;
      const member: Member = { as, therapistId, personId, firefox, signIn };
      const there = isElsewhere(therapistId)
        ? await shared?.ask(therapistId, { kind: 'cap', as, personId, firefox })
        : undefined;
      // Another node has an engine that carries the room already; one that is silent may be back when the page
      // connects.
      if ((there === undefined || there === 'nobody') && !engine.ready()) throw new Problem('video_unavailable');
      const { settings } = await state(therapistId);
      return {
        ticket: shared === null ? tickets.issue(member) : await shared.issueTicket(member),
        expiresInSeconds: TICKET_SECONDS,
        room: therapistId,
        iceServers: iceServersOf(config.turn),
        bitrate:
          typeof there === 'object'
            ? (there.value as number)
            : rooms.capOf(rooms.find(therapistId), member, settings.highQuality),
        settings,
      };
    },
    async setSettings(therapistId, changed) {
      const { settings, settled } = await room.inOrder(therapistId, async () => {
        const written = await writeSettings(db, therapistId, changed);
        if (rooms.find(therapistId) === undefined && !isElsewhere(therapistId)) await announceState(therapistId);
        return { settings: written, ...rooms.applySettings(therapistId, written) };
      });
      // Outside the room's order: a slow engine must not hold up the field.
      await settled;
      if (isElsewhere(therapistId)) await tellFacts(therapistId);
      return settings;
    },
    async setStage(therapistId, clientIds) {
      const { stage, settled } = await room.inOrder(therapistId, async () => {
        if ((await sessions.running(therapistId)) === null) throw new Problem('no_live_session');
        const people = await clients.people(therapistId);
        const isWanted = ({ id, roles }: Person) =>
          clientIds === 'withRole' ? roles.length > 0 : (clientIds?.includes(id) ?? false);
        const wanted = clientIds && people.filter(isWanted).map(({ id }) => id);
        if (Array.isArray(clientIds) && clientIds.length > 0 && wanted?.length === 0) throw new Problem('not_found');
        await writeStage(db, therapistId, wanted);
        if (rooms.find(therapistId) === undefined && !isElsewhere(therapistId)) await announceState(therapistId);
        return { stage: wanted, ...rooms.applyPeople(therapistId, { stage: wanted }) };
      });
      await settled;
      if (isElsewhere(therapistId)) await tellFacts(therapistId);
      return { stage };
    },
    async mute(therapistId, clientIds) {
      const there = isElsewhere(therapistId) ? await shared?.ask(therapistId, { kind: 'mute', clientIds }) : undefined;
      if (there === 'lost') throw new Problem('video_unavailable');
      const muted = typeof there === 'object' ? (there.value as number[]) : await muteHere(therapistId, clientIds);
      for (const id of muted) room.tell(id, { eventType: 'VIDEO_ASK', contents: { ask: 'muted' } });
    },
    async ask(therapistId, clientId) {
      await getClient(therapistId, clientId);
      room.tell(clientId, { eventType: 'VIDEO_ASK', contents: { ask: 'unmute' } });
    },
    state: stateInOrder,
    stateFor: (therapistId, personId) =>
      isElsewhere(therapistId) ? stateFromElsewhere(therapistId, personId) : stateInOrder(therapistId),
    setNetworkQuality({ therapistId, personId }, quality) {
      if (isElsewhere(therapistId)) shared?.tell(therapistId, { kind: 'quality', personId, quality });
      else rooms.setNetworkQuality(therapistId, personId, quality);
    },
    async passKey(access, { to, ...key }) {
      if (!keyAllowance.take(access.personId, KEYS[access.as]))
        throw new Problem('too_many_requests', { retryAfterSeconds: 2 });
      if (access.as === 'client' ? to !== access.therapistId : to === access.therapistId)
        throw new Problem('forbidden');
      if (access.as === 'therapist') await getClient(access.therapistId, to);
      room.tell(to, { eventType: 'VIDEO_KEY', contents: { ...key, from: access.personId } });
    },
    handleUpgrade: gateway.handleUpgrade,
    // The room of an account is its own.
    closeSignIn(accountId, tokenHash) {
      endSignIn(tokenHash);
      shared?.forgetTickets({ signIn: tokenHash });
      if (isElsewhere(accountId)) shared?.tell(accountId, { kind: 'signIn', tokenHash: tokenHash.toString('hex') });
    },
    closePerson(personId) {
      endPerson(personId);
      shared?.forgetTickets({ people: [personId] });
      if (isElsewhere(personId)) shared?.tell(personId, { kind: 'person', personId });
    },
    mediaFlows: (therapistId, on) => (shared === null ? rooms.mediaFlow(therapistId) : shared.flows(therapistId, on)),
    checkMembers,
    keep: async () => shared?.keep(),
    tidy: async () => shared?.tidy(),
    async leave(overMs) {
      gateway.stopTaking();
      await shared?.leave(overMs);
      gateway.sendAway();
    },
    stats: async () => ({
      ...(await engine.stats()),
      connections: gateway.count(),
      links: shared?.links() ?? 0,
      ready: engine.ready(),
    }),
    async stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await gateway.stop();
      await shared?.stop();
      await engine.stop();
    },
  };
}
