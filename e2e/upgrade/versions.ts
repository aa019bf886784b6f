/** The server of both versions as processes: the older one as its own tools start it, today's as it is in use. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  answering,
  freePort,
  MAIN,
  NODE_FLAGS,
  startProcess,
  type Started,
} from '../../server/tests/support/programs/process.ts';

export type Version = 'older' | 'today';

const TODAY = fileURLToPath(new URL('../../', import.meta.url));
const START_MS = 300_000;

/** A server of one of the versions, which answers `/readyz`. */
export interface Node extends Started {
  readonly version: Version;
  readonly port: number;
  readonly url: string;
}

/** Where a version is. The older one was built there by `main.mjs`. */
function folderOf(version: Version): string {
  if (version === 'today') return TODAY;
  const folder = process.env['UPGRADE_FROM'];
  if (folder === undefined) throw new Error('UPGRADE_FROM names no folder: start this with npm run test:upgrade');
  return folder;
}

const textOf = (version: Version, file: string): string => readFileSync(join(folderOf(version), file), 'utf8');

/** The calls that a version knows, as `POST /path`. */
export const callsOf = (version: Version): string[] =>
  textOf(version, 'docs/calls.tsv')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t').slice(0, 2).join(' '));

/** How many numbered migrations a version has. */
export const migrationsOf = (version: Version): number =>
  (JSON.parse(textOf(version, 'server/migrations/meta/_journal.json')) as { entries: unknown[] }).entries.length;

/** Whether nodes of the older version work together; before that `REDIS_URL` was refused. */
export const olderHasNodes = (): boolean => existsSync(join(folderOf('older'), 'server/migrations/0031_nodes.sql'));

/** Whether the older version kept the scripts of its web for pages that are open when it is gone. */
export const olderKeepsScripts = (): boolean => existsSync(join(folderOf('older'), 'server/src/pages/pages.kept.ts'));

/** Node and its arguments for the older version: in one process, so that a signal reaches the server itself. */
function olderCommand(): { command: string; args: string[] } {
  const folder = folderOf('older');
  const packaged = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  const flags = existsSync(join(folder, 'server/node-flags.json')) ? textOf('older', 'server/node-flags.json') : '[]';
  return {
    command: existsSync(packaged) ? packaged : process.execPath,
    args: [...(JSON.parse(flags) as string[]), 'tools/start.mjs'],
  };
}

/** Starts the program of a version. The caller waits and ends it. */
export async function startVersion(
  version: Version,
  settings: Record<string, string>,
): Promise<{ started: Started; port: number; url: string }> {
  const port = await freePort();
  const { command, args } =
    version === 'older' ? olderCommand() : { command: process.execPath, args: [...NODE_FLAGS, MAIN] };
  const started = startProcess(command, args, {
    cwd: folderOf(version),
    env: {
      ...{ PORT: String(port), HOST: '127.0.0.1', NODE_ENV: 'test', DEMO: '1' },
      // A busy machine is no fault of a version.
      ...{ DATABASE_TIMEOUT_MS: '15000', MAX_LAG_MS: '0' },
      ...settings,
    },
  });
  return { started, port, url: `http://127.0.0.1:${port}` };
}

/** Starts a version and waits until it is ready. */
export async function startNode(version: Version, settings: Record<string, string>): Promise<Node> {
  const { started, port, url } = await startVersion(version, settings);
  try {
    await answering(started, `${url}/readyz`, START_MS);
  } catch (error) {
    await started.stop('SIGKILL');
    throw new Error(`${version}: ${(error as Error).message}`);
  }
  return { ...started, version, port, url };
}
