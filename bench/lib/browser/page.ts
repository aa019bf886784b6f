/** Signs a browser in at the real server. */
import type { Fieldroom, SignedIn } from '../service/fieldroom.ts';
import { signInDemo } from '../service/fieldroom.ts';
import type { Target } from './chrome.ts';

/** Puts the demo therapist's sign-in into the page's storage, without loading the page. */
export async function signInPage(server: Fieldroom, page: Target): Promise<SignedIn> {
  const signedIn = await signInDemo(server);
  const { token, user } = signedIn;
  const entries = {
    token,
    user: JSON.stringify(user),
    therapist: JSON.stringify({ id: user.id, roles: user.roles, joinLink: user.joinLink }),
  };
  // Runs on the server's pages only, before their own scripts.
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `if (location.origin === ${JSON.stringify(server.url)})
      for (const [key, value] of Object.entries(${JSON.stringify(entries)})) localStorage.setItem(key, value);`,
  });
  return signedIn;
}
