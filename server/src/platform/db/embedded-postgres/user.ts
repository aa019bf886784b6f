/** Which user the server runs as. */
import * as fs from 'node:fs/promises';
import { userInfo } from 'node:os';
import { recordedPlace } from './place.ts';
import { run } from './run.ts';
import { EmbeddedPostgresError } from './terms.ts';

/** The user of PostgreSQL. `switchTo` is set only if that is somebody other than this process's user. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly switchTo?: { readonly uid: number; readonly gid: number };
}

/**
 * PostgreSQL refuses to run as root. As root we hand it to the owner of an existing cluster, else to `postgres`, else
 * to `nobody`. The owner comes first: a `postgres` user may appear on the machine after the first start.
 */
export async function chooseUser(dataDir: string): Promise<ServerUser> {
  const [uid, gid] = [process.getuid!(), process.getgid!()];
  if (uid !== 0) return { name: ownName(), uid, gid };

  const place = await recordedPlace(dataDir);
  const owner = place === undefined ? undefined : await fs.stat(place).catch(() => undefined);
  if (owner && owner.uid !== 0)
    return {
      name: `user ${owner.uid}`,
      uid: owner.uid,
      gid: owner.gid,
      switchTo: { uid: owner.uid, gid: owner.gid },
    };
  for (const name of ['postgres', 'nobody']) {
    const switchTo = { uid: await idOf('-u', name), gid: await idOf('-g', name) };
    if (switchTo.uid > 0 && switchTo.gid > 0) return { name, ...switchTo, switchTo };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody. Start Fieldroom as an ordinary user, or set DATABASE_URL.',
  );
}

/** Numeric user (`-u`) or group (`-g`) id, 0 if there is no such user. */
async function idOf(what: '-u' | '-g', name: string): Promise<number> {
  const result = await run('id', [what, name], {});
  return result.code === 0 ? Number(result.stdout.trim()) : 0;
}

/** Name of the user of this process; in containers there may only be a number. */
export function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
