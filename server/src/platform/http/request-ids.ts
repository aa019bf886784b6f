/**
 * Ids of requests. Random bytes are drawn for many ids at once, because one draw costs as much as writing the head of
 * an answer.
 */
import { randomBytes } from 'node:crypto';

const ID_BYTES = 9;
const IDS_TOGETHER = 256;

/** Makes the function that gives each request an unguessable text, for the log and for people who report a fault. */
export function createRequestIds(): () => string {
  let drawn = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === drawn.length) [drawn, used] = [randomBytes(ID_BYTES * IDS_TOGETHER), 0];
    return drawn.toString('base64url', used, (used += ID_BYTES));
  };
}
