/** Medians, percentiles, tables, and where results are kept. */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Load of the last minute, before this program added its own. */
const loadBefore = loadavg()[0] ?? 0;
const folder = fileURLToPath(new URL('../results/', import.meta.url));

export function median(values: readonly number[]): number {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that a share of all values does not exceed; nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0
    ? NaN
    : sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]!;
}

/** Counts milliseconds in steps of a quarter up to 5 s, so that millions of values need no memory. */
export interface Histogram {
  add(ms: number): void;
  readonly count: number;
  /** Upper edge of the step in which that share of all values lies, ms. */
  at(share: number): number;
  clear(): void;
}

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

export const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits;
export const show = (value: number, digits = 2): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');
export const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

export type Row = Record<string, string | number>;

/** Rows as a markdown table; the keys of the first row are the head. */
export function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return '(nothing)';
  const keys = Object.keys(first);
  const cells = [keys, ...rows.map((row) => keys.map((key) => String(row[key] ?? '')))];
  const widths = keys.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const lines = cells.map(
    (line) =>
      `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`,
  );
  lines.splice(
    1,
    0,
    `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`,
  );
  return lines.join('\n');
}

export interface Aim {
  what: string;
  aim: string;
  measured: string;
  reached: boolean;
}

export const aimRows = (aims: readonly Aim[]): Row[] =>
  aims.map(({ what, aim, measured, reached }) => ({
    Aim: what,
    wanted: aim,
    measured,
    reached: reached ? 'yes' : 'no',
  }));

/** Prints a report and keeps it as markdown and JSON. In it nothing of the machine but its number of cores. */
export async function keep(name: string, title: string, sections: readonly string[], data: unknown): Promise<void> {
  const date = new Date().toISOString().slice(0, 10);
  const text = [
    `# ${title}`,
    `${date}, Node ${process.version}, ${availableParallelism()} cores, loopback only; load of the machine before it began: ${loadBefore.toFixed(1)}${loadBefore > 0.5 ? ' (not quiet: times and percentiles are worse than they would be)' : ''}.`,
    ...sections,
  ].join('\n\n');
  console.log(`\n${text}\n`);
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}${name}.md`, `${text}\n`);
  await writeFile(
    `${folder}${name}.json`,
    `${JSON.stringify({ date, node: process.version, cores: availableParallelism(), loadBefore, ...(data as object) }, null, 2)}\n`,
  );
}

/** A whole number from the environment. */
export function setting(name: string, standard: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return standard;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} has to be a number above 0`);
  return value;
}

/** A list of whole numbers from the environment: `1,10,40`. */
export function listSetting(name: string, standard: readonly number[]): number[] {
  const text = process.env[name];
  return text === undefined || text === ''
    ? [...standard]
    : text
        .split(',')
        .map(Number)
        .filter((value) => value > 0);
}
