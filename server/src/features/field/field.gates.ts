/** Who may pass, for the rules that ask about figures and icons. The service decides again inside the act's transaction. */
import { Problem } from '@fieldroom/contract/problems';
import type { AccessValues, Account, Principal, RoomAccess } from '../../access.ts';
import type { Gate } from '../../platform/http/http.ts';

type Ours =
  | 'therapist; a client only for a figure it may move'
  | "therapist, the figure's role holder"
  | 'therapist who owns it';
export type FieldGates = { readonly [A in Ours]: Gate<Principal, AccessValues[A]> };

function therapist(principal: Principal | null): Account {
  if (principal === null) throw new Problem('not_signed_in');
  if (principal.kind !== 'account' || !principal.roles.includes('ROLE_THERAPIST')) throw new Problem('forbidden');
  return principal;
}

/** The sign-in's own room: a therapist's, or the one a client is in. Which figure is looked at when its row is locked. */
function ownRoom(principal: Principal | null): RoomAccess {
  if (principal?.kind !== 'client') {
    const { id } = therapist(principal);
    return { as: 'therapist', therapistId: id, personId: id };
  }
  if (principal.state !== 'in') throw new Problem('not_admitted');
  return { as: 'client', therapistId: principal.therapistId, personId: principal.id, name: principal.name };
}

/** In: nothing. Out: the gates by the words of the contract. A client names a figure of its own room; all else is refused by the service. */
export const gates: FieldGates = {
  'therapist; a client only for a figure it may move': ({ principal, body }) => {
    const access = ownRoom(principal);
    // Without an id it would be a new figure.
    if (access.as === 'client' && (body as { id?: number }).id === undefined) throw new Problem('forbidden');
    return access;
  },
  "therapist, the figure's role holder": ({ principal }) => ownRoom(principal),
  // The row is looked for among the therapist's own: a foreign id answers like one that does not exist.
  'therapist who owns it': ({ principal }) => therapist(principal),
};
