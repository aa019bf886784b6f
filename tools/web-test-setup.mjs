/** Runs before each test file of the web. happy-dom has no BroadcastChannel; Node's behaves the same. */
import { BroadcastChannel } from 'node:worker_threads';
import { vi } from 'vitest';

Object.assign(globalThis, { BroadcastChannel });

// Vitest's default of one second is too short on a busy machine.
const { waitFor } = vi;
vi.waitFor = (check, options = {}) =>
  waitFor(check, typeof options === 'number' ? options : { timeout: 20_000, ...options });

// Node's default. Vitest raises it to 100, but React creates an error for each element in development: rendering the
// programme form took 15 % more CPU time.
Error.stackTraceLimit = 10;
