/** The gate of one-time calls about only the signed-in therapist. */
import { Problem } from '../../platform/problem.ts';
import type { Gates } from '../../access.ts';

export const gates = {
  /** A program sends the whole user; the id must be the caller's. A foreign one gets the same answer as an unknown
   * one. */
  selfOnce: ({ principal, body }) => {
    if (principal?.kind !== 'account') throw new Problem('forbidden');
    if ((body as { id: number }).id !== principal.id) throw new Problem('not_found');
    return principal;
  },
} satisfies Gates;
