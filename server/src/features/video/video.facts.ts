/** What the database has of a room's video, and who is in the room. */
import type { Person } from '@fieldroom/contract/clients';
import type { Db } from '../../platform/db/db.ts';
import type { Clients } from '../clients/index.ts';
import type { RoomFacts } from './gateway/rooms.ts';
import { readRoom } from './video.store.ts';

export interface Facts {
  read(therapistId: number): Promise<RoomFacts>;
  readWithPeople(therapistId: number): Promise<{ facts: RoomFacts; people: readonly Person[] }>;
}

/** Makes the reading. Clients who are not in the room any more are not on stage. */
export function createFacts({ db, clients }: { db: Db; clients: Pick<Clients, 'people'> }): Facts {
  async function readWithPeople(therapistId: number) {
    const [{ settings, stage }, people] = await Promise.all([readRoom(db, therapistId), clients.people(therapistId)]);
    const facts = {
      settings,
      stage: stage && people.flatMap(({ id }) => (stage.includes(id) ? [id] : [])),
      selected: people.find(({ selected }) => selected)?.id ?? null,
    };
    return { facts, people };
  }
  return { readWithPeople, read: async (therapistId) => (await readWithPeople(therapistId)).facts };
}
