/**
 * Waits for work, but no longer than this many milliseconds of real time. Returns whether it has finished. Throws what
 * the work throws in time; what it throws later is ignored.
 */
export async function finishedWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const finished = work.then(() => true as const);
  finished.catch(() => {});
  try {
    return await Promise.race([finished, late]);
  } finally {
    clearTimeout(timer);
  }
}
