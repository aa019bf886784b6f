/** The built web on the real server, and a signed-in browser. */
import { fileURLToPath } from 'node:url';
import type { Fieldroom, SignedIn } from '../service/fieldroom.ts';
import { signInDemo } from '../service/fieldroom.ts';
import { startProgram, until } from '../service/processes.ts';
import type { Target } from './chrome.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds the web if a source has changed since the last build. */
export async function buildWeb(): Promise<void> {
  const build = startProgram(
    process.execPath,
    ['--input-type=module', '-e', "import { buildIfChanged } from './tools/build.mjs'; await buildIfChanged();"],
    { cwd: root },
  );
  await until('the build', () => build.child.exitCode !== null, 120_000);
  if (build.child.exitCode !== 0) throw new Error(`the web could not be built:\n${build.output()}`);
}

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
