/** Carries out what another node orders for a room that this one has (rule 15). The orders: orders.ts. */
import { isDeepStrictEqual } from 'node:util';
import type { Room } from '../../room/index.ts';
import type { Rooms } from '../gateway/rooms.ts';
import type { Ends } from '../members/ends.ts';
import type { Announcements } from '../video.announcements.ts';
import type { Facts } from '../video.facts.ts';
import type { Order, ServiceOrder } from './orders.ts';

interface CarryOutParts {
  readonly room: Pick<Room, 'inOrder' | 'tell'>;
  readonly rooms: Rooms;
  readonly facts: Facts;
  readonly announcements: Pick<Announcements, 'announceInOrder' | 'stateInOrder'>;
  readonly ends: Ends;
  /** Mutes in a room of this node. Returns who was muted. */
  mute(therapistId: number, clientIds: Extract<Order, { kind: 'mute' }>['clientIds']): Promise<number[]>;
}

/** Makes what carries out orders. It resolves with the answer, which travels as JSON. */
export function createCarryOut({ room, rooms, facts, announcements, ends, mute }: CarryOutParts) {
  /** Reads again what the database has of a room, and who is in it. Resolves when the engine keeps to it. */
  async function lookAgain(therapistId: number): Promise<void> {
    const [present, ...settled] = await room.inOrder(therapistId, async () => {
      const { facts: read, people } = await facts.readWithPeople(therapistId);
      const known = rooms.find(therapistId);
      const isNews = known !== undefined && !isDeepStrictEqual(known.settings, read.settings);
      return [
        new Set(people.map(({ id }) => id)),
        isNews ? rooms.applySettings(therapistId, read.settings).settled : Promise.resolve(),
        rooms.applyPeople(therapistId, { selected: read.selected, stage: read.stage }).settled,
      ] as const;
    });
    await Promise.all(settled);
    await ends.dropFormer(
      (member) => member.therapistId === therapistId && member.as === 'client' && !present.has(member.personId),
    );
  }

  return async (therapistId: number, order: ServiceOrder): Promise<unknown> => {
    switch (order.kind) {
      case 'facts':
        await lookAgain(therapistId);
        if (rooms.find(therapistId) === undefined) await announcements.announceInOrder(therapistId);
        return null;
      case 'people':
        ends.endClients(therapistId, order.gone);
        return lookAgain(therapistId);
      case 'ended':
        ends.endConnections(therapistId);
        ends.closeInEngine(therapistId);
        return null;
      case 'mute':
        return mute(therapistId, order.clientIds);
      case 'quality':
        return rooms.setNetworkQuality(therapistId, order.personId, order.quality);
      case 'cap': {
        const { as, personId, firefox } = order;
        const known = rooms.find(therapistId);
        const { highQuality } = known?.settings ?? (await facts.read(therapistId)).settings;
        return rooms.capOf(known, { as, therapistId, personId, firefox, signIn: null }, highQuality);
      }
      case 'tellState': {
        const contents = await announcements.stateInOrder(therapistId);
        return room.tell(order.personId, { eventType: 'VIDEO_STATE', contents });
      }
      case 'signIn':
        return ends.endSignIn(Buffer.from(order.tokenHash, 'hex'));
      case 'person':
        return ends.endPerson(order.personId);
    }
  };
}
