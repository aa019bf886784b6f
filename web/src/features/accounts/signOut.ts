/** Signing out: a therapist goes to '/', a client to the page of their join link (docs/product.md#3.12). */
import { logout, isClient } from '@fieldroom/contract/accounts';
import { api } from '../../platform/api/index.ts';
import { joinPath, forgetPerson, storage } from '../../platform/storage.ts';

/**
 * Ends the sign-in on the server and forgets the person here. Returns where to go. A call that fails does not keep
 * anybody signed in on this browser; the token then expires.
 */
export async function signOut(): Promise<string> {
  const user = storage.get('user');
  const client = storage.get('client');
  const asClient = isClient(user) && client !== null;
  if (user && storage.getText('token') !== null) {
    try {
      await api.call(logout, { params: { userId: user.id }, keepalive: true });
    } catch {
      // Offline or ended already: forgetting is what counts on this browser.
    }
  }
  forgetPerson(storage);
  return asClient ? joinPath(client) : '/';
}
