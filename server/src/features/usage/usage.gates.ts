/** The gate of calls about the signed-in therapist alone whose effect comes once. */
import { Problem } from '../../platform/problem.ts';
import type { Gates } from '../../access.ts';

export const gates = {
  /** A program sends the whole user; the id must be one's own. A foreign one answers like one that does not exist. */
  selfOnce: ({ principal, body }) => {
    if (principal?.kind !== 'account') throw new Problem('forbidden');
    if ((body as { id: number }).id !== principal.id) throw new Problem('not_found');
    return principal;
  },
} satisfies Gates;
