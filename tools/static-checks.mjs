/** The checks that `npm run check` and `npm test` share, and how their results are shown. */
import { availableParallelism } from 'node:os';
import { run } from './run.mjs';

/**
 * @typedef {object} Part one line of the table
 * @property {string} name
 * @property {boolean} ok
 * @property {number} seconds
 * @property {string} output what it wrote; shown when it failed
 */

const cores = availableParallelism();
/**
 * Environment of the compilers, which are written in Go. Two checks run at a time, so each gets half of the cores. With
 * GOGC=400 memory may grow to five times what is in use (1.5 GB) before garbage collection, which saves a sixth of
 * their time.
 */
const GO = { GOMAXPROCS: String(Math.max(1, Math.floor(cores / 2))), GOGC: '400' };
/** Several type checkers repeat most of each other's work, which doubles the time on two cores. */
const CHECKERS = String(Math.min(4, Math.max(1, Math.floor(cores / 4))));

/** @type {readonly { name: string, command: string, args: readonly string[], env?: Record<string, string> }[]} */
const STATIC = [
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'], env: GO },
  { name: 'types', command: 'tsc', args: ['-b', '--checkers', CHECKERS], env: GO },
  // Keeps what it knows about each file, by its size and time of change: 0.8 s of CPU time instead of 3.6.
  { name: 'dead code', command: 'knip', args: ['--cache', '--no-progress', '--no-config-hints'] },
  { name: 'imports', command: process.execPath, args: ['tools/imports.mjs'] },
  { name: 'folders', command: process.execPath, args: ['tools/folders.mjs'] },
  { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
  { name: 'columns', command: process.execPath, args: ['tools/columns.mjs'] },
  { name: 'regexes', command: process.execPath, args: ['tools/regexes.mjs'] },
];

/** Checks the size of the web's bundles. Builds the web and the server, unless they are built already. */
export const bundleSize = () => part('bundle size', process.execPath, ['tools/bundles.mjs'], { yielding: true });

/**
 * Jobs for `inParallel` that check the code without running it, longest first. They have a lower priority than the
 * tests and the build, which take longer than all of them, and get the cores while those wait.
 */
export const staticChecks = STATIC.map(
  ({ name, command, args, env = {} }) =>
    () =>
      part(name, command, args, { env, yielding: true }),
);

/**
 * Runs a program and returns its result as a line of the table.
 * @param {string} name
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('./run.mjs').RunOptions} [options]
 * @returns {Promise<Part>}
 */
export async function part(name, command, args, options) {
  const { code, output, seconds } = await run(command, args, options);
  return { name, ok: code === 0, seconds, output };
}

/**
 * Prints the output of failed checks, then the table.
 * @param {readonly Part[]} parts
 */
export function report(parts) {
  for (const { name, output } of parts.filter(({ ok }) => !ok)) console.log(`\n── ${name} ──\n${output.trim()}`);
  console.log('');
  for (const { name, ok, seconds } of parts)
    console.log(`${ok ? '✓' : '✗'} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s`);
}
