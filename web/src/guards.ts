/**
 * Who may see which page (specification 4.1). Pure: decides from what is stored, which is a claim; the server checks
 * every call by itself.
 */
import type { StoredTherapist } from './platform/storage.ts';

export type Group = 'ROLE_THERAPIST' | 'ROLE_ADMIN' | 'ROLE_CLIENT';
export interface Rule {
  /** One of these is required; none means everybody who is signed in. */
  groups?: readonly Group[];
  /** None of these may be there (`no_groups`). */
  noGroups?: readonly Group[];
}
interface StoredUser {
  authorities: readonly string[];
}

/** The groups of a user pass a rule. */
export function passes(rule: Rule, user: StoredUser): boolean {
  const has = (group: Group) => user.authorities.includes(group);
  if (rule.noGroups?.some(has)) return false;
  return rule.groups === undefined || rule.groups.length === 0 || rule.groups.some(has);
}

export type Verdict =
  | { kind: 'allow' }
  | { kind: 'login'; returnUrl: string }
  | { kind: 'go'; to: '/app/play-area-view' | '/auth/unauthorized' };

/** Any route but '/'. In: its rule, path with query, the stored user. */
export function guardRoute(rule: Rule, path: string, user: StoredUser | null): Verdict {
  if (!user) return { kind: 'login', returnUrl: path };
  if (passes(rule, user)) return { kind: 'allow' };
  const isClient = user.authorities[0] === 'ROLE_CLIENT';
  return {
    kind: 'go',
    to: isClient && path.split('?')[0] === '/app/play-area' ? '/app/play-area-view' : '/auth/unauthorized',
  };
}

export type HomeVerdict = { kind: 'login'; removeUser: boolean } | { kind: 'ask'; userId: number };

/**
 * The path '/'. A client left over beside a stored therapist is removed; a remaining therapist's sign-in is asked for
 * before the play area opens (whose own channel publishes the JOIN); all others sign in.
 */
export function guardHome(user: (StoredUser & { id: number }) | null, therapist: StoredTherapist | null): HomeVerdict {
  const removeUser = therapist !== null && user?.authorities[0] === 'ROLE_CLIENT';
  const remaining = removeUser ? null : user;
  if (remaining && passes({ groups: ['ROLE_THERAPIST'] }, remaining)) return { kind: 'ask', userId: remaining.id };
  return { kind: 'login', removeUser };
}

/**
 * Where a sign-in leads. Only a path of this very site is followed; '/' is no wish. In: the raw query value.
 * The browser's own reading decides what host it means: `//x`, `/\\x` and `/<tab>/x` are other hosts to it.
 */
export function safeReturnUrl(raw: unknown): string {
  const fallback = '/app/dashboard';
  if (typeof raw !== 'string' || !raw.startsWith('/') || raw.includes('\\')) return fallback;
  const base = 'https://here.invalid';
  let url: URL;
  try {
    url = new URL(raw, base);
  } catch {
    return fallback;
  }
  if (
    url.origin !== base ||
    url.pathname === '/' ||
    url.pathname.startsWith('/user') ||
    url.pathname.startsWith('/auth')
  )
    return fallback;
  return url.pathname + url.search + url.hash;
}
