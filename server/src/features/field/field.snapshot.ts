/** Reads the whole field at one moment. */
import type { FieldSnapshot } from '@fieldroom/contract/field';
import type { StampedChange } from '@fieldroom/contract/realtime';
import { stampsOf } from '@fieldroom/contract/revisions';
import type { Db } from '../../platform/db/db.ts';
import type { Clients } from '../clients/index.ts';
import type { Queries, Room, RoomRow } from '../room/index.ts';
import type { LanePicture } from './lane/field.lane.picture.ts';
import * as store from './field.store.ts';

export interface FieldSnapshots {
  /** The whole field. Takes the room's lock, in the caller's transaction or in a new one. */
  snapshot(therapistId: number, tx?: Queries): Promise<FieldSnapshot>;
  /** The field with both revisions of the same moment, for a person who joins or asks. */
  playersValue(therapistId: number): Promise<Extract<StampedChange, { eventType: 'PLAYERS_VALUE' }>>;
  /** What the volatile lane must know. `then` runs before the room's next act. */
  readPicture(therapistId: number, then: (picture: LanePicture) => void): Promise<void>;
}

/** Takes the database, room and clients, and how to find the name on the therapist's pointer. */
export function createFieldSnapshots({
  db,
  room,
  clients,
  therapistName,
}: {
  db: Db;
  room: Room;
  clients: Pick<Clients, 'rolesOf'>;
  therapistName: (therapistId: number) => Promise<string>;
}): FieldSnapshots {
  async function read(tx: Queries, therapistId: number): Promise<{ field: FieldSnapshot; row: RoomRow }> {
    const row = await room.lock(tx, therapistId);
    return { field: { figures: await store.readFigures(tx, therapistId), handsAllowed: row.handsAllowed }, row };
  }
  const readNow = (therapistId: number) => db.transaction((tx) => read(tx, therapistId));

  return {
    snapshot: async (therapistId, tx) => (tx ? await read(tx, therapistId) : await readNow(therapistId)).field,
    async playersValue(therapistId) {
      const { field, row } = await readNow(therapistId);
      return { eventType: 'PLAYERS_VALUE', contents: field, ...stampsOf(row) };
    },
    async readPicture(therapistId, then) {
      const name = await therapistName(therapistId);
      await room.inOrder(therapistId, async () => {
        const { field, row } = await readNow(therapistId);
        then({
          field,
          revision: row.fieldRevision,
          roles: await clients.rolesOf(therapistId),
          therapistName: name,
          therapistAway: row.therapistAwaySince !== null,
        });
      });
    },
  };
}
