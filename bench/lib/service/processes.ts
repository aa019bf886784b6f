/** Starts the measured programs as separate processes, reads their CPU time and memory, and stops them all. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Started,
  startProcess,
  type StartOptions as ProcessOptions,
} from '../../../server/tests/support/programs/process.ts';

export { answering, buildIfChanged, freePort, type Started } from '../../../server/tests/support/programs/process.ts';

/** Clock ticks of /proc per second (sysconf(_SC_CLK_TCK)): 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The last part of a program's output is enough for an error message. */
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

/** Starts any program. It is stopped when this program ends, at the latest. */
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

/** Creates a folder which is removed at the end. */
export async function tempFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `fieldroom-bench-${name}-`));
  folders.add(folder);
  return folder;
}

/** Stops all started programs and removes all created folders. */
async function cleanUp(): Promise<void> {
  await Promise.all([...running].map((started) => started.stop()));
  await Promise.all([...folders].map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
  folders.clear();
}

/** Runs a benchmark. Cleans up in every case, even on Ctrl-C, and exits with code 1 when it failed. */
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

/** Resolves after this many milliseconds. */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Calls `work` for each item, for at most `width` at a time. Returns the results in order. */
export async function mapInParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length });
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]!);
    }),
  );
  return results;
}

/** Waits until the condition holds. Takes a description for the error. Throws after `timeoutMs`. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
  everyMs = 25,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timeout after ${timeoutMs / 1000} s while waiting for ${what}`);
    await sleep(everyMs);
  }
}

/** User and system time of a process and its threads in ms, without its children. Resolution 10 ms, a tick of /proc. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in brackets, which may contain spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Resident memory of a process (VmRSS), in bytes. */
export function rssBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

/** A process and all its descendants. Processes that have just ended are left out. */
export function family(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter((text) => text !== ''),
    );
    return [pid, ...children.flatMap((child) => family(Number(child)))];
  } catch {
    return [];
  }
}

/** The descendant of a process with a name, or the process itself when there is none. Takes process id and name. */
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

/** The maximum number of open files of this process and its children (soft limit). */
export function openFilesLimit(): number {
  const line = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
  return line?.[1] === 'unlimited' ? Infinity : Number(line?.[1] ?? 0);
}

/** Throws on systems without /proc, which these programs read. */
export function needLinux(): void {
  if (!existsSync('/proc/self/stat')) throw new Error('this benchmark reads /proc and runs on Linux only');
}
