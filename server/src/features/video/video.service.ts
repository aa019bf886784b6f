/** Video: who may connect, the room's settings, and what the room is told. The numbered rules are in README.md. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Person } from '@fieldroom/contract/clients';
import type { BodyOf, ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '@fieldroom/contract/problems';
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
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Clients } from '../clients/index.ts';
import type { Publish, Room } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { createGateway, type GatewayLimits, type GatewayParts } from './gateway/gateway.ts';
import { createRooms, type RoomFacts, type VideoRoom } from './gateway/rooms.ts';
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
   * from it. Who of the list is not in the room is left out. Problems: `no_live_session`, `not_found` when nobody is left.
   */
  setStage(therapistId: number, clientIds: BodyOf<typeof setStage>['clientIds']): Promise<ReplyOf<typeof setStage>>;
  /** Mutes those of them who take part; resolves when nobody hears them any more. */
  mute(therapistId: number, clientIds: BodyOf<typeof muteClients>['clientIds']): Promise<void>;
  /** Problem: `not_found`. */
  ask(therapistId: number, clientId: number): Promise<void>;
  /** The complete state of the room's video (VIDEO_STATE). Never call it from inside an act on the room. */
  state(therapistId: number): Promise<VideoState>;
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
  closeSignIn(tokenHash: Buffer): void;
  /** Whether anybody in the room sends sound or picture, from memory. */
  mediaFlows(therapistId: number): boolean;
  /** Every minute: closes connections whose membership has ended, in case the message about it was lost. */
  checkMembers(): Promise<void>;
  stats(): Promise<EngineStats & { connections: number; ready: boolean }>;
  stop(): Promise<void>;
}

export interface VideoParts {
  db: Db;
  room: Room;
  publish: Publish;
  clients: Clients;
  sessions: Sessions;
  engine: VideoEngine;
  /** Whether the service may have other nodes. */
  isShared?: boolean;
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
  isShared = false,
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
    changed: (therapistId) => soon(`state ${therapistId}`, () => void announceInOrder(therapistId)),
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

  /** What the database has of a room. Who is not in the room any more is not on stage. */
  async function stored(therapistId: number): Promise<RoomFacts> {
    const [{ settings, stage }, people] = await Promise.all([readRoom(db, therapistId), clients.people(therapistId)]);
    return {
      settings,
      stage: stage && people.flatMap(({ id }) => (stage.includes(id) ? [id] : [])),
      selected: people.find(({ selected }) => selected)?.id ?? null,
    };
  }

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
   * The state as it is between two acts on the room. A room that nobody's video has opened is read from the database, and
   * what is read there before an act must not be told after it.
   */
  async function stateInOrder(therapistId: number): Promise<VideoState> {
    const known = rooms.find(therapistId);
    return known === undefined ? room.inOrder(therapistId, () => state(therapistId)) : rooms.state(known);
  }
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
      async () => rooms.find(therapistId) ?? rooms.open(therapistId, await stored(therapistId)),
    );

  async function open(member: Member, listener: (event: EngineEvent) => void): Promise<EngineSession> {
    if (!(await holds(member))) throw new Problem('forbidden');
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

  const gateway = createGateway({
    rooms,
    take: (ticket) => tickets.take(ticket),
    open,
    log,
    ...(addressOf ? { addressOf } : {}),
    ...(limits ? { limits } : {}),
  });

  function closeWhere(which: (member: Member) => boolean, reason: string): void {
    tickets.forget(which);
    gateway.close(which, reason);
  }

  clients.onPeopleChanged(({ therapistId, gone }) => {
    if (gone.length > 0) {
      closeWhere(({ as, personId }) => as === 'client' && gone.includes(personId), 'left the room');
      for (const id of gone) rooms.forgetPerson(therapistId, id);
    }
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
    afterCommit(async () => {
      closeWhere((member) => member.therapistId === therapistId, 'the live session is over');
      rooms.forget(therapistId);
      await announceState(therapistId);
      // Not awaited: the live session ends whatever the engine does.
      void engine
        .closeRoom(therapistId)
        .catch((error: unknown) => log.error({ err: error }, 'a room of the engine could not be ended'));
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
      // In a call on two nodes people would not see each other (docs/decisions/0024-several-nodes-over-postgresql-and-redis.md).
      if (isShared || !engine.ready()) throw new Problem('video_unavailable');
      const member: Member = {
        as: access.as,
        therapistId: access.therapistId,
        personId: access.personId,
        firefox,
        signIn,
      };
      const { settings } = await state(access.therapistId);
      return {
        ticket: tickets.issue(member),
        expiresInSeconds: TICKET_SECONDS,
        room: access.therapistId,
        iceServers: iceServersOf(config.turn),
        bitrate: rooms.capOf(rooms.find(access.therapistId), member, settings.highQuality),
        settings,
      };
    },
    async setSettings(therapistId, changed) {
      const { settings, settled } = await room.inOrder(therapistId, async () => {
        const written = await writeSettings(db, therapistId, changed);
        if (rooms.find(therapistId) === undefined) await announceState(therapistId);
        return { settings: written, ...rooms.applySettings(therapistId, written) };
      });
      // Outside the room's order: a slow engine must not hold up the field.
      await settled;
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
        if (rooms.find(therapistId) === undefined) await announceState(therapistId);
        return { stage: wanted, ...rooms.applyPeople(therapistId, { stage: wanted }) };
      });
      await settled;
      return { stage };
    },
    async mute(therapistId, clientIds) {
      const muted = await rooms.mute(therapistId, clientIds);
      for (const id of muted) room.tell(id, { eventType: 'VIDEO_ASK', contents: { ask: 'muted' } });
    },
    async ask(therapistId, clientId) {
      await getClient(therapistId, clientId);
      room.tell(clientId, { eventType: 'VIDEO_ASK', contents: { ask: 'unmute' } });
    },
    state: stateInOrder,
    setNetworkQuality: (access, quality) => rooms.setNetworkQuality(access.therapistId, access.personId, quality),
    async passKey(access, { to, ...key }) {
      if (!keyAllowance.take(access.personId, KEYS[access.as]))
        throw new Problem('too_many_requests', { retryAfterSeconds: 2 });
      if (access.as === 'client' ? to !== access.therapistId : to === access.therapistId)
        throw new Problem('forbidden');
      if (access.as === 'therapist') await getClient(access.therapistId, to);
      room.tell(to, { eventType: 'VIDEO_KEY', contents: { ...key, from: access.personId } });
    },
    handleUpgrade: gateway.handleUpgrade,
    closeSignIn: (tokenHash) => closeWhere(({ signIn }) => signIn?.equals(tokenHash) ?? false, 'signed out'),
    closePerson: (personId) => closeWhere((member) => member.personId === personId, 'signed out'),
    mediaFlows: rooms.mediaFlow,
    async checkMembers() {
      for (const member of gateway.members()) {
        if (!(await holds(member)))
          closeWhere(
            (other) => other.personId === member.personId && isSameSignIn(other, member),
            'no member any more',
          );
      }
    },
    stats: async () => ({ ...(await engine.stats()), connections: gateway.count(), ready: engine.ready() }),
    async stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await gateway.stop();
      await engine.stop();
    },
  };
}
