/**
 * Runs before each file of the web's tests. happy-dom has no channel between tabs; Node's own behaves the same.
 */
import { BroadcastChannel } from 'node:worker_threads';
import { vi } from 'vitest';

Object.assign(globalThis, { BroadcastChannel });

// A second, as Vitest would wait, is what a busy machine may be away for.
const { waitFor } = vi;
vi.waitFor = (look, options = {}) =>
  waitFor(look, typeof options === 'number' ? options : { timeout: 20_000, ...options });
