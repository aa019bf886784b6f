/** Composes the emails of accounts and adds them to the outbox. */
import type { Language } from '@fieldroom/contract/text';
import { FORGOT_PASSWORD_PAGE, RESET_PASSWORD_PAGE, VERIFY_PAGE } from '@fieldroom/contract/pages';
import type { Queryable } from '../../../platform/db/db.ts';
import { composeEmail } from '../../../emails/emails.ts';
import type { Outbox } from '../../../platform/mail/outbox.ts';
import { type AccountEmail, WORDS } from './accounts.emails.words.ts';

type AccountMail = { to: string; language: Language } & (
  | { kind: Exclude<AccountEmail, 'passwordChanged'>; token: string }
  | { kind: 'passwordChanged' }
);

export interface AccountsEmails {
  /** Writes an email in the transaction. Takes its kind, recipient, language, and the token for its link. */
  send(tx: Queryable, mail: AccountMail): Promise<void>;
}

/** The target of the button. Tokens are in the fragment, which no server and no referrer sees (docs/product.md#3.9). */
function urlOf(publicUrl: string, mail: AccountMail): string {
  if (mail.kind === 'passwordChanged') return `${publicUrl}${FORGOT_PASSWORD_PAGE}`;
  return `${publicUrl}${mail.kind === 'verify' ? VERIFY_PAGE : RESET_PASSWORD_PAGE}#token=${mail.token}`;
}

/** Makes the sender of account emails. Takes the outbox and the address of the service. */
export function createAccountsEmails(outbox: Pick<Outbox, 'put'>, publicUrl: string): AccountsEmails {
  return {
    async send(tx, mail) {
      const { language, to, kind } = mail;
      const words = WORDS[language][kind];
      const email = composeEmail({ kind: `accounts.${kind}`, language, words, url: urlOf(publicUrl, mail) });
      await outbox.put(tx, { ...email, to });
    },
  };
}
