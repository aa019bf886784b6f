/** Waiting for work that must not keep a person waiting. */

/** How long a person who leaves waits until the server knows, in ms of real time. */
export const LEAVE_WITHIN_MS = 3_000;

/** Resolves once the work is done or has failed, and after `ms` of real time at the latest. The work goes on. */
export function within(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });
}
