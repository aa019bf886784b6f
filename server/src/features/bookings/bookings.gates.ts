/** The gates of the access rules that concern bookings. */
import { CONFIRM_HEADER } from '@fieldroom/contract/bookings';
import { Problem } from '../../platform/problem.ts';
import type { Gates } from '../../access.ts';

export const gates = {
  // The handler counts the tries, because it knows their purpose.
  anyoneThrottled: ({ principal }) => principal,
  // No link, form, picture or prefetch can send this header, and no page of another site may (docs/product.md#9.8).
  fromOurPage: ({ request }) => {
    if (request.headers[CONFIRM_HEADER] !== '1') throw new Problem('forbidden');
    return null;
  },
} satisfies Gates;
