/** Starts the real server as its own process on a free port with an empty data folder, and can kill and start it again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));

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
  /** What the server wrote, for tests on the log. */
  output(): string;
  remove(): Promise<void>;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** In: extra settings. Out: the server, answering `/readyz`. */
export async function runServer(settings: Record<string, string> = {}): Promise<RunningServer> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldroom-e2e-'));
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let output = '';

  const start = async () => {
    const started = spawn(process.execPath, [main], { env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, DEMO: '1', NODE_ENV: 'test', ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    started.stdout.on('data', (chunk: Buffer) => { output += chunk.toString(); });
    started.stderr.on('data', (chunk: Buffer) => { output += chunk.toString(); });
    const deadline = Date.now() + 60_000;
    for (;;) {
      if (started.exitCode !== null) throw new Error(`the server ended:\n${output.slice(-4000)}`);
      const ready = await fetch(`${url}/readyz`).then((answer) => answer.ok, () => false);
      if (ready) return;
      if (Date.now() > deadline) throw new Error(`the server is not ready:\n${output.slice(-4000)}`);
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null) return;
    const gone = once(running, 'exit');
    running.kill(signal);
    await gone;
  };

  await start();
  return {
    url, start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    output: () => output,
    async letters(to) {
      const all = await fetch(`${url}/dev/mail.json`).then((answer) => answer.json()) as Letter[];
      return to === undefined ? all : all.filter((letter) => letter.to.includes(to));
    },
    async remove() {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
