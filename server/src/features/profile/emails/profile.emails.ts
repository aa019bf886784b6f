/** Composes the emails of profiles and puts them into the outbox. */
import {
  CONFIRM_EMAIL_PAGE,
  FORGOT_PASSWORD_PAGE,
  REGISTER_PAGE,
  RESTORE_EMAIL_PAGE,
  SIGN_IN_PAGE,
} from '@fieldroom/contract/pages';
import { EMAIL_CHANGE_HOURS, EMAIL_RESTORE_DAYS } from '@fieldroom/contract/profile';
import type { Language } from '@fieldroom/contract/text';
import { composeEmail } from '../../../emails/emails.ts';
import { dateFormat } from '../../../platform/formats.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import type { Outbox } from '../../../platform/mail/outbox.ts';
import { type ProfileEmail, WORDS } from './profile.emails.words.ts';

type Linked = 'confirmEmail' | 'emailChanged';
type ProfileMail = { to: string; language: Language } & (
  | { kind: Linked; token: string }
  | { kind: 'deletionAsked'; day: Date; timeZone: string }
  | { kind: Exclude<ProfileEmail, Linked | 'deletionAsked'> }
);

export interface ProfileEmails {
  /** Writes an email in the transaction. Takes its kind, recipient and language, and what the kind needs. */
  send(tx: Queryable, mail: ProfileMail): Promise<void>;
}

/** The target of the button. Tokens are in the fragment, which no server and no referrer sees (docs/product.md#3.9). */
function pathOf(mail: ProfileMail): string {
  switch (mail.kind) {
    case 'confirmEmail':
      return `${CONFIRM_EMAIL_PAGE}#token=${mail.token}`;
    case 'emailChanged':
      return `${RESTORE_EMAIL_PAGE}#token=${mail.token}`;
    case 'emailTaken':
    case 'deletionAsked':
    case 'deletionTakenBack':
      return SIGN_IN_PAGE;
    case 'emailAsked':
    case 'emailRestored':
    case 'passwordChanged':
      return FORGOT_PASSWORD_PAGE;
    case 'deleted':
      return REGISTER_PAGE;
  }
}

/** Makes the sender. Takes the outbox and the address of the service. */
export function createProfileEmails(outbox: Pick<Outbox, 'put'>, publicUrl: string): ProfileEmails {
  return {
    async send(tx, mail) {
      const { kind, language, to } = mail;
      const values = {
        hours: String(EMAIL_CHANGE_HOURS),
        days: String(EMAIL_RESTORE_DAYS),
        day:
          mail.kind === 'deletionAsked'
            ? dateFormat(language, { dateStyle: 'long', timeZone: mail.timeZone }).format(mail.day)
            : '',
      };
      const words = WORDS[language][kind];
      const email = composeEmail({
        kind: `profile.${kind}`,
        language,
        words,
        values,
        url: publicUrl + pathOf(mail),
      });
      await outbox.put(tx, { ...email, to });
    },
  };
}
