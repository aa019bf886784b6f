/** Who may pass, for the rules that ask about bookings. */
import { CONFIRM_HEADER } from '@fieldroom/contract/bookings';
import { Problem } from '@fieldroom/contract/problems';
import type { AccessValues, Principal } from '../../access.ts';
import type { Gates } from '../../platform/http/http.ts';

export const gates = {
  // How often is counted by the handler, which knows what for.
  'anyone, throttled': ({ principal }) => principal,
  // No link, form, picture or prefetch can send it, and no foreign page may (SAFE).
  'token, only from our page': ({ request }) => {
    if (request.headers[CONFIRM_HEADER] !== '1') throw new Problem('forbidden');
    return null;
  },
} satisfies Gates<Principal, AccessValues>;
