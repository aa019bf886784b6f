/** Starting servers to be measured as processes of their own, reading what they cost, and ending every one of them. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Started, startProcess, type StartOptions as ProcessOptions } from '../../server/tests/support/process.ts';

export { answering, freePort, type Started } from '../../server/tests/support/process.ts';

/** Clock ticks of /proc a second (sysconf(_SC_CLK_TCK)): 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** What it wrote last is enough for the message of a failure. */
const OUTPUT_MAX = 8000;

const running = new Set<Started>();
const folders = new Set<string>();

export type StartOptions = Omit<ProcessOptions, 'outputMax'>;

/** Starts a TypeScript file with the Node that runs this program. */
export const startNode = (
  file: string,
  args: string[],
  { nodeFlags = [], ...options }: StartOptions & { nodeFlags?: string[] } = {},
): Started => startProgram(process.execPath, [...nodeFlags, file, ...args], options);

/** Starts any program. It is stopped at the end of this one at the latest. */
export function startProgram(command: string, args: string[], options: StartOptions = {}): Started {
  const program = startProcess(command, args, { ...options, outputMax: OUTPUT_MAX });
  const started: Started = {
    ...program,
    async stop(signal) {
      running.delete(started);
      await program.stop(signal);
    },
  };
  running.add(started);
  return started;
}

/** A fresh folder that is gone at the end. */
export async function tempFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `fieldroom-bench-${name}-`));
  folders.add(folder);
  return folder;
}

/** Ends what was started and removes what was made. Called by `program`. */
async function cleanUp(): Promise<void> {
  await Promise.all([...running].map((started) => started.stop()));
  await Promise.all([...folders].map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
  folders.clear();
}

/** Runs a whole bench: cleans up after it in every case, also on Ctrl-C, and ends with code 1 when it failed. */
export async function program(work: () => Promise<void>): Promise<never> {
  let code = 0;
  const interrupted = new Promise<never>((_, reject) => {
    process.once('uncaughtException', reject);
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });
  try {
    await Promise.race([work(), interrupted]);
  } catch (error) {
    console.error(error);
    code = 1;
  }
  await cleanUp();
  process.exit(code);
}

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Waits until the condition holds; throws after `timeoutMs` with what was waited for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
  everyMs = 25,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s in vain for ${what}`);
    await sleep(everyMs);
  }
}

/** User and system time of a process with all its threads, without its children, in ms (to 10 ms: a tick of /proc). */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in brackets and may hold spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Memory of a process that is in RAM, in bytes (VmRSS). */
export function rssBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

/** The process of that name that the given one or one of its children started; the given one when there is none. */
export function descendant(pid: number, name: string): number {
  if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name) return pid;
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text !== '')) {
    const found = descendant(Number(child), name);
    if (readFileSync(`/proc/${found}/comm`, 'utf8').trim() === name) return found;
  }
  return pid;
}

/** How many files this process and those it starts may have open (soft limit). */
export function openFilesLimit(): number {
  const line = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
  return line?.[1] === 'unlimited' ? Infinity : Number(line?.[1] ?? 0);
}

/** These programs read /proc. */
export function needLinux(): void {
  if (!existsSync('/proc/self/stat')) throw new Error('this bench reads /proc and runs on Linux only');
}
