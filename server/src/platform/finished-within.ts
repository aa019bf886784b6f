/**
 * Waits for work, but no longer than this many milliseconds of real time. Returns whether it has finished; what it
 * throws in time is thrown, what it throws later is nobody's any more.
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
