/** Gates of the rules that concern only accounts. The clients feature has the rules about clients. */
import { Problem } from '../../platform/problem.ts';
import type { AccessValues, Account, Gate, GateContext, Principal } from '../../access.ts';

type Ours =
  | 'anyone'
  | 'token'
  | 'self'
  | 'signedIn'
  | 'admin'
  | 'therapist'
  | 'ownRows'
  | 'ownRowsToAddress'
  | 'profile';

function signedIn(principal: Principal | null): Account {
  if (principal === null) throw new Problem('not_signed_in');
  if (principal.kind !== 'account') throw new Problem('forbidden');
  return principal;
}

function therapist(principal: Principal | null): Account {
  const account = signedIn(principal);
  if (!account.roles.includes('ROLE_THERAPIST')) throw new Problem('forbidden');
  return account;
}

/**
 * The person whom a call is about: `userId`, `therapistId` or `id` in the path, otherwise `userId` or `id` in the body.
 */
function personNamed({ params, body }: Pick<GateContext, 'params' | 'body'>): number | null {
  for (const [source, name] of [
    [params, 'userId'],
    [params, 'therapistId'],
    [params, 'id'],
    [body, 'userId'],
    [body, 'id'],
  ] as const) {
    if (typeof source === 'object' && source !== null && name in source) {
      const named = (source as Record<string, unknown>)[name];
      return typeof named === 'number' ? named : null;
    }
  }
  return null;
}

/**
 * The gates. A foreign id is `not_found`, whether it exists or not, so that trying ids reveals nothing
 * (docs/product.md#12.2); a missing role is `forbidden`, which says nothing about others.
 */
export const gates: { readonly [A in Ours]: Gate<AccessValues[A]> } = {
  anyone: ({ principal }) => principal,
  // The handler uses up the token of an email; the caller need not be signed in.
  token: () => null,
  self: (input) => {
    if (input.principal === null) throw new Problem('not_signed_in');
    if (personNamed(input) !== input.principal.id) throw new Problem('not_found');
    return input.principal;
  },
  signedIn: ({ principal }) => signedIn(principal),
  admin: ({ principal }) => {
    const account = signedIn(principal);
    if (!account.roles.includes('ROLE_ADMIN')) throw new Problem('forbidden');
    return account;
  },
  therapist: ({ principal }) => therapist(principal),
  // The calls of these rules name no therapist: their handlers read only the caller's rows.
  ownRows: ({ principal }) => therapist(principal),
  ownRowsToAddress: ({ principal }) => therapist(principal),
  profile: (input) => ({
    self: input.principal?.kind === 'account' && input.principal.id === personNamed(input) ? input.principal : null,
  }),
};
