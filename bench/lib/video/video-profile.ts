/** Shows where the engine's CPU time is spent, with `perf` (Linux): samples of all its threads, grouped by the code
 * they are in. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram, tempFolder } from '../service/processes.ts';

const PERF = '/usr/bin/perf';
/** Makes V8 write the names of its code for perf. */
export const PROFILED_FLAGS = ['--perf-basic-prof'];
/** Whether `perf` is installed. */
export const canProfile = (): boolean => existsSync(PERF);

/** Groups in order of precedence. The innermost frame that matches a group decides. */
const PARTS: readonly [part: string, frame: RegExp][] = [
  ['encryption and decryption (AES, SHA-1)', /sha1|srtp\.|cipher|evp_|aes|ossl|crypto/i],
  [
    'Node’s sockets (dgram, UDPWrap)',
    /node:dgram|node:internal\/dgram|UDPWrap|SendWrap|uv__udp|libc_sendmsg|libc_recvmsg/i,
  ],
  ['forwarding: numbers, layers, rings, timers', /engine\/(forwarding|rtp|transport|room)\/|engine\.worker/],
  [
    'memory (garbage collection, allocation)',
    /Scaveng|Mark|Sweep|Heap::|Evacuat|malloc|_int_free|cfree|ArrayBuffer|BackingStore|Allocat/,
  ],
];

/** The group of a sample. Takes the thread's name, and its stack with the innermost frame first. */
function partOf(comm: string, frames: readonly string[]): string {
  const kernel = frames[0]?.includes('[k]') ?? false;
  if (kernel)
    return frames.some((frame) => /sendmsg/.test(frame))
      ? 'system: sending'
      : frames.some((frame) => /recvmsg/.test(frame))
        ? 'system: receiving'
        : 'system: waiting and waking';
  if (!comm.startsWith('video')) return 'V8’s other threads (compilation, garbage collection)';
  for (const frame of frames.slice(0, 6)) for (const [part, known] of PARTS) if (known.test(frame)) return part;
  return 'Node and V8, other';
}

/** Samples a process for a number of seconds. Returns the share of each group, largest first. */
export async function profile(pid: number, seconds: number): Promise<{ part: string; share: number }[]> {
  const file = join(await tempFolder('perf'), 'data');
  const perf = startProgram(PERF, [
    'record',
    '-q',
    '-e',
    'cpu-clock',
    '-F',
    '997',
    '-g',
    '-p',
    String(pid),
    '-o',
    file,
    '--',
    'sleep',
    String(seconds),
  ]);
  await new Promise((resolve) => perf.child.once('exit', resolve));
  const text = execFileSync(PERF, ['script', '-i', file, '-F', 'comm,ip,sym,dso'], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const counts = new Map<string, number>();
  let all = 0;
  for (const sample of text.split('\n\n')) {
    const [head = '', ...lines] = sample.trim().split('\n');
    if (lines.length === 0) continue;
    const part = partOf(
      head.trim(),
      lines.map((line) => (line.includes('[kernel') ? `${line} [k]` : line)),
    );
    counts.set(part, (counts.get(part) ?? 0) + 1);
    all++;
  }
  return [...counts].map(([part, count]) => ({ part, share: count / all })).sort((a, b) => b.share - a.share);
}
