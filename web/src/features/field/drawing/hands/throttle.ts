/**
 * Passes on at most one value each `ms`; the last one is never lost while it is running.
 * @returns `push` for a new value, `drop` to forget what still waits
 */
export function createThrottle<T>(ms: number, send: (value: T) => void) {
  let last = -Infinity;
  let waiting: { value: T } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush() {
    timer = undefined;
    if (!waiting) return;
    const { value } = waiting;
    waiting = null;
    last = performance.now();
    send(value);
  }

  return {
    push(value: T) {
      waiting = { value };
      if (timer !== undefined) return;
      const left = last + ms - performance.now();
      if (left <= 0) flush();
      else timer = setTimeout(flush, left);
    },
    drop() {
      clearTimeout(timer);
      timer = undefined;
      waiting = null;
    },
  };
}
