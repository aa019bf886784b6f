/** Where the cluster and the socket lie, and that the server’s user gets there. */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { exists, hash, makeFolder } from './folders.ts';
import { canUse } from './run.ts';
import { type EmbeddedPostgresLog, EmbeddedPostgresError } from './terms.ts';
import type { ServerUser } from './user.ts';

/** Longest path of a Unix socket: 108 bytes with the closing zero on Linux, 104 on macOS. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

const noteIn = (dataDir: string) => path.join(dataDir, 'postgres.location');

/** Where the cluster of this data folder is; undefined if there is none yet. */
export async function recordedPlace(dataDir: string): Promise<string | undefined> {
  const beside = path.join(dataDir, 'postgres');
  if (await exists(beside)) return beside;
  const noted = (await fs.readFile(noteIn(dataDir), 'utf8').catch(() => '')).split('\n')[0] ?? '';
  if (noted === '') return undefined;
  if (await exists(noted)) return noted;
  // An empty database would look like lost data, so a person must decide.
  throw new EmbeddedPostgresError(
    `${noteIn(dataDir)} says that the database lies in ${noted}, but nothing is there. Bring it back, or remove the note to start with an empty database.`,
  );
}

/**
 * The folder of the cluster. Normally `dataDir/postgres`; if the server's user cannot get there (a data folder below a
 * home that only root may enter), a separate folder below `/var/lib/fieldroom`. Its path is written to
 * `dataDir/postgres.location`, so that later starts and people find it. Removing the data folder removes that note and
 * so gives up the data.
 */
export async function placeCluster(
  dataDir: string,
  user: ServerUser,
  systemFolder: string,
  log: EmbeddedPostgresLog,
): Promise<string> {
  await letIn(user, dataDir);
  const recorded = await recordedPlace(dataDir);
  if (recorded !== undefined) {
    if (user.switchTo) await giveTo(user, recorded);
    else {
      const { uid } = await fs.stat(recorded);
      if (uid !== user.uid)
        throw new EmbeddedPostgresError(
          `The database in ${recorded} belongs to user ${uid}, but Fieldroom runs as ${user.name}. Start it as the user who started it first, or change the owner of the folder.`,
        );
    }
    if (!(await canUse(user, '-x', path.join(recorded, '.'))))
      throw new EmbeddedPostgresError(
        `PostgreSQL runs as ${user.name}, who can no longer reach ${recorded}. Let others enter the folders above it (chmod o+x), or move the data folder.`,
      );
    return recorded;
  }
  if (!user.switchTo || (await canUse(user, '-x', path.join(dataDir, '.')))) return path.join(dataDir, 'postgres');

  // The random part prevents a new start on an emptied data folder from finding the old one's rows.
  const name = `${hash(dataDir)}-${randomBytes(3).toString('hex')}`;
  const elsewhere = path.join(systemFolder, name);
  await makeFolder(systemFolder);
  if (!(await canUse(user, '-x', path.join(systemFolder, '.'))))
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and ${user.name} can reach neither ${dataDir} nor ${systemFolder}. Set DATA_DIR to a folder that other users may enter, or start Fieldroom as an ordinary user.`,
    );
  await fs.writeFile(
    noteIn(dataDir),
    `${elsewhere}\nThe database lies there: PostgreSQL runs as ${user.name}, who cannot enter the folders above this one.\n`,
  );
  // If making the cluster fails, the note must not name a place that does not exist.
  await fs.mkdir(elsewhere, { mode: 0o700 });
  await fs.chown(elsewhere, user.uid, user.gid);
  log.warn(
    { dataDir, clusterDir: elsewhere },
    `PostgreSQL runs as ${user.name}, who cannot reach ${dataDir}; the database lies in ${elsewhere}`,
  );
  return elsewhere;
}

/**
 * Opens a data folder that root closed to everybody (0700, as `mkdtemp` makes them) to the group of the server's user,
 * who may then pass through it, but not list it; others stay out.
 */
async function letIn(user: ServerUser, dataDir: string): Promise<void> {
  if (!user.switchTo || (await canUse(user, '-x', path.join(dataDir, '.')))) return;
  const { uid, mode } = await fs.stat(dataDir);
  // Folders further up that are closed, such as a home, are not ours to open.
  if (uid !== process.getuid?.() || !(await canUse(user, '-x', path.join(path.dirname(dataDir), '.')))) return;
  await fs.chown(dataDir, uid, user.gid);
  await fs.chmod(dataDir, (mode & 0o707) | 0o010);
}

/** Gives a cluster that root restored or copied to the server's user; checks the top folder first, so it is quick. */
async function giveTo(user: ServerUser, folder: string): Promise<void> {
  const { uid } = await fs.lstat(folder);
  if (uid === user.uid) return;
  const walk = async (at: string): Promise<void> => {
    const info = await fs.lstat(at);
    if (info.isDirectory()) for (const name of await fs.readdir(at)) await walk(path.join(at, name));
    await fs.lchown(at, user.uid, user.gid);
  };
  await walk(folder);
}

/**
 * A folder for the socket: short, whatever the name of the data folder, and closed to others, because the server trusts
 * everybody who reaches the socket. A folder of that name that does not belong to us stays untouched.
 */
export async function makeSocketDir(clusterDir: string, user: ServerUser): Promise<string> {
  const longest = '/fieldroom-0123456789abcdef/.s.PGSQL.5432';
  const own = tmpdir();
  const base = user.switchTo || Buffer.byteLength(own + longest) > MAX_SOCKET_PATH_BYTES ? '/tmp' : own;
  const wanted = path.join(base, `fieldroom-${hash(clusterDir)}`);
  try {
    await fs.mkdir(wanted, { mode: 0o700 });
    await fs.lchown(wanted, user.uid, user.gid);
    return wanted;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = await fs.lstat(wanted);
  if (found.isDirectory() && found.uid === user.uid && (found.mode & 0o077) === 0) return wanted;
  const fresh = await fs.mkdtemp(path.join(base, 'fieldroom-'));
  await fs.lchown(fresh, user.uid, user.gid);
  return fresh;
}
