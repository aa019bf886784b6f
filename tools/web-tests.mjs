/** Runs before each file of the web's tests. The imagined browser has no channel between tabs; Node's own is the same thing. */
import { BroadcastChannel } from 'node:worker_threads';

Object.assign(globalThis, { BroadcastChannel });
