/**
 * Who may see which page (docs/product.md#3.13). Decides from the stored user, an unverified claim; the server checks
 * every call itself.
 */
import { isClient, isTherapist } from '@fieldroom/contract/accounts';
import { CLIENT_ROOM, DASHBOARD_PAGE, THERAPIST_ROOM, USAGE_PAGE } from '@fieldroom/contract/pages';
import { ApiProblem } from './platform/api/request.ts';
import type { StoredTherapist } from './platform/storage.ts';

type Group = 'ROLE_THERAPIST' | 'ROLE_ADMIN' | 'ROLE_CLIENT';
export interface Rule {
  /** One of these is required; none means everybody who is signed in. */
  groups?: readonly Group[];
  /** The user must have none of these (`no_groups`). */
  noGroups?: readonly Group[];
}
export const THERAPISTS: Rule = { groups: ['ROLE_THERAPIST'] };
export const CLIENTS: Rule = { groups: ['ROLE_CLIENT'] };

/** About a practice, which an operator need not have; the page where such an operator starts instead. */
const OPERATORS_START = USAGE_PAGE;

interface StoredUser {
  authorities: readonly string[];
}

/** Whether the groups of a user satisfy a rule. */
export function passes(rule: Rule, user: StoredUser): boolean {
  const has = (group: Group) => user.authorities.includes(group);
  if (rule.noGroups?.some(has)) return false;
  return rule.groups === undefined || rule.groups.length === 0 || rule.groups.some(has);
}

export type Verdict =
  | { kind: 'allow' }
  | { kind: 'login'; returnUrl: string }
  | { kind: 'go'; to: typeof CLIENT_ROOM | typeof OPERATORS_START | '/auth/unauthorized' };

/** Guards any route but '/'. Takes its rule, the path with query, and the stored user. */
export function guardRoute(rule: Rule, path: string, user: StoredUser | null): Verdict {
  if (!user) return { kind: 'login', returnUrl: path };
  if (passes(rule, user)) return { kind: 'allow' };
  const page = path.split('?')[0];
  if (isClient(user) && page === THERAPIST_ROOM) return { kind: 'go', to: CLIENT_ROOM };
  if (user.authorities.includes('ROLE_ADMIN') && page === DASHBOARD_PAGE) return { kind: 'go', to: OPERATORS_START };
  return { kind: 'go', to: '/auth/unauthorized' };
}

export type HomeVerdict = { kind: 'login'; removeUser: boolean } | { kind: 'ask'; userId: number };

/**
 * The path '/'. A client left over beside a stored therapist is removed. If a therapist remains, the server is asked
 * whether their sign-in holds before the play area opens (whose own channel publishes the JOIN). Everybody else signs
 * in.
 */
export function guardHome(user: (StoredUser & { id: number }) | null, therapist: StoredTherapist | null): HomeVerdict {
  const removeUser = therapist !== null && isClient(user);
  const remaining = removeUser ? null : user;
  if (remaining && isTherapist(remaining)) return { kind: 'ask', userId: remaining.id };
  return { kind: 'login', removeUser };
}

/** Real time before each further request, if the server could not decide. */
export const ASK_AGAIN_MS = [1_000, 2_000, 4_000] as const;
const pausing = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/**
 * Whether a sign-in holds. Takes the request to the server. Only a clear refusal ends a sign-in, because that also ends
 * the live session: a restart, a full server, a fault or a lost connection decides nothing. Then the request is
 * repeated, and without any answer the sign-in counts as valid, and the next page reports the problem.
 */
export async function signInHolds(
  ask: () => Promise<boolean>,
  pause: (ms: number) => Promise<void> = pausing,
): Promise<boolean> {
  for (const waitMs of [...ASK_AGAIN_MS, null]) {
    try {
      return (await ask()) !== false;
    } catch (fault) {
      if (fault instanceof ApiProblem && (fault.code === 'session_expired' || fault.code === 'not_signed_in'))
        return false;
      if (waitMs !== null) await pause(waitMs);
    }
  }
  return true;
}

/**
 * Where a sign-in leads. Takes the raw query value and who signed in. Only a path of this site is followed; '/' leads a
 * therapist to the play area. The browser's own reading decides what host a path means: `//x`, `/\\x` and `/<tab>/x`
 * are other hosts to it.
 */
export function safeReturnUrl(raw: unknown, user: StoredUser | null): string {
  const fallback = DASHBOARD_PAGE;
  if (typeof raw !== 'string' || !raw.startsWith('/') || raw.includes('\\')) return fallback;
  const base = 'https://here.invalid';
  let url: URL;
  try {
    url = new URL(raw, base);
  } catch {
    return fallback;
  }
  if (url.origin !== base || url.pathname.startsWith('/user') || url.pathname.startsWith('/auth')) return fallback;
  if (url.pathname === '/') return isTherapist(user) ? THERAPIST_ROOM : fallback;
  return url.pathname + url.search + url.hash;
}
