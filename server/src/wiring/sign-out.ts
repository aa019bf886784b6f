/** What ends with a sign-in: the live session, the real-time connections and the video. */
import type { Accounts } from '../features/accounts/index.ts';
import type { Clients } from '../features/clients/index.ts';
import type { RoomNodes } from '../features/room/index.ts';
import type { Sessions } from '../features/sessions/index.ts';
import type { Video } from '../features/video/index.ts';
import type { ConnectionOrders } from '../realtime/connections.ts';

export interface SignOutParts {
  accounts: Pick<Accounts, 'forget' | 'onSignOut' | 'onSignInsEnded'>;
  clients: Pick<Clients, 'leave'>;
  sessions: Pick<Sessions, 'end'>;
  connections: Pick<ConnectionOrders, 'closeAccount' | 'closeSignIn'>;
  video: Pick<Video, 'closePerson' | 'closeSignIn'>;
  roomNodes: Pick<RoomNodes, 'on'>;
}

/** Listens to the accounts. Returns what closes the connections of one sign-in. */
export function connectSignOut({ accounts, clients, sessions, connections, video, roomNodes }: SignOutParts) {
  function closeSignIn(accountId: number, tokenHash: Buffer): void {
    connections.closeSignIn(accountId, tokenHash);
    video.closeSignIn(accountId, tokenHash);
  }
  accounts.onSignOut(async (principal) => {
    if (principal.kind === 'client') return clients.leave(principal.id);
    try {
      await sessions.end(principal.id, 'signed_out');
    } finally {
      // The sign-in has already ended, and cannot be used to try again.
      closeSignIn(principal.id, principal.tokenHash);
    }
  });
  // The others forget at once what they remember of a sign-in that may have ended.
  roomNodes.on<{ kind: string }>('connections', (therapistId, { kind }) => {
    if (kind === 'account' || kind === 'signIn') accounts.forget(therapistId);
  });
  accounts.onSignInsEnded((accountId) => {
    connections.closeAccount(accountId);
    video.closePerson(accountId);
  });
  return { closeSignIn };
}
