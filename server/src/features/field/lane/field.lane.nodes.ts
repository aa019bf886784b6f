/** The messages between the lanes of several nodes about one room. */
import type { FieldChange } from '@fieldroom/contract/field';
import type { RoomNodes } from '../../room/index.ts';
import type { Lane, LaneNodes } from './field.lane.ts';
import type { Moves } from './field.lane.relay.ts';
import type { Actor } from '../rules/field.rules.commands.ts';
import type { FigureStep, RoleStep } from '../rules/field.rules.decision.ts';

/** An act that another node stored: in the form of `Lane.settled`. */
interface Settled {
  readonly change: FieldChange;
  readonly actor: Actor;
  readonly figures: readonly FigureStep[];
  readonly roles: readonly RoleStep[];
}

/** How the lane's moves reach the other nodes. */
export const laneNodes = (roomNodes: Pick<RoomNodes, 'isAlone' | 'tellVolatile'>): LaneNodes => ({
  isAlone: roomNodes.isAlone,
  tell: (therapistId, moves) => roomNodes.tellVolatile(therapistId, 'moves', moves),
});

/** Applies the others' messages to this node's lane. */
export function joinLanes(lane: Lane, roomNodes: Pick<RoomNodes, 'on'>): void {
  roomNodes.on<Moves>('moves', lane.elsewhere);
  roomNodes.on<Settled>('settled', (therapistId, { change, actor, figures, roles }) =>
    lane.settled(therapistId, change, actor, figures, roles),
  );
  roomNodes.on<{ figureId: number; personId: number }>('released', (therapistId, { figureId, personId }) =>
    lane.release(therapistId, figureId, personId),
  );
}

/** A lane that also announces its stored acts to the other nodes. */
export function withNodes(lane: Lane, roomNodes: Pick<RoomNodes, 'tell'>): Pick<Lane, 'settled' | 'release'> {
  return {
    settled(therapistId, change, actor, figures, roles) {
      lane.settled(therapistId, change, actor, figures, roles);
      roomNodes.tell(therapistId, 'settled', { change, actor, figures, roles } satisfies Settled);
    },
    release(therapistId, figureId, personId) {
      lane.release(therapistId, figureId, personId);
      roomNodes.tell(therapistId, 'released', { figureId, personId });
    },
  };
}
