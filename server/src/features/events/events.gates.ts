/** Who may pass, for the rules that ask about events. */
import { Problem } from '@fieldroom/contract/problems';
import type { Account, Principal } from '../../access.ts';
import type { GateContext } from '../../platform/http/http.ts';
import type { Events } from './events.types.ts';

function therapist(principal: Principal | null): Account {
  if (principal === null) throw new Problem('not_signed_in');
  if (principal.kind !== 'account' || !principal.roles.includes('ROLE_THERAPIST')) throw new Problem('forbidden');
  return principal;
}

/** The event a call is about: `eventId` or `id` of the path, else of the body. Null where none is named. */
function eventNamed({ params, body }: Pick<GateContext<Principal>, 'params' | 'body'>): number | null {
  for (const source of [params, body]) {
    if (typeof source !== 'object' || source === null) continue;
    const { eventId, id } = source as Record<string, unknown>;
    const named = eventId ?? id;
    if (typeof named === 'number') return named;
  }
  return null;
}

/** In: who owns an event, null for one that does not exist; whose slug a name is. A foreign event answers like one that does not exist (PRODUCT 12). */
export function createGates({
  ownerOf,
  hostIdOf,
}: {
  ownerOf: (eventId: number) => Promise<number | null>;
  hostIdOf: (therapistName: string) => Promise<number | null>;
}): Events['gates'] {
  return {
    'therapist, own events': async (input) => {
      const account = therapist(input.principal);
      const eventId = eventNamed(input);
      if (eventId !== null && (await ownerOf(eventId)) !== account.id) throw new Problem('not_found');
      return { account, eventId };
    },
    'therapist, own images': ({ principal }) => therapist(principal),
    // Which one may be seen is decided with the picture's own row, by who asks.
    'anyone, published events': () => null,
    'anyone, published events; the owner also the others': async ({ principal, params }) => {
      if (principal?.kind !== 'account' || !principal.roles.includes('ROLE_THERAPIST')) return { owner: null };
      return { owner: (await hostIdOf(String(params['therapistName']))) === principal.id ? principal : null };
    },
  };
}
