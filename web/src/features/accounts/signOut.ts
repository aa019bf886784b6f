/** Signing out: a therapist goes to '/', a client to the page of their join link (docs/product.md#3.12). */
import { logout, isClient } from '@fieldroom/contract/accounts';
import { api } from '../../platform/api/index.ts';
import { joinPath, forgetPerson, storage } from '../../platform/storage.ts';

/**
 * Maximum wait for the server's answer, in milliseconds. The call continues after that, even after the page is closed.
 */
const ANSWER_MS = 5_000;

/**
 * Ends the sign-in on the server and forgets the person here. Returns the next address. A call that fails or stalls
 * does not keep anybody signed in on this browser; the token then expires.
 */
export async function signOut(): Promise<string> {
  const user = storage.get('user');
  const client = storage.get('client');
  const asClient = isClient(user) && client !== null;
  if (user && storage.getText('token') !== null) {
    // Offline, or already ended: on this browser only the forgetting matters.
    const ended = api.call(logout, { params: { userId: user.id }, keepalive: true }).catch(() => {});
    // The call has read it. A call of another tab that is refused from now on was made with an older token, and must
    // not lead to a sign-in that returns to this person's page.
    storage.remove('token');
    await Promise.race([ended, new Promise((late) => setTimeout(late, ANSWER_MS))]);
  }
  forgetPerson(storage);
  return asClient ? joinPath(client) : '/';
}
