/** Who a token belongs to, and whether a sign-in still holds. Accounts and clients know it together. */
import type { Principal } from '../access.ts';
import type { Accounts } from '../features/accounts/index.ts';
import type { Clients } from '../features/clients/index.ts';
import type { Db } from '../platform/db/db.ts';
import { Problem } from '../platform/problem.ts';
import { hashToken } from '../platform/tokens.ts';

export interface SignIns {
  /** Who a token belongs to: a therapist's sign-in or a client's seat; a Problem says why one has ended. */
  identify(token: string): Promise<Principal | Problem | null>;
  /** The same for a connection to a room. */
  identifyInRoom(token: string): Promise<Principal | Problem | null>;
  isAccountSignedIn(tokenHash: Buffer): Promise<boolean>;
  isSignedIn(principal: Principal): Promise<boolean>;
}

export interface SignInsParts {
  accounts: Pick<Accounts, 'identifyAccount'>;
  clients: Pick<Clients, 'identifySeat' | 'seatOf' | 'whyEnded'>;
  /** The shares of database connections that calls have, and connections to rooms. */
  db: Db;
  roomDb: Db;
}

/** Makes what asks for sign-ins. Takes accounts, clients and the database. */
export function createSignIns({ accounts, clients, db, roomDb }: SignInsParts): SignIns {
  /** Takes the share of connections that an account is looked up with. */
  async function identify(token: string, share: Db): Promise<Principal | Problem | null> {
    const hash = hashToken(token);
    const principal = (await accounts.identifyAccount(hash, share)) ?? (await clients.identifySeat(hash));
    if (principal !== null) return principal;
    const ended = await clients.whyEnded(hash);
    return ended === null ? null : new Problem(ended);
  }
  const isAccountSignedIn = async (tokenHash: Buffer) => (await accounts.identifyAccount(tokenHash, roomDb)) !== null;

  return {
    identify: (token) => identify(token, db),
    // A crowd of calls that has taken all its connections keeps nobody from coming back to a room.
    // Most of those who come are clients: their seats are looked for first.
    identifyInRoom: async (token) => (await clients.identifySeat(hashToken(token))) ?? identify(token, roomDb),
    isAccountSignedIn,
    isSignedIn: async (principal) =>
      principal.kind === 'client'
        ? (await clients.seatOf(principal.id)) !== null
        : isAccountSignedIn(principal.tokenHash),
  };
}
