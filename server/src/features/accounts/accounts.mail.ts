/** Puts the letters of accounts together and into the outbox. */
import type { Language } from '@fieldroom/contract/text';
import type { Queryable } from '../../platform/db/db.ts';
import { renderLetter } from '../../platform/mail/letter.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import { type AccountLetter, FRAMES, WORDS } from './accounts.letters.ts';

export type AccountMail = { to: string; language: Language } & (
  | { letter: Exclude<AccountLetter, 'passwordChanged'>; token: string }
  | { letter: 'passwordChanged' }
);

export interface AccountsMail {
  /** Writes a letter with the transaction. In: which, to whom, in which language; the token its link carries. */
  send(tx: Queryable, mail: AccountMail): Promise<void>;
}

/** Where the button leads. Tokens stand in the fragment, which no server and no referrer sees (PRODUCT 3). */
function urlOf(publicUrl: string, mail: AccountMail): string {
  if (mail.letter === 'passwordChanged') return `${publicUrl}/user/forgot-password`;
  return `${publicUrl}${mail.letter === 'verify' ? '/user/verify' : '/user/reset-password'}#token=${mail.token}`;
}

/** Makes the sender of account letters. In: the outbox and the address of the service. */
export function createAccountsMail(outbox: Pick<Outbox, 'put'>, publicUrl: string): AccountsMail {
  return {
    async send(tx, mail) {
      const { subject, before, button, after } = WORDS[mail.language][mail.letter];
      const { greeting, closing, signature } = FRAMES[mail.language];
      const { html, text } = renderLetter({
        language: mail.language,
        title: subject,
        greeting,
        paragraphs: before,
        button: { label: button, url: urlOf(publicUrl, mail) },
        after,
        footer: [closing, signature],
      });
      await outbox.put(tx, {
        to: mail.to,
        subject,
        text,
        html,
        kind: `accounts.${mail.letter}`,
        language: mail.language,
      });
    },
  };
}
