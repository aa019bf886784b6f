/**
 * Clients who do nothing while their therapist is away, or whose page says so (docs/product.md#7.6; rule 18 of the
 * README).
 */
import { Problem } from '../../../platform/problem.ts';
import { CLIENT_IDLE_SECONDS } from '@fieldroom/contract/usage';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { LastTimes } from '../../../platform/nodes/last-times.ts';
import { forEachInTurn } from '../../../platform/small.ts';
import type { AfterCommit, Room, RoomRow } from '../../room/index.ts';
import type { ClientRow } from '../clients.store.ts';
import * as store from '../clients.store.ts';
import type { Clients, Connections } from '../clients.types.ts';
import type { Announcements } from '../clients.announcements.ts';
import type { Seats } from './clients.seats.ts';

/** Hides the texts of figures in an act on their room. */
export type HideTexts = (tx: Tx, row: RoomRow, afterCommit: AfterCommit, figureIds: readonly number[]) => Promise<void>;

export interface IdleParts {
  db: Db;
  room: Pick<Room, 'act'>;
  clock: Pick<Clock, 'moment'>;
  connections: Pick<Connections, 'leaveRoom'>;
  announcements: Pick<Announcements, 'onPeopleChanged'>;
  seats: Pick<Seats, 'vacateSeat'>;
  /** Product time of each client's last act. */
  lastActs: LastTimes;
  hideTexts: HideTexts;
}

/** Makes the watch over idle clients. */
export function createIdleClients({
  db,
  room,
  clock,
  connections,
  announcements,
  seats: { vacateSeat },
  lastActs,
  hideTexts,
}: IdleParts): Pick<Clients, 'acted' | 'setNonActive' | 'removeIdle'> {
  announcements.onPeopleChanged(({ gone }) => {
    for (const id of gone) lastActs.forget(id);
  });

  /** Frees the seats and roles of these clients, and hides the texts of figures that nobody holds any more. */
  async function setAside(tx: Tx, row: RoomRow, afterCommit: AfterCommit, idle: readonly ClientRow[]): Promise<void> {
    if (idle.length === 0) return;
    const ids = idle.map(({ id }) => id);
    const roles = await store.rolesOfRoom(tx, row.therapistId);
    const stillHeld = new Set(roles.filter(({ clientId }) => !ids.includes(clientId)).map(({ figureId }) => figureId));
    const left = new Set(roles.map(({ figureId }) => figureId).filter((figureId) => !stillHeld.has(figureId)));
    await vacateSeat(tx, idle, { state: 'away', reason: 'left' }, afterCommit);
    await store.updateClients(tx, ids, { active: false });
    await hideTexts(tx, row, afterCommit, [...left]);
    afterCommit(() => connections.leaveRoom(row.therapistId, ids));
  }

  async function removeIn(therapistId: number): Promise<number> {
    return room.act(therapistId, async (tx, row, afterCommit) => {
      // Looked up again under the lock: the therapist may be back, and clients may have acted.
      if (!(await store.isTherapistGone(tx, therapistId, CLIENT_IDLE_SECONDS))) return 0;
      // Their pages count from the moment at which the therapist left, and from each act after it.
      const idleSince = clock.moment() - CLIENT_IDLE_SECONDS * 1000;
      const inside = await store.inRoom(tx, therapistId);
      const acts = await lastActs.read(
        tx,
        inside.map(({ id }) => id),
      );
      const idle = inside.filter(
        ({ id, admittedAt }) => Math.max(admittedAt?.getTime() ?? 0, acts.get(id) ?? 0) <= idleSince,
      );
      await setAside(tx, row, afterCommit, idle);
      return idle.length;
    });
  }

  return {
    acted: (clientId) => lastActs.set(clientId, clock.moment()),
    async setNonActive(clientId) {
      const client = await store.findClient(db, clientId);
      if (client === null) throw new Problem('not_found');
      await room.act(client.therapistId, async (tx, row, afterCommit) => {
        const now = await store.findClient(tx, clientId);
        if (now?.state === 'in') await setAside(tx, row, afterCommit, [now]);
      });
    },
    async removeIdle() {
      let removed = 0;
      await forEachInTurn(await store.roomsWithTherapistGone(db, CLIENT_IDLE_SECONDS), async (therapistId) => {
        removed += await removeIn(therapistId);
      });
      return { removed };
    },
  };
}
