/**
 * Loaded into a measured process before its own code (`--expose-gc --import …`): on any message of its parent it
 * collects garbage and answers what it still holds. Its threads load it too, and get no messages.
 */
export interface Held {
  /** Objects of the main thread. */
  readonly heapBytes: number;
  /** Buffers, and what else objects keep outside of the heap. */
  readonly externalBytes: number;
  /** What keeps the event loop going, by kind: sockets, servers, timers (but none that is `unref`ed). */
  readonly resources: Readonly<Record<string, number>>;
}

process.on('message', () => {
  // Twice: what finalizers let go of in the first is collected in the second.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  process.send?.({ heapBytes: heapUsed, externalBytes: external, resources } satisfies Held);
});
