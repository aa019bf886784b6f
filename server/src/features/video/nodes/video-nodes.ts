/**
 * The video of rooms among several nodes: one has a room, by a row of `video_owners`, and the others lead to it
 * (docs/decisions/0024-several-nodes-over-postgresql-and-redis.md). A service of one node makes none of this.
 *
 * Invariants
 *  1. Nobody joins on a node that does not have the room by the database.
 *  2. A node looks every two seconds which rooms it has by the database, and closes the video of others. One that hears
 *     neither database nor Redis closes all.
 *  3. A ticket goes over no network but to its own page: tables and messages have its hash.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Bus } from '../../../platform/nodes/bus.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/db.ts';
import { sparing } from '../../../platform/monitoring/log.ts';
import type { Nodes } from '../../../platform/nodes/nodes.ts';
import { forEachInTurn } from '../../../platform/small.ts';
import type { Room } from '../../room/index.ts';
import type { HandedOver } from '../gateway/rooms.ts';
import type { Elsewhere } from '../gateway/routed-connection.ts';
import type { Member } from '../members/tickets.ts';
import { createLinks, type Link, type LinkEnd } from './links.ts';
import type { Order, ServiceOrder } from './orders.ts';
import * as store from './video-nodes.store.ts';

interface VideoNodesParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly nodes: Pick<Nodes, 'living' | 'mayLive' | 'allHear' | 'onGone'>;
  /** The name of this node. */
  readonly node: string;
  readonly room: Pick<Room, 'stampsOfAll'>;
  /** Whether this node can carry a room. */
  isReady(): boolean;
  /** Takes a page of another node. Returns what hears it; null when the link was closed. */
  accept(link: Link): LinkEnd | null;
  /** This node has the room from now on. */
  taken(therapistId: number): void;
  /** Carries out an order to a room that this node has. */
  carryOut(therapistId: number, order: ServiceOrder): Promise<unknown>;
  /** This node has the room no longer: closes its video, after which pages connect again. */
  close(therapistId: number): void;
  /** Nobody has the room now: tells it so. */
  tellNobodyHas(therapistId: number): Promise<void>;
  /** Checks the people who are connected: they may have lost the right to it. */
  checkMembers(): Promise<void>;
  /** What the next node would have to know of a room of this one; null before somebody has joined. */
  toHandOver(therapistId: number): HandedOver | null;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

export interface VideoNodes extends Elsewhere {
  /** Whether this node has the room, from memory. */
  isMine(therapistId: number): boolean;
  /** The same by the database. */
  isStillMine(therapistId: number): Promise<boolean>;
  issueTicket(member: Member): Promise<string>;
  takeTicket(hash: Buffer): Promise<Member | null>;
  /** Voids tickets in the background: people who show one are checked anyway. */
  forgetTickets(whose: { people?: readonly number[]; signIn?: Buffer | null }): void;
  /** Gives an order to the node that has the room and waits. `nobody` has it; `lost`: that node is silent. */
  ask(therapistId: number, order: Order): Promise<{ value: unknown } | 'nobody' | 'lost'>;
  /** The same without waiting. */
  tell(therapistId: number, order: Order): void;
  /** Which node has the room; null for none that may live. */
  find(therapistId: number): Promise<string | null>;
  /** Whether somebody sends sound or picture, as of the last look of the node that has the room. */
  flows(therapistId: number, on?: Queryable): Promise<boolean>;
  /** What the node before wrote of a room that this one has now. */
  handedOver(therapistId: number): Promise<HandedOver | null>;
  /**
   * Writes at once what the next node has to know; the next look makes up for a failure. Returns false when that is not
   * possible any more, as this node has the room no longer.
   */
  note(therapistId: number): Promise<boolean>;
  /** Part of the transaction that ends the live session. */
  endWithin(tx: Tx, therapistId: number): Promise<void>;
  /** After its commit: this node has the room no longer. */
  ended(therapistId: number): void;
  /** Every two seconds: whether this node still has its rooms; what was set in them follows in the background. */
  keep(): Promise<void>;
  /** Now and then. */
  tidy(): Promise<void>;
  /** Hands all rooms over to the nodes that stay, one after the other; takes none any more. */
  leave(overMs: number): Promise<void>;
  stop(): Promise<void>;
  /** Pages of other nodes here, and pages of ours elsewhere. */
  links(): number;
}

type OwnedRows = Awaited<ReturnType<typeof store.readOwned>>;

interface Owned {
  /** Ends hearing orders. */
  readonly deafen: () => void;
  /** What was set when it was last looked at; null before. */
  seen: string | null;
}

/** Another node may have a room of this one after this time without Redis and without an answer of the database. */
const BLIND_MS = 5_000;
/** How long a page waits for the room of a node that cannot be reached, and how often it is looked for. */
const PATIENCE_MS = 7_000;
const TAKE_EVERY_MS = 250;
const TAKE_EVERY_MS_WITHOUT_REDIS = 1_000;
const TICKET = /^[\w-]{43}$/;

/** Makes the sharing of rooms between this node and the others. */
export function createVideoNodes({
  db,
  bus,
  nodes: { living, mayLive, allHear, onGone },
  node,
  room,
  isReady,
  accept,
  taken,
  carryOut,
  close,
  tellNobodyHas,
  checkMembers,
  toHandOver,
  log,
}: VideoNodesParts): VideoNodes {
  const mine = new Map<number, Owned>();
  const unavailable = sparing((fields, message) => log.warn(fields, message));
  /** When the database last said which rooms this node has (process clock). */
  let keptAt = performance.now();
  /** Members may have to go of whom this node was not told. */
  let mayHaveMissed = false;
  /**
   * What follows from a look takes time, because engines do; the next look at which rooms this node has must not wait
   * for it.
   */
  let following: Promise<void> | null = null;
  let leaving = false;
  let stopped = false;

  const links = createLinks({
    bus,
    node,
    accept(link, therapistId) {
      if (mine.has(therapistId)) return accept(link);
      link.close(1012, 'another node has the room');
      void find(therapistId)
        .then((found) => {
          // Taken just when the live session before ended here.
          if (found === node && !leaving) have(therapistId);
        })
        .catch(() => {});
      return null;
    },
    carryOut: (therapistId, order) =>
      order.kind === 'taken' ? takenElsewhere(therapistId) : carryOut(therapistId, order),
    missed(therapistId) {
      mayHaveMissed = true;
      for (const [id, owned] of mine) if (therapistId === null || therapistId === id) owned.seen = null;
    },
    log,
  });

  /** This node has the room from now on. */
  function have(therapistId: number): void {
    if (mine.has(therapistId)) return;
    mine.set(therapistId, { deafen: links.hear(therapistId), seen: null });
    taken(therapistId);
  }
  function lose(therapistId: number): void {
    const owned = mine.get(therapistId);
    if (owned === undefined) return;
    mine.delete(therapistId);
    owned.deafen();
    close(therapistId);
  }
  function loseToAnother(therapistId: number): void {
    log.info({}, 'another node has a room of this one; its video is closed here');
    lose(therapistId);
  }
  /** Another node says that it has the room. While this node cannot ask the database, it believes that. */
  async function takenElsewhere(therapistId: number): Promise<void> {
    const isMine = await find(therapistId).then(
      (found) => found === node,
      () => false,
    );
    if (!isMine && mine.has(therapistId)) loseToAnother(therapistId);
  }
  async function note(therapistId: number): Promise<boolean> {
    if (!mine.has(therapistId)) return false;
    const facts = toHandOver(therapistId);
    return facts === null || store.writeHandedOver(db, therapistId, node, facts);
  }
  /** Gives a room back. */
  async function release(therapistId: number): Promise<void> {
    await note(therapistId);
    await store.releaseRoom(db, therapistId, node);
    lose(therapistId);
  }

  const find = async (therapistId: number) => (await store.findOwner(db, therapistId, mayLive()))?.nodeId ?? null;

  /** The node that has the room, this one if no other has it and it can; null where nobody can. */
  async function take(therapistId: number): Promise<string | null> {
    if (leaving || !isReady()) {
      const found = await find(therapistId);
      if (found !== node) return found;
      if (!leaving) await release(therapistId);
      return null;
    }
    const got = await store.takeRoom(db, therapistId, node, mayLive());
    if (got === null) return find(therapistId);
    if (!got.isFirst && !mine.has(therapistId)) links.tell(therapistId, { kind: 'taken' });
    have(therapistId);
    // Orders that others give from now on are heard.
    await bus.ready();
    return node;
  }

  onGone((gone) => {
    links.lose(gone);
    void store
      .removeRoomsOf(db, gone, living)
      .then((rooms) => forEachInTurn(rooms, tellNobodyHas))
      .catch((error: unknown) => unavailable({ err: error }, 'rooms with video of dead nodes could not be released'));
  });

  /** Closes the rooms that this node has no longer by the database. Returns those that it has. */
  async function checkOwned(): Promise<OwnedRows> {
    const ids = [...mine.keys()];
    const found = ids.length > 0 ? await store.readOwned(db, node, ids) : [];
    keptAt = performance.now();
    const kept = new Set(found.map(({ therapistId }) => therapistId));
    for (const id of ids) if (!kept.has(id)) loseToAnother(id);
    return found;
  }

  /** What was set in these rooms, and by whom they are seen: changes of it that were not told show here. */
  async function look(found: OwnedRows): Promise<void> {
    if (found.length === 0) return;
    const stamps = await room.stampsOfAll(found.map(({ therapistId }) => therapistId));
    await forEachInTurn(found, async ({ therapistId, written, settings }) => {
      const owned = mine.get(therapistId);
      if (owned === undefined) return;
      const seen = `${stamps.get(therapistId)?.usersUpdatedOn} ${settings}`;
      if (owned.seen !== seen) {
        await carryOut(therapistId, { kind: 'people', gone: [] });
        owned.seen = seen;
      }
      const now = toHandOver(therapistId);
      if (now !== null && !isDeepStrictEqual(now, written)) await note(therapistId);
    });
  }

  /** Tried again when it fails. */
  async function lookAtMembers(): Promise<void> {
    const before = mayHaveMissed;
    mayHaveMissed = false;
    try {
      await checkMembers();
    } catch (error) {
      mayHaveMissed ||= before;
      throw error;
    }
  }

  async function follow(found: OwnedRows): Promise<void> {
    try {
      await look(found);
    } finally {
      if (!bus.isWhole() || !allHear() || mayHaveMissed) await lookAtMembers();
    }
  }

  return {
    isMine: (therapistId) => mine.has(therapistId),
    isStillMine: async (therapistId) => mine.has(therapistId) && (await find(therapistId)) === node,
    issueTicket: (member) => store.issueTicket(db, member),
    takeTicket: (hash) => store.takeTicket(db, hash),
    forgetTickets: (whose) =>
      void store
        .removeTickets(db, whose)
        .catch((error: unknown) => unavailable({ err: error }, 'video tickets could not be removed')),

    async route(ticket, hash) {
      const therapistId = TICKET.test(ticket) ? await store.findTicket(db, hash) : null;
      if (therapistId === null) return { to: 'here' };
      const until = performance.now() + PATIENCE_MS;
      // Without Redis this may take long, and be so for many.
      for (; ; await wait(bus.isWhole() ? TAKE_EVERY_MS : TAKE_EVERY_MS_WITHOUT_REDIS)) {
        const found = await take(therapistId);
        if (found === node) return { to: 'here' };
        if (found !== null && (await links.reaches(found))) return { to: 'node', node: found, therapistId };
        // A node that has died keeps its rooms until its last sign of life is old enough.
        if (found === null || performance.now() > until) return { to: 'nowhere' };
      }
    },
    connect: links.connect,

    async ask(therapistId, order) {
      if ((await find(therapistId)) === null) return 'nobody';
      const answer = await links.ask(therapistId, order);
      return answer === null ? 'lost' : { value: answer.value };
    },
    tell: links.tell,
    find,
    flows: async (therapistId, on = db) =>
      mine.has(therapistId)
        ? (toHandOver(therapistId)?.flows ?? false)
        : ((await store.findOwner(on, therapistId, mayLive()))?.flows ?? false),

    handedOver: (therapistId) => store.readHandedOver(db, therapistId),
    note: (therapistId) =>
      note(therapistId).catch((error: unknown) => {
        unavailable({ err: error }, 'what another node would have to know of a room with video could not be written');
        return true;
      }),
    endWithin: (tx, therapistId) => store.removeOfRoom(tx, therapistId),
    ended(therapistId) {
      mine.get(therapistId)?.deafen();
      mine.delete(therapistId);
    },

    async keep() {
      try {
        const found = await checkOwned();
        following ??= follow(found)
          .catch((error: unknown) => unavailable({ err: error }, 'rooms with video could not be looked at'))
          .finally(() => (following = null));
      } catch (error) {
        if (!bus.isWhole() && performance.now() - keptAt > BLIND_MS) for (const id of [...mine.keys()]) lose(id);
        throw error;
      }
    },
    tidy: () => store.removeOldTickets(db),

    async leave(overMs) {
      leaving = true;
      const rooms = [...mine.keys()];
      for (const [at, therapistId] of rooms.entries()) {
        if (at > 0) await wait(overMs / rooms.length);
        if (stopped) return;
        try {
          await release(therapistId);
          await tellNobodyHas(therapistId);
        } catch (error) {
          unavailable({ err: error }, 'a room with video could not be handed over');
        }
      }
    },
    async stop() {
      leaving = true;
      stopped = true;
      links.stop();
      for (const { deafen } of mine.values()) deafen();
      mine.clear();
    },
    links: links.count,
  };
}
