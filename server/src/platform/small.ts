/** Small helpers that belong nowhere else. */

/** Asks once and keeps the answer for all later callers. A fault is not kept: the next caller asks again. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= ask().catch((fault: unknown) => {
      answer = null;
      throw fault;
    });
    return answer;
  };
}
