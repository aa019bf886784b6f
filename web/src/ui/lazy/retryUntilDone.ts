/** Repeats a fetch that failed. */

/** How long after a failure to try again, in ms: this at first, then twice as long up to the maximum. */
const RETRY_MS = 5000;
const MAX_RETRY_MS = 60_000;

/**
 * Fetches until it succeeds, also as soon as the browser is back online (docs/product.md#11.36). Takes the fetch, and
 * callbacks for success and for each failure. Returns a function that stops; no callback follows.
 */
export function retryUntilDone<T>(
  fetchIt: () => Promise<T>,
  onDone: (value: T) => void,
  onFailed: () => void = () => undefined,
): () => void {
  let stopped = false;
  let running = false;
  let wait = RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    stopped = true;
    clearTimeout(timer);
    window.removeEventListener('online', fetchNow);
  };
  function fetchNow() {
    if (running) return;
    running = true;
    clearTimeout(timer);
    fetchIt().then(
      (value) => {
        if (stopped) return;
        stop();
        onDone(value);
      },
      () => {
        running = false;
        if (stopped) return;
        timer = setTimeout(fetchNow, wait);
        wait = Math.min(2 * wait, MAX_RETRY_MS);
        onFailed();
      },
    );
  }
  window.addEventListener('online', fetchNow);
  fetchNow();
  return stop;
}
