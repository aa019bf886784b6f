/**
 * Shows where a program spends its time: reads the .cpuprofile with the most samples in a folder and sums self time by
 * function and by file. The second argument is the number of seconds at the end to analyse, so that the start does not
 * count. Use: BENCH_ONLY=Fieldroom BENCH_NODE_FLAGS="--cpu-prof --cpu-prof-dir=FOLDER" npm run -w bench fanout, then
 * node bench/profile.ts FOLDER 15.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { show, table } from './lib/numbers.ts';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

const folder = process.argv[2];
if (!folder) throw new Error('usage: node bench/profile.ts FOLDER [SECONDS]');
const files = await Promise.all(
  (await readdir(folder))
    .filter((file) => file.endsWith('.cpuprofile'))
    .map(async (file) => ({ file: join(folder, file), at: (await stat(join(folder, file))).mtimeMs })),
);
// The process with the most samples; its worker threads write small profiles.
const profiles = await Promise.all(
  files.map(async ({ file }) => JSON.parse(await readFile(file, 'utf8')) as CpuProfile),
);
const profile = profiles.sort((a, b) => b.samples.length - a.samples.length)[0];
if (!profile) throw new Error('there is no profile');
const self = new Map<number, number>();
const total = profile.timeDeltas.reduce((sum, delta) => sum + delta, 0);
const from = process.argv[3] ? total - (Number(process.argv[3]) + 1) * 1e6 : 0;
let time = 0;
profile.samples.forEach((node, index) => {
  time += profile.timeDeltas[index]!;
  if (time < from || time > total - 1e6) return;
  self.set(node, (self.get(node) ?? 0) + profile.timeDeltas[index]!);
});
const byFunction = new Map<string, number>();
const byFile = new Map<string, number>();
let busy = 0;
for (const { id, callFrame } of profile.nodes) {
  const micros = self.get(id) ?? 0;
  if (callFrame.functionName === '(idle)' || callFrame.functionName === '(program)')
    console.log(callFrame.functionName, show(micros / 1000, 0), 'ms');
  if (callFrame.functionName === '(idle)' || callFrame.functionName === '(program)') continue;
  busy += micros;
  const where =
    callFrame.url
      .replace(/^file:\/\//, '')
      .split('/')
      .slice(-3)
      .join('/') || 'native';
  const name = `${callFrame.functionName || '(anonymous)'} ${where}:${callFrame.lineNumber + 1}`;
  byFunction.set(name, (byFunction.get(name) ?? 0) + micros);
  byFile.set(where, (byFile.get(where) ?? 0) + micros);
}
const top = (map: Map<string, number>, count: number) =>
  [...map]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([what, micros]) => ({ what, ms: show(micros / 1000, 0), 'of busy %': show((micros / busy) * 100, 1) }));
console.log(table(top(byFunction, 45)));
console.log(table(top(byFile, 20)));
