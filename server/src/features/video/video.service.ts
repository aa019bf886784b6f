/**
 * The video of all rooms: joins its parts, and carries out what therapists and clients ask for. The numbered rules are
 * in README.md. Who may connect: members/. What the room is told: video.announcements.ts.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Person } from '@fieldroom/contract/clients';
import type { BodyOf, ReplyOf } from '@fieldroom/contract/http';
import type {
  muteClients,
  NetworkQuality,
  setStage,
  setVideoSettings,
  VideoKeyMessage,
  VideoState,
} from '@fieldroom/contract/video';
import type { RoomAccess } from '../../access.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Queryable } from '../../platform/db/db.ts';
import { type Bus, createLocalBus } from '../../platform/nodes/bus.ts';
import { createLoneNode, type Nodes } from '../../platform/nodes/nodes.ts';
import { Problem } from '../../platform/problem.ts';
import type { Clients } from '../clients/index.ts';
import type { Publish, Room } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { createGateway, type GatewayLimits, type GatewayParts } from './gateway/gateway.ts';
import { createRooms } from './gateway/rooms.ts';
import { type Admission, createAdmission } from './members/admission.ts';
import { createAllowance } from './members/allowance.ts';
import { createEnds } from './members/ends.ts';
import { createTickets } from './members/tickets.ts';
import { createCarryOut } from './nodes/carry-out.ts';
import { createVideoNodes, type VideoNodes } from './nodes/video-nodes.ts';
import { createAnnouncements } from './video.announcements.ts';
import { createFacts } from './video.facts.ts';
import { writeSettings, writeStage } from './video.store.ts';
import type { EngineStats, VideoEngine } from './video.types.ts';

export interface Video extends Pick<Admission, 'ticket'> {
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
  // ---- the parts

  const tickets = createTickets();
  const keyAllowance = createAllowance();
  const facts = createFacts({ db, clients });
  const rooms = createRooms({
    log,
    changed: (therapistId) => announcements.announceSoon(therapistId),
    talkingChanged: (therapistId) => announcements.announceTalkingSoon(therapistId),
    started: (therapistId) => announcements.announceOffer(therapistId),
  });
  const shared: VideoNodes | null =
    nodes.id === null
      ? null
      : createVideoNodes({
          ...{ db, bus, nodes, node: nodes.id, room, log, checkMembers },
          isReady: () => engine.ready(),
          accept: (link) => gateway.accept(link),
          carryOut: (therapistId, order) => carryOut(therapistId, order),
          // What was known here of an earlier time may be old.
          taken: rooms.forget,
          close(therapistId) {
            gateway.close((member) => member.therapistId === therapistId, 'connect again', 1012);
            rooms.forget(therapistId);
            ends.closeInEngine(therapistId);
          },
          async tellNobodyHas(therapistId) {
            if ((await shared!.find(therapistId)) === null) await announcements.announceInOrder(therapistId);
          },
          toHandOver: rooms.toHandOver,
        });
  /** Another node may have the room; if this one had it, it would know. */
  const isElsewhere = (therapistId: number) => shared !== null && !shared.isMine(therapistId);
  const announcements = createAnnouncements({ rooms, facts, room, publish, isElsewhere, gatherMs, log });
  const admission = createAdmission({
    ...{ rooms, facts, announcements, engine, tickets, shared, isElsewhere },
    ...{ room, clients, sessions, isSignedIn, config },
  });
  const gateway = createGateway({
    rooms,
    take: admission.take,
    open: admission.open,
    log,
    ...(shared === null ? {} : { elsewhere: shared }),
    ...(addressOf ? { addressOf } : {}),
    ...(limits ? { limits } : {}),
  });
  const ends = createEnds({ gateway, rooms, tickets, engine, admission, shared, log });
  const carryOut = createCarryOut({ room, rooms, facts, announcements, ends, mute: muteHere });

  // ---- rooms of other nodes

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
    if ((await shared?.ask(therapistId, { kind: 'facts' })) === 'nobody')
      await announcements.announceInOrder(therapistId);
  }

  /** Has the node of the room tell its state to somebody who has come here. Returns it where no node does. */
  async function stateFromElsewhere(therapistId: number, personId: number): Promise<VideoState | null> {
    const there = await shared?.ask(therapistId, { kind: 'tellState', personId });
    return typeof there === 'object' ? null : announcements.stateInOrder(therapistId);
  }

  // ---- what follows when people come and go

  function checkMembers(): Promise<void> {
    return ends.dropFormer(() => true);
  }

  clients.onPeopleChanged(({ therapistId, gone }) => {
    if (gone.length > 0) shared?.forgetTickets({ people: gone });
    if (isElsewhere(therapistId)) shared?.tell(therapistId, { kind: 'people', gone });
    ends.endClients(therapistId, gone);
    if (rooms.find(therapistId) === undefined) return;
    // Run after the act that reported the change, and read what it wrote.
    void room
      .inOrder(therapistId, async () => {
        const { selected, stage } = await facts.read(therapistId);
        return rooms.applyPeople(therapistId, { selected, stage }).settled;
      })
      .catch((error: unknown) => log.error({ err: error }, 'who is selected or on stage could not be read'));
  });
  sessions.onEnding(async (tx, { therapistId }, afterCommit) => {
    await writeStage(tx, therapistId, null);
    await shared?.endWithin(tx, therapistId);
    afterCommit(async () => {
      if (isElsewhere(therapistId)) shared?.tell(therapistId, { kind: 'ended' });
      ends.endConnections(therapistId);
      await announcements.announceState(therapistId);
      ends.closeInEngine(therapistId);
    });
  });

  // ---- the acts

  async function getClient(therapistId: number, clientId: number): Promise<void> {
    if (clients.roomAccessOf(await clients.seatOf(clientId), therapistId) === null) throw new Problem('not_found');
  }

  return {
    ticket: admission.ticket,
    async setSettings(therapistId, changed) {
      const { settings, settled } = await room.inOrder(therapistId, async () => {
        const written = await writeSettings(db, therapistId, changed);
        if (rooms.find(therapistId) === undefined && !isElsewhere(therapistId))
          await announcements.announceState(therapistId);
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
        if (rooms.find(therapistId) === undefined && !isElsewhere(therapistId))
          await announcements.announceState(therapistId);
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
    state: announcements.stateInOrder,
    stateFor: (therapistId, personId) =>
      isElsewhere(therapistId) ? stateFromElsewhere(therapistId, personId) : announcements.stateInOrder(therapistId),
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
      ends.endSignIn(tokenHash);
      shared?.forgetTickets({ signIn: tokenHash });
      if (isElsewhere(accountId)) shared?.tell(accountId, { kind: 'signIn', tokenHash: tokenHash.toString('hex') });
    },
    closePerson(personId) {
      ends.endPerson(personId);
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
      announcements.stop();
      await gateway.stop();
      await shared?.stop();
      await engine.stop();
    },
  };
}
