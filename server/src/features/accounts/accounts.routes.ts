/** Calls of accounts, each one call of the service. */
import * as calls from '@fieldroom/contract/accounts';
import { Problem } from '../../platform/problem.ts';
import type { Account, Http, Principal } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Limits } from '../../platform/limits.ts';
import type { AccountsService } from './accounts.service.ts';
import type { Captcha } from './sign-ins/captcha.ts';
import type { Countries } from './sign-ins/countryOfIp.ts';

/** What the web shows beside the sign-in form while there is a demo practice (docs/product.md#2.9). */
export const DEMO_SIGN_IN = { email: 'anna@demo.example', password: 'constellation' } as const;

/** A call about the caller that needs an account. */
function accountOf(self: Principal): Account {
  if (self.kind !== 'account') throw new Problem('forbidden');
  return self;
}

/** Either the body or the query must contain it. */
function given(path: string, value: string | undefined): string {
  if (value === undefined) throw new Problem('invalid_input', { fields: [{ path, code: 'required' }] });
  return value;
}

export interface RouteParts {
  service: AccountsService;
  captcha: Captcha;
  countries: Countries;
  clock: Clock;
  limits: Limits;
  config: Pick<Config, 'demo' | 'limits' | 'billing'>;
}

/** Mounts the calls. `sessionOut`, `theripstDisconnected` and `theripstConnected` belong to the sessions feature. */
export function accountsRoutes(http: Http, { service, captcha, countries, clock, limits, config }: RouteParts): void {
  http.handle(calls.login, ({ body, ip, request }) => service.signIn(body, ip, request.headers['user-agent']));
  http.handle(calls.logout, ({ access }) => service.signOut(access));
  http.handle(calls.isTheripstLoggedIn, ({ access }) => service.hasValidSignIn(access.therapistId));
  http.handle(calls.register, ({ body, ip }) => service.register(body, ip));
  http.handle(calls.verify, ({ query, body }) => service.verifyEmail(given('token', body?.token ?? query.token)));
  http.handle(calls.sendVerification, ({ body, ip }) => service.sendVerification(body, ip));
  http.handle(calls.reset, ({ query, body, ip }) =>
    service.requestReset(given('email', body?.email ?? query.email), ip),
  );
  http.handle(calls.checkPasswordToken, ({ query, body }) =>
    service.checkResetToken(given('token', body?.token ?? query.token)),
  );
  http.handle(calls.changePassword, ({ body }) => service.changePassword(body));
  http.handle(calls.getCurrentUserData, ({ access }) => service.currentUser(access));
  http.handle(calls.updateLanguage, ({ access, body }) => service.setLanguage(accountOf(access), body.languageCode));
  http.handle(calls.getUserLocation, ({ ip }) => countries.locate(ip));
  http.handle(calls.getAllTherapist, () => service.allTherapists());
  http.handle(calls.getUser, ({ access, params }) => service.user(params.therapistId, access.self));
  http.handle(calls.getCaptcha, async ({ ip }) => {
    await limits.take(`captcha ${limits.addressBlock(ip)}`, config.limits.captcha);
    return captcha.challenge();
  });
  http.handle(calls.getPublicConfig, async () => ({
    clock: await clock.describe(),
    demo: config.demo ? DEMO_SIGN_IN : null,
    operator: operatorOf(config.billing.seller),
  }));
}

/**
 * The operator, as the imprint names them: the seller of the bills. The bank account is left out, because it is only
 * for people who get a bill.
 */
const operatorOf = (seller: Config['billing']['seller']) =>
  seller && { name: seller.name, address: seller.address, taxNumber: seller.taxNumber, email: seller.email };
