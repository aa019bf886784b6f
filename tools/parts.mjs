/** The checks that `npm run check` and `npm test` share, and how their results are shown. */
import { run } from './run.mjs';

/**
 * @typedef {object} Part one line of the table
 * @property {string} name
 * @property {boolean} ok
 * @property {number} seconds
 * @property {string} output what it wrote; shown when it failed
 */

/** @type {readonly { name: string, command: string, args: readonly string[] }[]} */
const STATIC = [
  { name: 'types', command: 'tsc', args: ['-b'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'imports', command: process.execPath, args: ['tools/imports.mjs'] },
  { name: 'dead code', command: 'knip', args: ['--no-progress', '--no-config-hints'] },
];

/** What needs no running code: each a job for `inParallel`. */
export const staticChecks = STATIC.map(({ name, command, args }) => () => part(name, command, args));

/**
 * Runs a program as one line of the table.
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
 * Prints what failing parts wrote, then the table.
 * @param {readonly Part[]} parts
 */
export function report(parts) {
  for (const { name, output } of parts.filter(({ ok }) => !ok)) console.log(`\n── ${name} ──\n${output.trim()}`);
  console.log('');
  for (const { name, ok, seconds } of parts)
    console.log(`${ok ? '✓' : '✗'} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s`);
}
