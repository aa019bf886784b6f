/**
 * Ids of requests. Random bytes are drawn for many ids at once, because one draw costs as much as writing the head of
 * an answer.
 */
import { randomFillSync } from 'node:crypto';

const ID_BYTES = 9;
const IDS_TOGETHER = 256;

/** Makes the function that gives each request an unguessable text, for the log and for people who report a fault. */
export function createRequestIds(): () => string {
  const drawn = Buffer.alloc(ID_BYTES * IDS_TOGETHER);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    return drawn.toString('base64url', used, (used += ID_BYTES));
  };
}
