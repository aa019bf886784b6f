/** Accounts: therapists and admins, how they register, sign in and stay signed in. Specification 7.1, PRODUCT section 3. */
import { z } from 'zod';
import { endpoint } from './http.ts';
import { email, id, idInPath, language, line, therapistPath, timestamp, token } from './text.ts';

export const ROLES = ['ROLE_THERAPIST', 'ROLE_ADMIN', 'ROLE_CLIENT'] as const;
export type Role = (typeof ROLES)[number];

export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 128;
/** 10 to 128 characters after NFKC; whether it is among the common ones is the server's word. */
export const password = z
  .string()
  .max(PASSWORD_MAX * 4, 'too_long')
  .transform((text) => text.normalize('NFKC'))
  .pipe(z.string().min(PASSWORD_MIN, 'too_short').max(PASSWORD_MAX, 'too_long'));

/** The person behind a sign-in (local storage key `user`). `roles` and `authorities` are the same list, as the specification reads either. */
export const user = z.strictObject({
  id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  roles: z.array(z.enum(ROLES)),
  authorities: z.array(z.enum(ROLES)),
  language,
  joinLink: z.string(),
});
export type User = z.infer<typeof user>;

/** Our therapist's public part: what anybody may see. */
export const publicTherapist = z.strictObject({
  id,
  firstName: z.string(),
  lastName: z.string(),
  /** Path of the profile picture, null where there is none. */
  picture: z.string().nullable(),
});
export type PublicTherapist = z.infer<typeof publicTherapist>;

export const login = endpoint({
  method: 'POST',
  path: '/api/authentication/login',
  access: 'anyone',
  summary: 'Signs in with e-mail and password',
  body: z.strictObject({
    email: z.string().min(1, 'required').max(254, 'too_long'),
    password: z.string().min(1, 'required').max(512, 'too_long'),
  }),
  reply: z.strictObject({ token, user }),
  problems: ['invalid_credentials', 'email_not_verified', 'account_suspended', 'too_many_requests'],
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
  access: 'self, clients of that therapist',
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
  summary: 'Tells the clients that the therapist’s line has dropped',
  params: ownPath,
});
export const theripstConnected = endpoint({
  method: 'POST',
  path: '/api/authentication/theripstConnected/{userId}',
  access: 'self',
  summary: 'Tells the clients that the therapist is back',
  params: ownPath,
});

export const captchaSolution = z.string().min(1, 'required').max(4096, 'too_long');

export const registration = z.strictObject({
  firstName: line(60),
  lastName: line(60),
  email,
  password,
  gender: z.enum(['male', 'female']),
  language,
  licenseAccepted: z.boolean().refine((accepted) => accepted, 'agreement_required'),
  dataAccepted: z.boolean().refine((accepted) => accepted, 'agreement_required'),
  /** Solution of the proof-of-work challenge from `getCaptcha`. */
  captcha: captchaSolution,
  /** IANA zone of the browser, first zone of the therapist's events (PRODUCT 9); an unknown one counts as none. */
  timeZone: z.string().max(64, 'too_long').optional(),
});
export const register = endpoint({
  method: 'POST',
  path: '/api/authentication/register',
  access: 'anyone',
  summary: 'Registers a therapist; answers alike for known and unknown addresses, the letter tells the owner',
  body: registration,
  problems: ['captcha_failed', 'password_too_common', 'too_many_requests'],
});

const tokenQuery = z.strictObject({ token: z.string().min(1, 'required').max(200, 'too_long') });
export const verify = endpoint({
  method: 'POST',
  path: '/api/authentication/verify',
  access: 'token',
  summary: 'Verifies the e-mail address by the letter’s token',
  query: tokenQuery,
  problems: ['link_invalid'],
});
export const reset = endpoint({
  method: 'POST',
  path: '/api/authentication/reset',
  access: 'anyone',
  summary: 'Sends a letter to set a new password; answers alike for known and unknown addresses',
  query: z.strictObject({ email }),
  problems: ['too_many_requests'],
});
export const checkPasswordToken = endpoint({
  method: 'POST',
  path: '/api/authentication/checkPasswordToken',
  access: 'token',
  summary: 'Whether a reset token still holds',
  query: tokenQuery,
  problems: ['link_invalid'],
});
export const changePassword = endpoint({
  method: 'POST',
  path: '/api/authentication/changePassword',
  access: 'token',
  summary: 'Sets a new password by a reset token; all sign-ins of the account end',
  body: z.strictObject({ token: z.string().min(1, 'required').max(200, 'too_long'), password }),
  problems: ['link_invalid', 'password_too_common'],
});

export const getCurrentUserData = endpoint({
  method: 'GET',
  path: '/api/getCurrentUserData/',
  access: 'signed in',
  summary: 'The signed-in person',
  reply: user,
});
export const updateLanguage = endpoint({
  method: 'POST',
  path: '/api/updateLanguage',
  access: 'self',
  summary: 'Stores the language of the interface and of letters',
  body: z.strictObject({ userId: id, languageCode: language }),
});
export const getUserLocation = endpoint({
  method: 'GET',
  path: '/api/getUserLocation',
  access: 'anyone',
  summary: 'The country of the caller’s address, looked up offline; null where it is not known',
  reply: z.strictObject({ countryCode: z.string().length(2).nullable(), insideEu: z.boolean() }),
});
export const getAllTherapist = endpoint({
  method: 'POST',
  path: '/api/getAllTherapist',
  access: 'admin',
  summary: 'All therapists',
  reply: z.array(user.extend({ createdAt: timestamp, emailVerified: z.boolean() })),
});
export const getUser = endpoint({
  method: 'POST',
  path: '/api/getUser/{therapistId}',
  access: 'self in full; anyone the public part (name, picture)',
  summary: 'A therapist: in full for themself, the public part for others',
  params: therapistPath,
  reply: z.union([user, publicTherapist]),
});

/** Ours: a fresh proof-of-work challenge (ALTCHA), good for 10 minutes and one use. */
export const getCaptcha = endpoint({
  method: 'GET',
  path: '/api/public/captcha',
  access: 'anyone',
  summary: 'A proof-of-work challenge for forms that anybody may send',
  reply: z.record(z.string(), z.unknown()),
});

/** Ours: what a browser needs before it asks anything else. */
export const getPublicConfig = endpoint({
  method: 'GET',
  path: '/api/public/config',
  access: 'anyone',
  summary: 'The product’s clock and whether the demo practice is shown',
  reply: z.strictObject({
    clock: z.strictObject({ anchorReal: timestamp, anchorProduct: timestamp, speed: z.number(), serverNow: timestamp }),
    demo: z.strictObject({ email: z.string(), password: z.string() }).nullable(),
  }),
});
export type PublicConfig = z.infer<NonNullable<(typeof getPublicConfig)['reply']>>;
