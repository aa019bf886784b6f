/** Starts the real server as its own process, on a free port with its own data folder; can kill and restart it. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  answering,
  freePort,
  MAIN,
  NODE_FLAGS,
  startProcess,
  type Started,
} from '../server/tests/support/programs/process.ts';
import { throwawayFolder } from '../server/tests/support/programs/throwaway-folder.ts';

/** The environment variable that names the folder which `prepare.ts` created. */
export const PREPARED = 'E2E_PREPARED_DATA';
/** On a busy machine with two journeys, starting has taken half a minute. */
const START_MS = 150_000;
/** Settings that need other data, or keep it elsewhere: with one of them the prepared folder is not used. */
const OTHER_DATA = ['DEMO', 'DATABASE_URL', 'DATA_DIR'];

export interface Email {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  createdAt: string;
}

export interface RunningServer {
  url: string;
  /** Ends the process with SIGKILL, without a clean shutdown. */
  kill(): Promise<void>;
  /** Ends the process with SIGTERM and waits for it. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The emails sent so far. Takes an address to return only the emails to it. */
  emails(to?: string): Promise<Email[]>;
  /** Whether it was stopped or killed since the start. */
  wasDown(): boolean;
  /** Sends the process a signal that it handles. */
  signal(name: NodeJS.Signals): void;
  /** Everything the server has written, for tests of the log. */
  output(): string;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
  /** Stops the server and keeps its data. Returns the data folder. */
  leave(): Promise<string>;
}

/** Takes settings to add. Resolves once the server answers `/readyz`. */
export async function runServer(settings: Record<string, string> = {}): Promise<RunningServer> {
  const dataDir = await throwawayFolder('fieldroom-e2e-');
  const prepared = process.env[PREPARED];
  // `cp -a` keeps the owner: when we are root, the database belongs to another user and starts for that user only.
  if (prepared !== undefined && !OTHER_DATA.some((name) => name in settings))
    await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir]);
  // Choose it after the copy, which takes long on a busy machine: another process could get the same port in that time.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let running: Started | null = null;
  /** Output of earlier processes. */
  let earlierOutput = '';
  let wasDown = false;

  const start = async () => {
    running = startProcess(process.execPath, [...NODE_FLAGS, MAIN], {
      env: {
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        DEMO: '1',
        NODE_ENV: 'test',
        // On a busy machine the default would fail calls that a journey waits for.
        DATABASE_TIMEOUT_MS: '15000',
        // A machine that stalls for seconds makes the server late for a moment, and no call may fail because of that.
        MAX_LAG_MS: '0',
        ...settings,
      },
    });
    await answering(running, `${url}/readyz`, START_MS);
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = running;
    running = null;
    wasDown = true;
    await ending?.stop(signal);
    earlierOutput += ending?.output() ?? '';
  };

  const remove = async () => {
    await end('SIGTERM');
    // The database of a server that had to be killed ends on its own, and writes until then.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  };

  try {
    await start();
  } catch (error) {
    // The caller has no handle yet to stop it.
    await remove();
    throw error;
  }
  return {
    url,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    wasDown: () => wasDown,
    signal: (name) => void running?.child.kill(name),
    output: () => earlierOutput + (running?.output() ?? ''),
    async emails(to) {
      const all = (await fetch(`${url}/dev/mail.json`).then((answer) => answer.json())) as Email[];
      return to === undefined ? all : all.filter((email) => email.to.includes(to));
    },
    remove,
    async leave() {
      await end('SIGTERM');
      return dataDir;
    },
  };
}
