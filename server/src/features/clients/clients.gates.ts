/** What a sign-in may do about rooms and clients: the rules of the contract that these features decide. */
import { Problem } from '../../platform/problem.ts';
import type { Account, ClientAccess, Gates, Principal, RoomAccess } from '../../access.ts';
import type { Clients } from './clients.types.ts';

/** The therapist a call is about: the id in its path. */
const therapistIn = (params: Readonly<Record<string, unknown>>) => Number(params.therapistId ?? params.userId);

/** Makes the gates. A foreign id gets the same answer as an unknown one (docs/product.md#12.2). */
export function clientsGates(clients: Clients) {
  async function clientAccess(
    principal: Principal | null,
    clientId: number,
    who: 'itsTherapist' | 'clientOrItsTherapist',
  ): Promise<ClientAccess> {
    const access = await clients.clientAccessOf(principal, clientId, who);
    if (access === null)
      throw new Problem(principal?.kind === 'account' ? 'not_found' : waits(principal) ? 'not_admitted' : 'forbidden');
    return access;
  }

  function roomAccess(principal: Principal | null, therapistId: number): RoomAccess {
    const access = clients.roomAccessOf(principal, therapistId);
    if (access === null) throw new Problem(waits(principal) ? 'not_admitted' : 'forbidden');
    return access;
  }

  return {
    seatHolder: ({ principal }) => {
      if (principal?.kind !== 'client') throw new Problem('forbidden');
      return principal;
    },
    anySignIn: ({ principal }) => {
      if (principal === null) throw new Problem('not_signed_in');
      // Somebody whose connection is lost was admitted, and may log what went wrong.
      if (principal.kind === 'client' && principal.state === 'waiting') throw new Problem('not_admitted');
      return principal;
    },
    roomOfTherapist: ({ principal, params }) => roomAccess(principal, therapistIn(params)),
    roomDesign: ({ principal, params }) => {
      if (therapistIn(params) === 0) return null;
      if (principal === null) throw new Problem('not_signed_in');
      return roomAccess(principal, therapistIn(params));
    },
    roomMember: ({ principal }) => {
      if (principal === null) throw new Problem('not_signed_in');
      return roomAccess(principal, principal.kind === 'client' ? principal.therapistId : principal.id);
    },
    clientList: ({ principal, params }) => roomAccess(principal, therapistIn(params)),
    therapistOfClient: async ({ principal, body }): Promise<Account> => {
      if (principal?.kind !== 'account') throw new Problem('forbidden');
      await clientAccess(principal, Number((body as { id: number }).id), 'itsTherapist');
      return principal;
    },
    itsTherapist: ({ principal, params }) => clientAccess(principal, Number(params.userId), 'itsTherapist'),
    clientOrItsTherapist: ({ principal, params }) =>
      clientAccess(principal, Number(params.userId), 'clientOrItsTherapist'),
  } satisfies Gates;
}

const waits = (principal: Principal | null) => principal?.kind === 'client' && principal.state !== 'in';
