/**
 * A room with a field for tests: the real room, live sessions and clients on a real database. It records what is
 * published.
 */
import { sql } from 'drizzle-orm';
import { randomBytes, randomUUID } from 'node:crypto';
import type { FieldAct, FieldCopy } from '@fieldroom/contract/field';
import { applyChange } from '@fieldroom/contract/field';
import type { ProblemCode } from '@fieldroom/contract/problems';
import { Problem } from '../../platform/problem.ts';
import type { Change } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../access.ts';
import type { Sender } from '../../realtime/channel.ts';
import { createDispatch } from '../../realtime/dispatch.ts';
import { aTherapist } from '../../builders/accounts.builders.ts';
import type { TestPlatform } from '../../../tests/support/test-app.ts';
import { newJoinLink } from '../accounts/index.ts';
import { createClients } from '../clients/index.ts';
import { clients as clientRows } from '../clients/clients.tables.ts';
import { findFigures } from '../constellations/constellations.store.ts';
import { StompRefusal } from '../../platform/realtime/stomp-types.ts';
import { createMoments, type Moments } from '../moments/index.ts';
import { createRoom } from '../room/index.ts';
import { createSessions } from '../sessions/index.ts';
import { createField } from './index.ts';
import type { Scheduler } from './lane/field.lane.scheduler.ts';

interface Sent {
  to: string;
  lane: 'stored' | 'volatile';
  change: Change;
}

/**
 * One process of the service. Takes the platform, which several may share, and the scheduler if a test moves real time.
 * Sends stamps only if the test asks for them.
 */
export function aNode(platform: TestPlatform, scheduler?: Scheduler, { stampsAfterMs = 3_600_000 } = {}) {
  const { db, files, limits, clock, config, secrets } = platform;
  const sent: Sent[] = [];
  const log = {
    warn: (fields: object, message: string) => faults.push({ fields, message }),
    error: (fields: object, message: string) => faults.push({ fields, message }),
  };
  const faults: { fields: object; message: string }[] = [];
  const room = createRoom({
    db,
    publish: (to, change, { lane }) => void sent.push({ to, lane, change: structuredClone(change) }),
    log,
    stampsAfterMs,
  });
  const sessions = createSessions({ db, room, fieldAtEnd: (tx, therapistId) => field.snapshot(therapistId, tx) });
  const clients = createClients({
    db,
    room,
    sessions,
    limits,
    clock,
    config,
    secrets,
    connections: { close() {}, leaveRoom() {} },
    renewJoinLink: async () => newJoinLink(),
    hideTexts: async () => {},
  });
  const field = createField({
    db,
    room,
    clients,
    files,
    limits,
    uploadLimit: config.limits.uploads,
    log,
    therapistName: async () => 'Judit',
    findConstellation: findFigures,
    momentFigures: (tx, therapistId, momentId) => moments.figuresToGoBackTo(tx, therapistId, momentId),
    scheduler,
  });
  const moments: Moments = createMoments({ db, room, sessions, field });
  sessions.onHere(field.therapistHere);
  const dispatch = createDispatch({ channels: [field.channel], log, waitMs: config.databaseTimeoutMs });
  return {
    room,
    sessions,
    clients,
    field,
    sent,
    faults,
    /** Hands a message to the field's channel, as from a connection with this access. */
    async send(access: RoomAccess, destination: string, body: unknown) {
      const principal = { id: access.personId };
      const sender = {
        principal,
        access: async () => access,
        knownAccess: () => access,
        tell: (change) => void sent.push({ to: 'this connection', lane: 'stored', change: structuredClone(change) }),
      } as Sender;
      const message = { destination, text: () => JSON.stringify(body) };
      try {
        await dispatch.handle(message, sender);
      } catch (refused) {
        if (!(refused instanceof StompRefusal)) throw refused;
        dispatch.refuse(refused, message, sender);
      }
    },
    async stop() {
      field.stop();
      await room.stop();
    },
  };
}
export type Node = ReturnType<typeof aNode>;

/** A client in the room, as after entering and admission. */
async function inRoom(
  platform: TestPlatform,
  therapistId: number,
  liveSessionId: number,
  name: string,
): Promise<RoomAccess & { as: 'client' }> {
  const [row] = await platform.db
    .insert(clientRows)
    .values({
      therapistId,
      liveSessionId,
      name,
      tokenHash: randomBytes(32),
      state: 'in',
      enteredBy: 'link',
      admittedAt: sql`product_now()`,
    })
    .returning({ id: clientRows.id });
  return { as: 'client', therapistId, personId: row!.id, name };
}

/** A therapist's room with a running live session and clients in it. */
export async function aRoom(platform: TestPlatform, node: Node, names: readonly string[] = ['Ada', 'Béla']) {
  const account = await aTherapist(platform.db);
  const liveSession = await node.sessions.open(account.id);
  const connection = {};
  await node.sessions.therapistJoined(account.id, connection);
  const therapist: RoomAccess = { as: 'therapist', therapistId: account.id, personId: account.id };
  const people = [];
  for (const name of names) people.push(await inRoom(platform, account.id, liveSession.id, name));
  const therapistId = account.id;
  return {
    account,
    therapistId,
    therapist,
    clients: people,
    liveSession,
    /** The therapist's connection drops or returns. */
    leave: () => node.sessions.therapistLeft(therapistId, connection),
    comeBack: () => node.sessions.therapistJoined(therapistId, connection),
    /** Acts. Returns the id of the act. */
    async act(who: RoomAccess, act: FieldAct, actId: string = randomUUID()) {
      const known = act.kind === 'undo' ? act : (act as Exclude<FieldAct, { kind: 'undo' }>);
      await node.field.act(who, actId, known);
      return actId;
    },
    /** Returns the code of the problem, or `done`. */
    async tried(who: RoomAccess, act: FieldAct, actId: string = randomUUID()): Promise<ProblemCode | 'done'> {
      try {
        await node.field.act(who, actId, act as Exclude<FieldAct, { kind: 'undo' }>);
        return 'done';
      } catch (error) {
        if (error instanceof Problem) return error.code;
        throw error;
      }
    },
    snapshot: () => node.field.snapshot(therapistId),
    /** Returns the field with its revision, as a browser that joins now gets it. */
    async copy(): Promise<FieldCopy> {
      const { contents, participantsUpdatedOn } = await node.field.playersValue(therapistId);
      return { ...contents, revision: participantsUpdatedOn };
    },
    /** Held figures by client; the active one has a star. */
    async roles(): Promise<Record<string, string[]>> {
      const held = [...(await node.clients.rolesOf(therapistId))].filter(([, roles]) => roles.length > 0);
      return Object.fromEntries(
        held.map(([id, roles]) => [id, roles.map((role) => `${role.figureId}${role.active ? '*' : ''}`).toSorted()]),
      );
    },
  };
}
export type TestRoom = Awaited<ReturnType<typeof aRoom>>;

/** Applies the room's messages to a copy; throws on a gap. */
export function replay(copy: FieldCopy, changes: readonly Change[]): FieldCopy {
  let field = copy;
  for (const change of changes) {
    if (change.eventType !== 'PLAYER_CHANGE') continue;
    const applied = applyChange(field, change.contents);
    if (applied.kind === 'gap') throw new Error(`a gap before revision ${change.contents.revision}`);
    if (applied.kind === 'applied') field = applied.field;
  }
  return field;
}
