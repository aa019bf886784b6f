/** What a sign-in may do about rooms and clients: the rules of the contract that these features decide. */
import { Problem } from '@fieldroom/contract/problems';
import type { AccessValues, Account, ClientAccess, Principal, RoomAccess } from '../../access.ts';
import type { Gates } from '../../platform/http/http.ts';
import type { Clients } from './clients.types.ts';

/** The therapist a call is about: the id in its path. */
const therapistIn = (params: Readonly<Record<string, unknown>>) => Number(params.therapistId ?? params.userId);

/** Makes the gates. In: the clients. A foreign id is answered like one that does not exist (PRODUCT 12). */
export function clientsGates(clients: Clients) {
  async function clientAccess(
    principal: Principal | null,
    clientId: number,
    who: 'its therapist' | 'that client, its therapist',
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
    'client, waiting or admitted': ({ principal }) => {
      if (principal?.kind !== 'client') throw new Problem('forbidden');
      return principal;
    },
    'signed in, clients': ({ principal }) => {
      if (principal === null) throw new Problem('not_signed_in');
      return principal;
    },
    'self, clients of that therapist': ({ principal, params }) => roomAccess(principal, therapistIn(params)),
    'members of the room': ({ principal }) => {
      if (principal === null) throw new Problem('not_signed_in');
      return roomAccess(principal, principal.kind === 'client' ? principal.therapistId : principal.id);
    },
    'self; its clients get names of the room only': ({ principal, params }) =>
      roomAccess(principal, therapistIn(params)),
    'therapist of that client': async ({ principal, body }): Promise<Account> => {
      if (principal?.kind !== 'account') throw new Problem('forbidden');
      await clientAccess(principal, Number((body as { id: number }).id), 'its therapist');
      return principal;
    },
    'its therapist': ({ principal, params }) => clientAccess(principal, Number(params.userId), 'its therapist'),
    'that client, its therapist': ({ principal, params }) =>
      clientAccess(principal, Number(params.userId), 'that client, its therapist'),
  } satisfies Gates<Principal, AccessValues>;
}

const waits = (principal: Principal | null) => principal?.kind === 'client' && principal.state !== 'in';
