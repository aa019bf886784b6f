/** Medians, percentiles, tables, and writing results. */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Load average of the minute before this program started. */
const loadBefore = loadavg()[0] ?? 0;
const folder = fileURLToPath(new URL('../results/', import.meta.url));

/** The median of the finite values; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A percentile by the nearest-rank method. Takes the share, from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0
    ? NaN
    : sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]!;
}

/** The slope of a line fitted by least squares. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const n = points.length;
  const [sx, sy] = points.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  const [mx, my] = [sx / n, sy / n];
  return (
    points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  );
}

/** Counts milliseconds up to 5 s in buckets of 0.25 ms, so that millions of values need little memory. */
export interface Histogram {
  add(ms: number): void;
  readonly count: number;
  /** Upper edge of the step in which that share of all values lies, ms. */
  at(share: number): number;
  clear(): void;
}

/** An empty histogram. Values above 5 s count as 5 s; without values every share is NaN. */
export function createHistogram(): Histogram {
  const steps = new Uint32Array(20_001);
  let count = 0;
  return {
    add(ms) {
      steps[Math.min(20_000, Math.max(0, Math.floor(ms * 4)))]!++;
      count++;
    },
    get count() {
      return count;
    },
    at(share) {
      if (count === 0) return NaN;
      let rest = Math.ceil(share * count);
      for (let step = 0; step < steps.length; step++) {
        rest -= steps[step]!;
        if (rest <= 0) return (step + 1) / 4;
      }
      return Infinity;
    },
    clear() {
      steps.fill(0);
      count = 0;
    },
  };
}

/** A number rounded to some decimal places. */
export const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits;
/** A number with a fixed number of decimal places; a dash for NaN and infinity. */
export const show = (value: number, digits = 2): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');
/** Bytes in kilobytes (1,000 bytes), with one decimal place. */
export const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

export type Row = Record<string, string | number>;

/** Formats rows as a Markdown table. The keys of the first row are its header. */
export function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return '(nothing)';
  const keys = Object.keys(first);
  const cells = [keys, ...rows.map((row) => keys.map((key) => String(row[key] ?? '')))];
  const widths = keys.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  // The first column is aligned left, numbers right.
  const pad = (cell: string, width: number, column: number) =>
    column === 0 ? cell.padEnd(width) : cell.padStart(width);
  const lines = cells.map(
    (line) => `| ${line.map((cell, column) => pad(cell, widths[column]!, column)).join(' | ')} |`,
  );
  const rules = widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`));
  lines.splice(1, 0, `|${rules.join('|')}|`);
  return lines.join('\n');
}

export interface Aim {
  what: string;
  aim: string;
  measured: string;
  reached: boolean;
}

/** Targets and results, as rows of a table. */
export const aimRows = (aims: readonly Aim[]): Row[] =>
  aims.map(({ what, aim, measured, reached }) => ({
    Aim: what,
    wanted: aim,
    measured,
    reached: reached ? 'yes' : 'no',
  }));

/** Prints a report and writes it as Markdown and JSON. It reveals nothing about the machine except its number of
 * cores. */
export async function keep(name: string, title: string, sections: readonly string[], data: unknown): Promise<void> {
  const date = new Date().toISOString().slice(0, 10);
  const text = [
    `# ${title}`,
    [
      `${date}, Node ${process.version}, ${availableParallelism()} cores, loopback only;`,
      `load of the machine before the run: ${loadBefore.toFixed(1)}`,
      ...(loadBefore > 0.5 ? ['(not quiet: times and percentiles are worse than on a quiet machine)'] : []),
    ].join(' '),
    ...sections,
  ].join('\n\n');
  console.log(`\n${text}\n`);
  const about = { date, node: process.version, cores: availableParallelism(), loadBefore };
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}${name}.md`, `${text}\n`);
  await writeFile(`${folder}${name}.json`, `${JSON.stringify({ ...about, ...(data as object) }, null, 2)}\n`);
}

/** A number above 0 from the environment. */
export function setting(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} must be a number above 0`);
  return value;
}

/** Flags for the Node of our server, from `BENCH_NODE_FLAGS`, such as `--cpu-prof --cpu-prof-dir=profiles`. */
export const nodeFlags = (): string[] =>
  (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');

/** A list of numbers above 0 from the environment, such as `1,10,40`. */
export function listSetting(name: string, fallback: readonly number[]): number[] {
  const text = process.env[name];
  return text === undefined || text === ''
    ? [...fallback]
    : text
        .split(',')
        .map(Number)
        .filter((value) => value > 0);
}
