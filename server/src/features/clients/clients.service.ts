/**
 * People without an account. This module joins the lobby, the seats, the views and the announcements, and holds what
 * concerns the room as a whole: its settings, hands, roles and the live session. The numbered rules are in README.md.
 */
import { Problem } from '../../platform/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { createLoneNode, type Nodes } from '../../platform/nodes/nodes.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { NO_OTHER_NODES, type Room, type RoomNodes } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { createAnnouncements, NOTICE_MS } from './clients.announcements.ts';
import * as store from './clients.store.ts';
import type { ArrivalListener, Clients, Connections } from './clients.types.ts';
import { createViews } from './clients.views.ts';
import { createLobby } from './lobby/clients.lobby.ts';
import { createThrottle, type Throttle } from './lobby/clients.throttle.ts';
import { createSeatAccess } from './seats/clients.access.ts';
import { createIdleClients, type HideTexts } from './seats/clients.idle.ts';
import { roleActs } from './seats/clients.roles.ts';
import { createSeats } from './seats/clients.seats.ts';

export interface ClientsParts {
  db: Db;
  room: Room;
  sessions: Sessions;
  limits: Pick<Limits, 'allows' | 'addressBlock'>;
  clock: Pick<Clock, 'now' | 'moment'>;
  config: Pick<Config, 'limits'>;
  secrets: Secrets;
  connections: Connections;
  /** Gives the therapist a new join link. */
  renewJoinLink(tx: Tx, therapistId: number): Promise<string>;
  /** Hides the texts of figures; the field is created after the clients. */
  hideTexts: HideTexts;
  nodes?: Pick<Nodes, 'presence' | 'lastTimes'>;
  roomNodes?: RoomNodes;
  throttle?: Throttle;
  noticeMs?: number;
}

/** Creates the clients from the platform, the room, its live sessions and the connections. */
export function createClients({
  db,
  room,
  sessions,
  limits,
  clock,
  config,
  secrets,
  connections,
  renewJoinLink,
  hideTexts,
  nodes = createLoneNode(),
  roomNodes = NO_OTHER_NODES,
  throttle = createThrottle({ limits, limit: config.limits.wrongCode, roomsLimit: config.limits.wrongCodeRooms }),
  noticeMs = NOTICE_MS,
}: ClientsParts): Clients {
  const views = createViews({ db, room, sessions });
  const announcements = createAnnouncements({ db, room, roomNodes, views, noticeMs });
  const seats = createSeats({
    db,
    room,
    sessions,
    connections,
    views,
    announcements,
    presence: nodes.presence('client'),
    // Called later, once the watch over idle clients exists.
    cameIn: (clientId) => idle.acted(clientId),
  });
  const arrivalListeners: ArrivalListener[] = [];
  const lobby = createLobby({
    db,
    room,
    sessions,
    limits,
    clock,
    secrets,
    connections,
    throttle,
    views,
    announcements,
    seats,
    async arrived(...told) {
      for (const listener of arrivalListeners) await listener(...told);
    },
  });
  const idle = createIdleClients({
    ...{ db, room, clock, connections, announcements, seats, hideTexts },
    lastActs: nodes.lastTimes('client acted'),
  });
  const { announcePeople, tellWaiting, tellListeners, onPeopleChanged } = announcements;

  sessions.onOpening(async (tx, { therapistId, liveSession }, afterCommit) => {
    const rows = (await store.present(tx, therapistId)).filter((row) => row.state === 'waiting');
    await store.updateClients(
      tx,
      rows.map((row) => row.id),
      { liveSessionId: liveSession.id },
    );
    const stamps = await room.raisePeopleRevision(tx, therapistId);
    afterCommit(async () => {
      await announcePeople(therapistId, stamps);
      await tellWaiting(therapistId);
    });
  });

  sessions.onCodeEnded((tx, { therapistId, code }) => store.insertFormerWayIn(tx, 'code', code, therapistId));

  sessions.onEnding(async (tx, { therapistId, reason }, afterCommit) => {
    const rows = await store.present(tx, therapistId);
    const ids = rows.map((row) => row.id);
    await store.deleteRolesOf(tx, ids);
    await store.updateClients(tx, ids, { state: 'over', selected: false, handRaisedAt: null, endedAt: productNow });
    afterCommit(async (stamps) => {
      tellListeners({ therapistId, gone: ids });
      // People in the room get it there.
      for (const row of rows)
        if (row.state !== 'in') room.tell(row.id, { eventType: 'SESSION_OUT', contents: { reason }, ...stamps });
      connections.close(therapistId, ids, 'live_session_over');
      await announcePeople(therapistId, stamps);
    });
  });

  sessions.onPresenceChanged(async (therapistId, stamps) => {
    await announcePeople(therapistId, stamps);
    await tellWaiting(therapistId);
  });

  const { wrongTries, ...lobbyActs } = lobby;
  const { bringIn: _in, vacateSeat: _out, ...seatActs } = seats;
  return {
    ...roleActs,
    ...createSeatAccess(db),
    ...lobbyActs,
    ...seatActs,
    ...idle,
    async setActive(clientId) {
      idle.acted(clientId);
      await seatActs.setActive(clientId);
    },
    async sweep() {
      await announcements.tellAgain();
      await seatActs.sweep();
    },
    announcePeople,
    onPeopleChanged,
    onArrival: (listener) => void arrivalListeners.push(listener),
    peopleValue: views.peopleValue,
    people: (therapistId, queries = db) => views.readPeople(therapistId, queries),
    async rolesOf(therapistId, queries = db) {
      const byClient = new Map<number, { figureId: number; active: boolean }[]>();
      for (const { clientId, figureId, active } of await store.rolesOfRoom(queries, therapistId)) {
        const held = byClient.get(clientId) ?? [];
        held.push({ figureId, active });
        byClient.set(clientId, held);
      }
      return byClient;
    },

    async roomState(therapistId) {
      const row = await room.row(therapistId);
      const { joinLink } = await store.hostOf(db, therapistId);
      const liveSession = await sessions.running(therapistId);
      const people = await views.readPeople(therapistId, db);
      return {
        therapistId,
        joinLink,
        code: liveSession === null ? null : row.code,
        admission: row.admission,
        asksUntilEnd: row.asksUntilEnd,
        handsAllowed: row.handsAllowed,
        liveSession:
          liveSession === null ? null : { id: liveSession.id, startedOn: liveSession.startedAt.toISOString() },
        people,
        waiting: await views.readWaiting(therapistId, people),
        wrongTries: await wrongTries(therapistId),
      };
    },

    renewJoinLink(therapistId) {
      // Under the room's lock, so that nobody who looked up the old link earlier enters by it later.
      return room.act(therapistId, async (tx, _row, afterCommit) => {
        const { joinLink: former } = await store.hostOf(tx, therapistId);
        await store.insertFormerWayIn(tx, 'link', former, therapistId);
        const joinLink = await renewJoinLink(tx, therapistId);
        afterCommit(() => room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
        return joinLink;
      });
    },

    async setAdmission(therapistId, admission) {
      await room.act(therapistId, async (tx, _row, afterCommit) => {
        await room.update(tx, therapistId, { admission });
        afterCommit(() => room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
      });
    },

    async setSelected(therapistId, clientId, selected) {
      const row = await room.act(therapistId, async (tx, _row, afterCommit) => {
        const found = await store.findClient(tx, clientId);
        if (found === null || found.therapistId !== therapistId || found.state !== 'in') throw new Problem('not_found');
        if (found.selected !== selected) {
          await store.select(tx, therapistId, selected ? clientId : null);
          const stamps = await room.raisePeopleRevision(tx, therapistId);
          afterCommit(async () => {
            // The selected client may send more (docs/product.md#10.5).
            tellListeners({ therapistId });
            await announcePeople(therapistId, stamps);
          });
        }
        return { ...found, selected };
      });
      return (await views.clientsAs([row], therapistId))[0]!;
    },

    async raiseHand(access, { raised, clientId = access.personId }) {
      // A therapist has no hand to raise, and raises nobody else's.
      if (access.as === 'client') idle.acted(access.personId);
      if (access.as === 'therapist' ? raised || clientId === access.personId : clientId !== access.personId)
        throw new Problem('forbidden');
      await room.act(access.therapistId, async (tx, _row, afterCommit) => {
        const row = await store.findClient(tx, clientId);
        if (row === null || row.therapistId !== access.therapistId || row.state !== 'in')
          throw new Problem('not_found');
        // A hand that is raised again keeps its place in the order.
        if (raised === (row.handRaisedAt !== null)) return;
        await store.updateClients(tx, [clientId], { handRaisedAt: raised ? productNow : null });
        const stamps = await room.raisePeopleRevision(tx, access.therapistId);
        afterCommit(() => announcePeople(access.therapistId, stamps));
      });
    },

    async changeRole(what, role) {
      await room.act(role.therapistId, async (tx, _row, afterCommit) => {
        const traces =
          what === 'give'
            ? await roleActs.giveRole(tx, role)
            : what === 'take'
              ? await roleActs.takeRole(tx, role)
              : await roleActs.setActiveRole(tx, role);
        if (traces.length === 0) return;
        const stamps = await room.raisePeopleRevision(tx, role.therapistId);
        afterCommit(async () => {
          const rolesTaken = traces
            .filter((trace) => trace.after === 'none')
            .map(({ clientId, figureId }) => ({ clientId, figureId }));
          tellListeners({ therapistId: role.therapistId, rolesTaken });
          await announcePeople(role.therapistId, stamps);
        });
      });
    },

    async clientsOf(therapistId, filter) {
      const running = await sessions.running(therapistId);
      return running === null ? [] : views.clientsAs(await store.admittedTo(db, running.id, filter), therapistId);
    },

    stopTaking: () => throttle.stop(),
  };
}
