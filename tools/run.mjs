/** Runs programs for the tools: collects or shows their output, measures time, and stops them when interrupted. */
import { spawn } from 'node:child_process';
import { root } from './bootstrap.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let interrupted = false;
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** @param {NodeJS.Signals} signal */
const forward = (signal) => {
  interrupted = true;
  for (const child of running) child.kill(signal);
};

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] folder, the repository's root if not given
 * @property {Record<string, string>} [env] added to the environment
 * @property {boolean} [show] show the output in the terminal, and collect only the errors
 * @property {boolean} [yielding] run at a low priority (not on Windows)
 */

/**
 * Runs a program to its end. A signal is forwarded to it and then ends this process too.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string, seconds: number }>} exit code (1 after a signal), output
 *   (of a shown program what it wrote to stderr), duration
 */
export function run(command, args, { cwd = root, env = {}, show = false, yielding = false } = {}) {
  const started = performance.now();
  const nice = yielding && process.platform !== 'win32';
  return new Promise((resolve) => {
    const child = spawn(nice ? 'nice' : command, nice ? ['-n', '10', command, ...args] : args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: show ? ['inherit', 'inherit', 'pipe'] : ['ignore', 'pipe', 'pipe'],
    });
    // Handle signals only while a program runs: later ones belong to what this process starts itself.
    if (running.size === 0) for (const name of signals) process.on(name, forward);
    running.add(child);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
      if (show) process.stderr.write(text);
    });
    /** @param {number} code */
    const end = (code) => {
      running.delete(child);
      if (running.size === 0) {
        for (const name of signals) process.off(name, forward);
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
 * Starts jobs in the given order, at most `atOnce` at a time.
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
