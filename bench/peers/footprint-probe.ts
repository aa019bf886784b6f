/**
 * Loaded into a measured process before its own code (`--expose-gc --import …`): on each message from its parent it
 * collects garbage and reports what it still holds. Its threads load it too, but get no messages.
 */
export interface Held {
  /** Objects of the main thread. */
  readonly heapBytes: number;
  /** Buffers, and other memory that objects keep outside the heap. */
  readonly externalBytes: number;
  /** What keeps the event loop alive, by kind: sockets, servers, timers (but none that is `unref`ed). */
  readonly resources: Readonly<Record<string, number>>;
}

process.on('message', () => {
  // Twice: the second one collects what finalizers released in the first.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  process.send?.({ heapBytes: heapUsed, externalBytes: external, resources } satisfies Held);
});
