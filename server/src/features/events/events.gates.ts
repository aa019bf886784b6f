/** The gates of the access rules that concern events. */
import { Problem } from '../../platform/problem.ts';
import type { Account, GateContext, Principal } from '../../access.ts';
import type { Events } from './events.types.ts';

function therapist(principal: Principal | null): Account {
  if (principal === null) throw new Problem('not_signed_in');
  if (principal.kind !== 'account' || !principal.roles.includes('ROLE_THERAPIST')) throw new Problem('forbidden');
  return principal;
}

/** The event a call is about: `eventId` or `id` of the path, otherwise of the body. Null if it names none. */
function eventNamed({ params, body }: Pick<GateContext, 'params' | 'body'>): number | null {
  for (const source of [params, body]) {
    if (typeof source !== 'object' || source === null) continue;
    const { eventId, id } = source as Record<string, unknown>;
    const named = eventId ?? id;
    if (typeof named === 'number') return named;
  }
  return null;
}

/**
 * Takes who owns an event (null if it does not exist) and whose slug a name is. Somebody else's event gets the same
 * answer as an unknown one (docs/product.md#12.2).
 */
export function createGates({
  ownerOf,
  hostIdOf,
}: {
  ownerOf: (eventId: number) => Promise<number | null>;
  hostIdOf: (therapistName: string) => Promise<number | null>;
}): Events['gates'] {
  return {
    ownEvents: async (input) => {
      const account = therapist(input.principal);
      const eventId = eventNamed(input);
      if (eventId !== null && (await ownerOf(eventId)) !== account.id) throw new Problem('not_found');
      return { account, eventId };
    },
    ownImages: ({ principal }) => therapist(principal),
    // The picture's own row decides whether the caller may see it.
    published: () => null,
    publishedOrOwn: async ({ principal, params }) => {
      if (principal?.kind !== 'account' || !principal.roles.includes('ROLE_THERAPIST')) return { owner: null };
      return { owner: (await hostIdOf(String(params['therapistName']))) === principal.id ? principal : null };
    },
  };
}
