/** The calls of profiles, each one call of a service. */
import { Problem } from '../../platform/problem.ts';
import * as calls from '@fieldroom/contract/profile';
import type { Account, Http, Principal } from '../../access.ts';
import { addressBlock } from '../../platform/limits.ts';
import type { Accounts } from '../accounts/index.ts';
import type { Deletion } from './leaving/profile.deletion.ts';
import type { EmailChange } from './profile.email-change.ts';
import type { Exports } from './leaving/profile.export.ts';
import type { ProfileService } from './profile.service.ts';
import type { OwnSignIns } from './profile.sign-ins.ts';

export interface ProfileRouteParts {
  profile: ProfileService;
  emailChange: EmailChange;
  signIns: OwnSignIns;
  exports: Exports;
  deletion: Deletion;
  accounts: Pick<Accounts, 'checkOwnPassword'>;
}

/** A call about the caller that needs an account: clients have an id too. */
function accountOf(self: Principal): Account {
  if (self.kind !== 'account') throw new Problem('forbidden');
  return self;
}

/** Mounts the calls. */
export function profileRoutes(
  http: Http,
  { profile, emailChange, signIns, exports, deletion, accounts }: ProfileRouteParts,
): void {
  http.handle(calls.getProfile, ({ access }) => profile.read(access));
  http.handle(calls.saveProfile, async ({ access, body }) => {
    await profile.saveMe(access, body);
    return profile.read(access);
  });
  http.handle(calls.savePage, async ({ access, body }) => {
    await profile.savePage(access, body);
    return profile.read(access);
  });
  http.handle(calls.updateAccountInfo, ({ access, body }) => profile.saveMe(accountOf(access), body));
  http.handle(calls.updateProfile, ({ access, body }) => profile.savePage(accountOf(access), body));

  http.handle(calls.uploadPicture, ({ access, file }) => profile.uploadPicture(accountOf(access), file!.bytes));
  http.handle(calls.removePicture, ({ access }) => profile.removePicture(access));
  http.handle(calls.profilePicture, ({ params, query, ip }) =>
    profile.picture(params.therapistId, query.share === '1', addressBlock(ip)),
  );

  http.handle(calls.checkPassword, ({ access, params, ip }) =>
    accounts.checkOwnPassword(accountOf(access).id, params.password, ip),
  );
  // A password with `/` or `?` that was not percent-encoded is not a valid call of the contract; 404 would suggest a
  // wrong password.
  http.fastify.post('/api/profile/check/password/*', () => {
    throw new Problem('bad_request');
  });
  http.handle(calls.changeOwnPassword, ({ access, body, ip }) => signIns.changePassword(access, body, ip));
  http.handle(calls.getDevices, ({ access }) => signIns.devices(access));
  http.handle(calls.endDevice, ({ access, params }) => signIns.endDevice(access, params.deviceId));
  http.handle(calls.endOthers, ({ access }) => signIns.endOthers(access));

  http.handle(calls.requestEmail, ({ access, body, ip }) => emailChange.request(access, body, ip));
  http.handle(calls.resendEmail, ({ access }) => emailChange.again(access));
  http.handle(calls.cancelEmail, ({ access }) => emailChange.cancel(access));
  http.handle(calls.confirmEmail, ({ body }) => emailChange.confirm(body));
  http.handle(calls.restoreEmail, ({ body }) => emailChange.restore(body));

  http.handle(calls.exportData, ({ access }) => exports.file(access));
  http.handle(calls.deleteAccount, ({ access, body, ip }) => deletion.request(access, body, ip));
  http.handle(calls.keepAccount, ({ access }) => deletion.keep(access));
}
