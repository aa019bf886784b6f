/**
 * Starts the real server as its own process on a free port with an empty data folder, and can kill and start it
 * again.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answering, freePort, MAIN, startProcess, type Started } from '../server/tests/support/process.ts';

/** Names the folder that `prepare.ts` made. */
export const PREPARED = 'E2E_PREPARED_DATA';
/** Beside two journeys and whatever else keeps the machine, it has taken half a minute. */
const START_MS = 150_000;
/** Settings that make another practice, or keep it elsewhere. */
const OTHER_DATA = ['DEMO', 'DATABASE_URL', 'DATA_DIR'];

export interface Letter {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  createdAt: string;
}

export interface RunningServer {
  url: string;
  /** kill -9: nothing is drained. */
  kill(): Promise<void>;
  /** Asks to stop and waits. */
  stop(): Promise<void>;
  start(): Promise<void>;
  letters(to?: string): Promise<Letter[]>;
  /** Tells the running program something by a signal it was prepared for. */
  signal(name: NodeJS.Signals): void;
  /** What the server wrote, for tests on the log. */
  output(): string;
  remove(): Promise<void>;
  /** Stops and leaves the data to the caller. Returns its folder. */
  leave(): Promise<string>;
}

/** Takes extra settings. Resolves with the server once it answers `/readyz`. */
export async function runServer(settings: Record<string, string> = {}): Promise<RunningServer> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldroom-e2e-'));
  const url = `http://127.0.0.1:${port}`;
  const prepared = process.env[PREPARED];
  // With owners and rights: the database belongs to a user of its own where we are root, and starts for nobody else.
  if (prepared !== undefined && !OTHER_DATA.some((name) => name in settings))
    await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir]);
  let running: Started | null = null;
  /** Of the processes before the running one. */
  let before = '';

  const start = async () => {
    // Patience with a busy machine: what a journey waits for is not what the time limit is about.
    running = startProcess(process.execPath, [MAIN], {
      env: {
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        DEMO: '1',
        NODE_ENV: 'test',
        DATABASE_TIMEOUT_MS: '15000',
        ...settings,
      },
    });
    await answering(running, `${url}/readyz`, START_MS);
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = running;
    running = null;
    await ending?.stop(signal);
    before += ending?.output() ?? '';
  };

  const remove = async () => {
    await end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  };

  try {
    await start();
  } catch (error) {
    // Nobody else could end it.
    await remove();
    throw error;
  }
  return {
    url,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    signal: (name) => void running?.child.kill(name),
    output: () => before + (running?.output() ?? ''),
    async letters(to) {
      const all = (await fetch(`${url}/dev/mail.json`).then((answer) => answer.json())) as Letter[];
      return to === undefined ? all : all.filter((letter) => letter.to.includes(to));
    },
    remove,
    async leave() {
      await end('SIGTERM');
      return dataDir;
    },
  };
}
