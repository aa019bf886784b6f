/**
 * Programs started as separate processes, for journeys and benches: their build, a free port, their output, whether
 * they answer, their end.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = (file: string): string => fileURLToPath(new URL(`../../../../${file}`, import.meta.url));
/** The server's own program, as it is in use. Whoever starts it builds it first (`buildIfChanged`). */
export const MAIN = repository('server/dist/main.js');
const readJson = (name: string): unknown => JSON.parse(readFileSync(repository(`server/${name}`), 'utf8'));
/** The flags with which Node runs it where it is in use. */
export const NODE_FLAGS = readJson('node-flags.json') as readonly string[];
/** The environment in which Node runs it there, beside the settings. */
export const NODE_ENVIRONMENT = readJson('node-environment.json') as Readonly<Record<string, string>>;
/** As `npm start` does, which keeps it there too. */
const COMPILED = repository('node_modules/.cache/fieldroom/compiled');

/** Real time after which a program that was asked to end is killed. */
const STOP_MS = 60_000;
const ANSWER_MS = 100_000;
const LOOK_EVERY_MS = 50;

export interface Started {
  /** 0 if it could not be started. */
  readonly pid: number;
  readonly child: ChildProcess;
  /** Its output, up to the last `outputMax` characters. */
  output(): string;
  /** Sends the signal (SIGTERM) and waits for the end; kills it after a minute. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface StartOptions {
  /** In addition to the environment of this process. */
  env?: Record<string, string>;
  cwd?: string;
  /** A file descriptor that takes its standard output instead of us. */
  stdout?: number;
  /** Opens a channel for `process.send`. */
  ipc?: boolean;
  /** Characters of output that are kept; all by default. */
  outputMax?: number;
}

/** Builds each of the parts whose sources have changed since its last build. @throws what a failed build wrote. */
export async function buildIfChanged(...parts: readonly ('server' | 'web')[]): Promise<void> {
  await promisify(execFile)(process.execPath, [repository('tools/build.mjs'), '--changed', ...parts]);
}

/** Starts a program. The caller ends it. */
export function startProcess(
  command: string,
  args: readonly string[],
  { env = {}, cwd, stdout, ipc = false, outputMax = Infinity }: StartOptions = {},
): Started {
  const child = spawn(command, args, {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...NODE_ENVIRONMENT, ...env },
    cwd,
    stdio: ['ignore', stdout ?? 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
    if (output.length > outputMax) output = output.slice(-outputMax);
  };
  child.stdout?.on('data', keep);
  child.stderr!.on('data', keep);
  child.on('error', (error) => keep(Buffer.from(String(error))));
  return {
    pid: child.pid ?? 0,
    child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      const cut = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(cut);
    },
  };
}

/** Ports that no system hands out by itself: until the program listens, no socket that others open gets it. */
const PORTS = { from: 20_000, until: 32_000 };

/** Listens at a port or at a socket's name. Resolves with the listener, or null if somebody else has it. */
function listenAt(at: { port: number; host: string } | { path: string }): Promise<Server | null> {
  const listener = createServer().listen(at);
  return once(listener, 'listening').then(
    () => listener,
    () => null,
  );
}

/**
 * Takes a port for as long as this process lives, so that tests beside it don't choose the same before a program
 * listens: a journey once talked to the server of another. A name that starts with a zero byte needs no file, and is
 * free again when this process ends, however it ends. Resolves with whether it was free; only Linux can tell.
 */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const reservation = await listenAt({ path: `\0fieldroom-test-port-${port}` });
  reservation?.unref();
  return reservation !== null;
}

/**
 * Returns a port of 127.0.0.1 at which nobody listens, and which no other test gets while this process lives. Takes the
 * range.
 */
export async function freePort({ from, until } = PORTS): Promise<number> {
  for (;;) {
    const port = randomInt(from, until);
    const probe = await listenAt({ port, host: '127.0.0.1' });
    if (probe === null) continue;
    probe.close();
    await once(probe, 'close');
    if (await reserve(port)) return port;
  }
}

/**
 * Waits until the address answers 2xx. @throws the program's output, if it ended or did not answer within `timeoutMs`
 * of real time.
 */
export async function answering(started: Started, address: string, timeoutMs = ANSWER_MS): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (started.child.exitCode !== null || started.child.signalCode !== null || started.pid === 0)
      throw new Error(`the server ended:\n${started.output().slice(-4000)}`);
    if (
      await fetch(address).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    if (performance.now() > deadline)
      throw new Error(`${new URL(address).pathname} does not answer:\n${started.output().slice(-4000)}`);
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
}
