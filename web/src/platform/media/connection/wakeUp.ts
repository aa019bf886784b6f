/** When to probe the connection: the network came back or changed, the page is visible again, or the machine slept. */
const TICK_MS = 1_000;
/**
 * Timers of hidden pages run once a minute in the worst case. If the machine slept, more time is missing, or its clock
 * jumps while the page is visible.
 */
const SLEPT_MS = 5_000;

/** Takes the callback. Returns a function that stops. */
export function onWakeUp(wake: () => void): () => void {
  const connection = (navigator as { connection?: EventTarget }).connection;
  const visible = () => document.visibilityState === 'visible' && wake();
  let lastMs = Date.now();
  const timer = setInterval(() => {
    const nowMs = Date.now();
    if (nowMs - lastMs > SLEPT_MS) wake();
    lastMs = nowMs;
  }, TICK_MS);
  window.addEventListener('online', wake);
  connection?.addEventListener?.('change', wake);
  document.addEventListener('visibilitychange', visible);
  return () => {
    clearInterval(timer);
    window.removeEventListener('online', wake);
    connection?.removeEventListener?.('change', wake);
    document.removeEventListener('visibilitychange', visible);
  };
}
