/**
 * Accounts: therapists and admins, how they register, sign in and stay signed in. Rules: docs/product.md#3.
 */
import * as z from 'zod/mini';
import { captchaSolution, credentials, password, registration } from './credentials.ts';
import { endpoint } from './http.ts';
import { email, id, idInPath, language, therapistPath, timestamp, token } from './text.ts';

const ROLES = ['ROLE_THERAPIST', 'ROLE_ADMIN', 'ROLE_CLIENT'] as const;
export type Role = (typeof ROLES)[number];

interface HasRoles {
  readonly authorities: readonly string[];
}
/** Whether somebody is in a room without an account: their first authority says so. Null means nobody. */
export const isClient = (user: HasRoles | null): boolean => user?.authorities[0] === ('ROLE_CLIENT' satisfies Role);
/** Whether somebody has a room of their own. Null means nobody. */
export const isTherapist = (user: HasRoles | null): boolean =>
  user?.authorities.includes('ROLE_THERAPIST' satisfies Role) === true;

/**
 * The person behind a sign-in (local storage key `user`). `roles` and `authorities` are the same list; programs read
 * either of them.
 */
export const user = z.strictObject({
  id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  roles: z.array(z.enum(ROLES)),
  authorities: z.array(z.enum(ROLES)),
  language,
  /** Name in the addresses of the public pages. */
  slug: z.string(),
  /** Address of the therapist's room; only the therapist may know it. */
  joinLink: z.string(),
  /** Path of the profile picture, null where there is none. */
  picture: z.nullable(z.string()),
  /** When the account is deleted; null while nobody asked for it (docs/product.md#3.27). */
  deletesOn: z.nullable(timestamp),
});
export type User = z.infer<typeof user>;

/** The public part of a therapist. */
export const publicTherapist = z.strictObject({
  id,
  firstName: z.string(),
  lastName: z.string(),
  /** Path of the profile picture, null where there is none. */
  picture: z.nullable(z.string()),
});

/** What proves that somebody knows the password of an account. */
export const passwordProof = z.extend(credentials, {
  /**
   * The token that this browser got when the person last signed in here: wrong attempts by strangers do not count
   * against it.
   */
  device: z.optional(token),
  /** Solution of a proof-of-work challenge, after `captcha_required`. */
  captcha: z.optional(captchaSolution),
});
export type PasswordProof = z.infer<typeof passwordProof>;

export const login = endpoint({
  method: 'POST',
  path: '/api/authentication/login',
  access: 'anyone',
  summary: 'Signs in with email and password',
  body: passwordProof,
  /** `device` is for the next sign-in of this person with this browser. It opens nothing by itself. */
  reply: z.strictObject({ token, user, device: token }),
  problems: [
    'invalid_credentials',
    'email_not_verified',
    'account_suspended',
    'captcha_required',
    'captcha_failed',
    'too_many_requests',
  ],
});

const ownPath = z.strictObject({ userId: idInPath });

export const logout = endpoint({
  method: 'POST',
  path: '/api/authentication/logout/{userId}',
  access: 'self',
  summary: 'Signs out: the token ends, a therapist’s live session too, a client’s seat is freed',
  params: ownPath,
});
export const isTheripstLoggedIn = endpoint({
  method: 'POST',
  path: '/api/authentication/isTheripstLoggedIn/{userId}',
  access: 'roomOfTherapist',
  summary: 'Whether the therapist has a valid sign-in',
  params: ownPath,
  reply: z.boolean(),
});
export const sessionOut = endpoint({
  method: 'POST',
  path: '/api/authentication/sessionOut/{userId}',
  access: 'self',
  summary: 'Ends the live session for everybody',
  params: ownPath,
});
export const theripstDisconnected = endpoint({
  method: 'POST',
  path: '/api/authentication/theripstDisconnected/{userId}',
  access: 'self',
  summary: 'Tells the clients that the therapist’s connection has dropped',
  params: ownPath,
});
export const theripstConnected = endpoint({
  method: 'POST',
  path: '/api/authentication/theripstConnected/{userId}',
  access: 'self',
  summary: 'Tells the clients that the therapist is back',
  params: ownPath,
});

export const register = endpoint({
  method: 'POST',
  path: '/api/authentication/register',
  access: 'anyone',
  summary: 'Registers a therapist; answers alike for known and unknown addresses, the email tells the owner',
  body: registration,
  problems: ['captcha_failed', 'password_too_common', 'too_many_requests'],
});

/**
 * Programs send tokens and addresses in the query, where a proxy may log them; our pages send them in the body
 * (docs/product.md#3.9). One of the two places is needed.
 */
const emailToken = z.strictObject({
  token: z.optional(z.string().check(z.minLength(1, 'required'), z.maxLength(200, 'too_long'))),
});
export const verify = endpoint({
  method: 'POST',
  path: '/api/authentication/verify',
  access: 'token',
  summary: 'Verifies the email address by the token of the email, in the query or the body; returns the address',
  query: emailToken,
  body: z.optional(emailToken),
  reply: z.strictObject({ email: z.string() }),
  problems: ['link_invalid'],
});
/** Our own call. It shares its counter of wrong attempts with `login`. */
export const sendVerification = endpoint({
  method: 'POST',
  path: '/api/public/verification',
  access: 'anyone',
  summary:
    'Sends the email to verify the address again, to somebody who knows the password; sends nothing for an address that is verified',
  body: passwordProof,
  problems: ['invalid_credentials', 'account_suspended', 'captcha_required', 'captcha_failed', 'too_many_requests'],
});
export const reset = endpoint({
  method: 'POST',
  path: '/api/authentication/reset',
  access: 'anyone',
  summary:
    'Sends an email to set a new password; answers alike for known and unknown addresses. The address is in the query or the body',
  query: z.strictObject({ email: z.optional(email) }),
  body: z.optional(z.strictObject({ email: z.optional(email) })),
  problems: ['too_many_requests'],
});
export const checkPasswordToken = endpoint({
  method: 'POST',
  path: '/api/authentication/checkPasswordToken',
  access: 'token',
  summary: 'Whether a reset token, in the query or the body, is still valid; does not spend it',
  query: emailToken,
  body: z.optional(emailToken),
  problems: ['link_invalid'],
});
export const changePassword = endpoint({
  method: 'POST',
  path: '/api/authentication/changePassword',
  access: 'token',
  summary: 'Sets a new password by a reset token; all sign-ins of the account end',
  body: z.strictObject({ token: z.string().check(z.minLength(1, 'required'), z.maxLength(200, 'too_long')), password }),
  problems: ['link_invalid', 'password_too_common'],
});

export const getCurrentUserData = endpoint({
  method: 'GET',
  path: '/api/getCurrentUserData/',
  access: 'signedIn',
  summary: 'The signed-in person',
  reply: user,
});
export const updateLanguage = endpoint({
  method: 'POST',
  path: '/api/updateLanguage',
  access: 'self',
  summary: 'Stores the language of the interface and of emails',
  body: z.strictObject({ userId: id, languageCode: language }),
});
export const getUserLocation = endpoint({
  method: 'GET',
  path: '/api/getUserLocation',
  access: 'anyone',
  summary: 'The country of the caller’s address, looked up offline; null if it is unknown',
  reply: z.strictObject({ countryCode: z.nullable(z.string().check(z.length(2))), insideEu: z.boolean() }),
});
export const getAllTherapist = endpoint({
  method: 'POST',
  path: '/api/getAllTherapist',
  access: 'admin',
  summary: 'All therapists',
  reply: z.array(
    z.extend(z.omit(user, { joinLink: true, picture: true, deletesOn: true }), {
      createdAt: timestamp,
      emailVerified: z.boolean(),
    }),
  ),
});
export const getUser = endpoint({
  method: 'POST',
  path: '/api/getUser/{therapistId}',
  access: 'profile',
  summary: 'A therapist: everything for themselves, the public part for others',
  params: therapistPath,
  reply: z.union([user, publicTherapist]),
});

/** Our own call: a new proof-of-work challenge (ALTCHA), valid for 10 minutes and one use. */
export const getCaptcha = endpoint({
  method: 'GET',
  path: '/api/public/captcha',
  access: 'anyone',
  summary: 'A proof-of-work challenge for forms that anybody may send',
  reply: z.record(z.string(), z.unknown()),
});

/** Our own call: what a browser needs before it asks for anything else. */
export const getPublicConfig = endpoint({
  method: 'GET',
  path: '/api/public/config',
  access: 'anyone',
  summary: 'The product’s clock, who runs the service, and whether the demo practice is shown',
  reply: z.strictObject({
    /** The operator, for the imprint; null where they have not set it. */
    operator: z.nullable(
      z.strictObject({ name: z.string(), address: z.string(), taxNumber: z.string(), email: z.string() }),
    ),
    clock: z.strictObject({ anchorReal: timestamp, anchorProduct: timestamp, speed: z.number(), serverNow: timestamp }),
    demo: z.nullable(z.strictObject({ email: z.string(), password: z.string() })),
  }),
});
export type PublicConfig = z.infer<NonNullable<(typeof getPublicConfig)['reply']>>;
