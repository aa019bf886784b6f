/** Running programs from the tools: collected or shown, timed, and never left behind. */
import { spawn } from 'node:child_process';
import { root } from './bootstrap.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let interrupted = false;
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** @param {NodeJS.Signals} signal */
const handOn = (signal) => {
  interrupted = true;
  for (const child of running) child.kill(signal);
};

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] folder, the repository's root if not given
 * @property {Record<string, string>} [env] added to the environment
 * @property {boolean} [show] write through to the terminal instead of collecting
 */

/**
 * Runs a program to its end. A command interrupted by a person ends this process too.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string, seconds: number }>} exit code (1 for a signal), what it wrote,
 *   duration
 */
export function run(command, args, { cwd = root, env = {}, show = false } = {}) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    // Only while something runs: afterwards signals belong to the next program, such as the server.
    if (running.size === 0) for (const name of signals) process.on(name, handOn);
    running.add(child);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
    /** @param {number} code */
    const end = (code) => {
      running.delete(child);
      if (running.size === 0) {
        for (const name of signals) process.off(name, handOn);
        if (interrupted) process.exit(130);
      }
      resolve({ code, output, seconds: (performance.now() - started) / 1000 });
    };
    child.once('error', (error) => {
      output += `${command}: ${error.message}\n`;
      end(1);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

/**
 * Runs jobs in the order given, at most a number of them at a time.
 * @template T
 * @param {number} atOnce
 * @param {readonly (() => Promise<T>)[]} jobs
 * @returns {Promise<T[]>}
 */
export async function inParallel(atOnce, jobs) {
  /** @type {T[]} */
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) {
      const index = next++;
      const job = jobs[index];
      if (job) results[index] = await job();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
