/** The figures whose role a client has. */
import type { Client, Person } from '@fieldroom/contract/clients';
import type { Figure, Mover } from '@fieldroom/contract/field';
import { useMemo } from 'react';
import { sameFaces, shownOf } from '../../field/index.ts';
import { useRoomPart } from '../store/useRoom.ts';

export interface OwnRole {
  /** The mover, for the rules of the field. */
  mover: Extract<Mover, { as: 'client' }>;
  /** The figures whose role the client holds. */
  held: Figure[];
  /** The active one; null while the client only watches. */
  active: Figure | null;
}

/** Takes the client from the seat, and from the room's list once that is known. */
export function useOwnRole(client: Client, person: Person | undefined): OwnRole {
  const roleKey = (person?.roles ?? client.participants).join(',');
  const mover = useMemo(
    () => ({ as: 'client' as const, roles: roleKey.split(',').filter(Boolean).map(Number) }),
    [roleKey],
  );
  const held = useRoomPart((model) => shownOf(model).filter((figure) => mover.roles.includes(figure.id)), sameFaces);
  const activeId = person?.activeRole ?? client.activeParticipant;
  const active = held.find((figure) => figure.id === activeId) ?? held[0] ?? null;
  return { mover, held, active };
}
