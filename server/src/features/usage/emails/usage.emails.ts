/** Composes the email about the fourth hour of the trial and puts it into the outbox (docs/product.md#7.4). */
import { fullName } from '@fieldroom/contract/names';
import { PACKAGE_PAGE } from '@fieldroom/contract/pages';
import type { Language } from '@fieldroom/contract/text';
import type { Queryable } from '../../../platform/db/db.ts';
import { composeEmail } from '../../../emails/emails.ts';
import type { Outbox } from '../../../platform/mail/outbox.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import { WORDS } from './usage.emails.words.ts';

export interface UsageEmails {
  /** Writes the email in the transaction, in the language of the account. */
  fourHours(
    tx: Queryable,
    to: { email: string; language: Language; firstName: string; lastName: string },
  ): Promise<void>;
}

/** Makes the sender. Takes the outbox and the address of the service. */
export function createUsageEmails(outbox: Pick<Outbox, 'put'>, publicUrl: string): UsageEmails {
  return {
    async fourHours(tx, { email: to, language, ...person }) {
      const email = composeEmail({
        kind: 'usage.fourHours',
        language,
        words: WORDS[language],
        name: unlinked(fullName(language, person)),
        url: `${publicUrl}${PACKAGE_PAGE}`,
      });
      await outbox.put(tx, { ...email, to });
    },
  };
}
