/** Runs before each test file of the web. happy-dom has no BroadcastChannel; Node's behaves the same. */
import { BroadcastChannel } from 'node:worker_threads';
import { expect, vi } from 'vitest';

Object.assign(globalThis, { BroadcastChannel });

// Vitest's default of one second is too short on a busy machine.
const { waitFor } = vi;
vi.waitFor = (check, options = {}) =>
  waitFor(check, typeof options === 'number' ? options : { timeout: 20_000, ...options });

// Node's default. Vitest raises it to 100, but React creates an error for each element in development: rendering the
// programme form took 15 % more CPU time.
Error.stackTraceLimit = 10;

// In development React creates an error and a task for each of the first 10,000 elements a second, to name the owner of
// an element in its warnings. Without them rendering takes a sixth less CPU time; warnings still have the stack of
// components.
if (expect.getState().testPath?.endsWith('x')) {
  // The types leave out what React keeps for itself.
  const react = /** @type {Record<string, object>} */ (/** @type {unknown} */ (await import('react')));
  const internals = react['__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'];
  Object.defineProperty(internals ?? {}, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} });
}
