/** Who may pass, for the rules that ask about accounts alone. Rules about clients are the clients feature's. */
import { Problem } from '@fieldroom/contract/problems';
import type { AccessValues, Account, Principal } from '../../access.ts';
import type { Gate, GateContext } from '../../platform/http/http.ts';

type Ours =
  | 'anyone'
  | 'token'
  | 'self'
  | 'signed in'
  | 'admin'
  | 'therapist'
  | 'self in full; anyone the public part (name, picture)';

function signedIn(principal: Principal | null): Account {
  if (principal === null) throw new Problem('not_signed_in');
  if (principal.kind !== 'account') throw new Problem('forbidden');
  return principal;
}

/** The person a call is about: `userId`, `therapistId` or `id` in the path, else `userId` in the body. */
function personNamed({ params, body }: Pick<GateContext<Principal>, 'params' | 'body'>): number | null {
  for (const [source, name] of [
    [params, 'userId'],
    [params, 'therapistId'],
    [params, 'id'],
    [body, 'userId'],
  ] as const) {
    if (typeof source === 'object' && source !== null && name in source) {
      const named = (source as Record<string, unknown>)[name];
      return typeof named === 'number' ? named : null;
    }
  }
  return null;
}

/**
 * The gates. A foreign id is `not_found`, whether somebody has it or not, so that nothing is learnt by trying
 * (PRODUCT 12); what a role lacks is `forbidden`, which says nothing about others.
 */
export const gates: { readonly [A in Ours]: Gate<Principal, AccessValues[A]> } = {
  anyone: ({ principal }) => principal,
  // The handler spends the token of a letter; nobody needs to be signed in.
  token: () => null,
  self: (input) => {
    if (input.principal === null) throw new Problem('not_signed_in');
    if (personNamed(input) !== input.principal.id) throw new Problem('not_found');
    return input.principal;
  },
  'signed in': ({ principal }) => signedIn(principal),
  admin: ({ principal }) => {
    const account = signedIn(principal);
    if (!account.roles.includes('ROLE_ADMIN')) throw new Problem('forbidden');
    return account;
  },
  therapist: ({ principal }) => {
    const account = signedIn(principal);
    if (!account.roles.includes('ROLE_THERAPIST')) throw new Problem('forbidden');
    return account;
  },
  'self in full; anyone the public part (name, picture)': (input) => ({
    self: input.principal?.kind === 'account' && input.principal.id === personNamed(input) ? input.principal : null,
  }),
};
