/** The profile: what owners see, change, export and delete of their account. */
import type { Feature } from '../../feature.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import type { Config } from '../../platform/config.ts';
import type { Tx } from '../../platform/db/db.ts';
import { createDeletion, type DeletionParts } from './leaving/profile.deletion.ts';
import { createEmailChange, type EmailChangeParts } from './profile.email-change.ts';
import { createProfileEmails } from './emails/profile.emails.ts';
import { createExports, type ExportParts } from './leaving/profile.export.ts';
import { profileRoutes } from './profile.routes.ts';
import { createProfileService, type ProfileServiceParts } from './profile.service.ts';
import { createOwnSignIns, type SignInsParts } from './profile.sign-ins.ts';
import { endOpenChange, removeOldChanges } from './profile.store.ts';

type Own = ProfileServiceParts & EmailChangeParts & SignInsParts & DeletionParts & ExportParts;
export interface ProfileParts extends Omit<Own, 'mail' | 'onEnded' | 'config'> {
  outbox: Pick<Outbox, 'put'>;
  config: Pick<Config, 'limits' | 'publicUrl'>;
  /** Closes the connections that a sign-in opened. Takes the hash of its token. */
  closeSignIn: (accountId: number, tokenHash: Buffer) => void;
}

export interface ProfileFeature extends Required<Pick<Feature, 'routes' | 'jobs'>> {
  /** Ends a request for another address: the person who sets a new password may not have made it. */
  passwordReset(tx: Tx, accountId: number): Promise<void>;
  /** Deletes the accounts that are due. Returns their number. */
  deleteDue(): Promise<number>;
}

const SWEEP_SECONDS = 300;

/** Makes the profile. Rules: docs/product.md#3.17 to 3.29. */
export function createProfile({ outbox, closeSignIn, ...parts }: ProfileParts): ProfileFeature {
  const mail = createProfileEmails(outbox, parts.config.publicUrl);
  const own = {
    ...parts,
    mail,
    onEnded: (accountId: number, tokenHashes: readonly Buffer[]) =>
      tokenHashes.forEach((tokenHash) => closeSignIn(accountId, tokenHash)),
  };
  const deletion = createDeletion(own);
  return {
    routes: (http) =>
      profileRoutes(http, {
        profile: createProfileService(own),
        emailChange: createEmailChange(own),
        signIns: createOwnSignIns(own),
        exports: createExports(own),
        deletion,
        accounts: parts.accounts,
      }),
    jobs: [
      { name: 'profile.deletions', everySeconds: SWEEP_SECONDS, run: deletion.sweep },
      { name: 'profile.emailChanges', everySeconds: SWEEP_SECONDS, run: () => removeOldChanges(parts.db) },
    ],
    passwordReset: endOpenChange,
    deleteDue: deletion.sweep,
  };
}
