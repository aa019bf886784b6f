/** What browsers send about the field: acts to the service, drags and pointers to the volatile lane. */
import { fieldActMessage, FIELD_SEND } from '@fieldroom/contract/field';
import { type Channel, stored, volatile } from '../../realtime/channel.ts';
import type { RoomAccess } from '../../access.ts';
import type { Clients } from '../clients/index.ts';
import type { Room } from '../room/index.ts';
import type { Lane } from './lane/field.lane.ts';
import type { FieldService } from './field.service.ts';

export interface FieldChannelParts {
  service: FieldService;
  lane: Lane;
  room: Pick<Room, 'tell'>;
  clients: Pick<Clients, 'acted'>;
}

/**
 * Makes the channel. An act is answered by PLAYER_CHANGE to the room, or to its person alone if nothing changed or the
 * act was known. A refusal goes to all screens of the person; each knows its own act ids.
 */
export function createFieldChannel({ service, lane, room, clients }: FieldChannelParts): Channel {
  /** A client who acts is not idle (docs/product.md#7.6). */
  const stir = (access: RoomAccess) => {
    if (access.as === 'client') clients.acted(access.personId);
  };

  return {
    messages: {
      [FIELD_SEND.act]: stored(
        fieldActMessage,
        async ({ actId, act }, sender) => {
          const access = await sender.access();
          stir(access);
          // If an act was refused, nothing changed, or the next stamps show it.
          await service.act(access, actId, act);
        },
        // The page may have reconnected since it sent the act.
        { figureIn, tellRefusal: (problem, { principal }) => room.tell(principal.id, problem) },
      ),
      // A person who has left gets a separate message about that; refusing each move would add nothing.
      [FIELD_SEND.drag]: volatile((body, sender) => {
        const access = sender.knownAccess();
        if (access === null) return;
        stir(access);
        lane.drag(access, body);
      }),
      [FIELD_SEND.point]: volatile((body, sender) => {
        const access = sender.knownAccess();
        if (access === null) return;
        stir(access);
        lane.point(access, body);
      }),
    },
    onGone({ principal, therapistId }, last) {
      if (last) lane.personGone(therapistId, principal.id);
    },
  };
}

/** The figure that an act is about; null if it is about none, or invalid. Takes the received message. */
function figureIn(body: unknown): number | null {
  const figureId = (body as { act?: { figureId?: unknown } | null } | null | undefined)?.act?.figureId;
  return Number.isSafeInteger(figureId) ? (figureId as number) : null;
}
