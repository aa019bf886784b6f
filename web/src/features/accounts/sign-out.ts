/** Leaving (specification 4.3): a therapist goes to '/', a client to the therapist's join link. */
import { api } from '../../platform/api/index.ts';
import { forgetPerson, storage } from '../../platform/storage.ts';
import { logout } from './calls.ts';

/**
 * Ends the sign-in on the server and forgets the person here. Out: where to go. A call that fails does not keep anybody
 * signed in on this browser; the token then ends by itself.
 */
export async function signOut(): Promise<string> {
  const user = storage.get('user');
  const client = storage.get('client');
  const asClient = user?.authorities[0] === 'ROLE_CLIENT' && client !== null;
  if (user && storage.getText('token') !== null) {
    try {
      await api.call(logout, { params: { userId: user.id }, keepalive: true });
    } catch {
      // Offline or ended already: forgetting is what counts on this browser.
    }
  }
  forgetPerson(storage);
  return asClient ? `/user/join/${encodeURIComponent(client.therapist.joinLink)}` : '/';
}
