/**
 * The profile: what the owner of an account sees and changes of it (docs/product.md#3.17 to 3.29).
 *
 * Invariants
 *  1. A call changes the caller's own account. No body contains what the caller may not set (roles, hours, plan, and
 *     email address and password without a proof); a body with any other property is refused.
 *  2. The email address changes only by the link in an email to the new one. No answer tells whether an address has an
 *     account already; its owner learns it by email.
 *  3. A slug leads to one account: the one that has it, or the one that had it before.
 *  4. No answer holds a password, a token, or a hash of one, beside the tokens that the caller has just proved.
 */
import * as z from 'zod/mini';
import { password, typedPassword } from './credentials.ts';
import { slug, timeZone } from './events.ts';
import { endpoint } from './http.ts';
import { PICTURE_PROBLEMS, PICTURE_UPLOAD } from './pictures.ts';
import {
  email,
  id,
  idInPath,
  language,
  optionalLine,
  paragraphs,
  personName,
  therapistPath,
  timestamp,
} from './text.ts';

export const LINE_MAX = 120;
export const ABOUT_MAX = 2000;
const SLUG_MIN = 3;
export const SLUG_MAX = 40;
/** This many former slugs lead to the public page; one more frees the oldest for others. */
export const FORMER_SLUGS_MAX = 10;
/** Changes of the slug in 24 hours. */
export const SLUG_CHANGES_A_DAY = 5;
/** The picture is a square of at most this many px. */
export const PROFILE_PICTURE_PX = 512;
/** How long the link to a new address is valid. */
export const EMAIL_CHANGE_HOURS = 24;
/** How long the old address can take a change back. */
export const EMAIL_RESTORE_DAYS = 7;
/** Requests to change the address in 24 hours, further emails included. */
export const EMAIL_CHANGES_A_DAY = 5;
export const EXPORTS_AN_HOUR = 3;
/** How long a deletion can be taken back. */
export const DELETION_DAYS = 14;

/** Names under `/event/` that lead elsewhere, or that would look like the operator's. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  (
    'about account admin administrator anonymous api app assets auth billing booking bookings code confirm contact dev ' +
    'error event events faq fieldroom help home imprint index join legal login logout mail new null official operator ' +
    'practice privacy profile register room root search security settings static status support system team terms ' +
    'therapist undefined user users verify waiting welcome www'
  ).split(' '),
);

/** Whether a text may be somebody's slug: not reserved, not a number, no hyphen at an end or beside another. */
const mayBeChosen = (text: string): boolean =>
  !RESERVED_SLUGS.has(text) && !/^\d+$/.test(text) && !text.endsWith('-') && !text.includes('--');
/** A slug that a person chooses. Names that the service itself gave stay valid. */
export const chosenSlug = slug.check(
  z.minLength(SLUG_MIN, 'too_short'),
  z.maxLength(SLUG_MAX, 'too_long'),
  z.refine(mayBeChosen, 'invalid_value'),
);

export const GENDERS = ['female', 'male'] as const;
/** Null: prefers not to say. */
const gender = z.nullable(z.enum(GENDERS));
const emailToken = z.string().check(z.minLength(1, 'required'), z.maxLength(200, 'too_long'));
const picturePath = z.nullable(z.string());

/** An address that waits for its link to be opened. */
export const pendingEmail = z.strictObject({ email: z.string(), expiresAt: timestamp });

export const profile = z.strictObject({
  id,
  firstName: z.string(),
  lastName: z.string(),
  gender,
  language,
  timeZone: z.string(),
  /** Path of the picture, which changes with it; null where there is none. */
  picture: picturePath,
  slug: z.string(),
  /** A free slug made from the name. */
  proposedSlug: z.string(),
  /** Under the name on the public page; may be empty. */
  line: z.string(),
  /** The text about the therapist on the public page; may be empty. */
  about: z.string(),
  email: z.string(),
  pendingEmail: z.nullable(pendingEmail),
  joinLink: z.string(),
  /** When the account is deleted; null while nobody asked for it. */
  deletesOn: z.nullable(timestamp),
});
export type Profile = z.infer<typeof profile>;

const names = { firstName: personName, lastName: personName };
const publicPage = { line: optionalLine(LINE_MAX), about: paragraphs(ABOUT_MAX, { optional: true }) };
export const meInput = z.strictObject({ ...names, gender, language, timeZone });
export const pageInput = z.strictObject({ slug: chosenSlug, ...publicPage });

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/me/profile',
  access: 'signedIn',
  summary: 'The caller’s own profile',
  reply: profile,
});
export const saveProfile = endpoint({
  method: 'POST',
  path: '/api/me/profile',
  access: 'signedIn',
  summary: 'Saves name, gender, language and time zone',
  body: meInput,
  reply: profile,
});
export const savePage = endpoint({
  method: 'POST',
  path: '/api/me/page',
  access: 'signedIn',
  summary: 'Saves the public page: its slug, the line under the name, and the text. A former slug leads to the new one',
  body: pageInput,
  reply: profile,
  problems: ['slug_taken', 'too_many_requests'],
});
/** A fixed call: other programs name the account, and leave out the properties that stay unchanged. */
export const updateAccountInfo = endpoint({
  method: 'POST',
  path: '/api/updateAccountInfo',
  access: 'self',
  summary: 'Saves the caller’s name, gender, language and time zone; what is left out stays',
  body: z.strictObject({
    id,
    ...names,
    gender: z.optional(gender),
    language: z.optional(language),
    timeZone: z.optional(timeZone),
  }),
});
/** A fixed call, as above. */
export const updateProfile = endpoint({
  method: 'POST',
  path: '/api/profile/update',
  access: 'self',
  summary: 'Saves the caller’s public page; what is left out stays',
  body: z.strictObject({
    id,
    slug: z.optional(chosenSlug),
    line: z.optional(publicPage.line),
    about: z.optional(publicPage.about),
  }),
  problems: ['slug_taken', 'too_many_requests'],
});

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/api/image/profile/upload/{therapistId}',
  access: 'self',
  summary: 'The caller’s picture: JPEG, PNG or WebP up to 5 MB, cut to a square around its middle and re-encoded',
  params: therapistPath,
  upload: PICTURE_UPLOAD,
  reply: z.strictObject({ picture: z.string() }),
  problems: PICTURE_PROBLEMS,
});
export const removePicture = endpoint({
  method: 'DELETE',
  path: '/api/me/picture',
  access: 'signedIn',
  summary: 'Removes the caller’s picture',
});
export const profilePicture = endpoint({
  method: 'GET',
  path: '/api/image/{therapistId}',
  access: 'anyone',
  summary:
    'The picture of a therapist who can be met; with `share=1` as a JPEG of 1200 × 630 px, for messengers (docs/product.md#9.23)',
  params: therapistPath,
  query: z.strictObject({
    /** Changes with the picture, so that browsers never show an old one. */
    v: z.optional(z.string().check(z.maxLength(36, 'too_long'))),
    share: z.optional(z.literal('1')),
  }),
  bytes: ['image/webp', 'image/jpeg'],
  problems: ['not_found', 'too_many_requests'],
});

/**
 * A fixed call, which has the password in its path (docs/product.md#3.9). Our pages never make it: they send the
 * current password in the body of the call that needs it.
 */
export const checkPassword = endpoint({
  method: 'POST',
  path: '/api/profile/check/password/{password}/{therapistId}',
  access: 'self',
  summary: 'Whether a password is the caller’s own',
  params: z.strictObject({ password: typedPassword, therapistId: idInPath }),
  reply: z.boolean(),
  problems: ['too_many_requests'],
});
export const changeOwnPassword = endpoint({
  method: 'POST',
  path: '/api/me/password',
  access: 'signedIn',
  summary: 'Changes the password; the sign-ins of all other devices end, and an email tells',
  body: z.strictObject({ current: typedPassword, password }),
  problems: ['current_password_wrong', 'password_too_common', 'too_many_requests'],
});

export const requestEmail = endpoint({
  method: 'POST',
  path: '/api/me/email',
  access: 'signedIn',
  summary: 'Asks for another email address; it counts after the link in the email to it was opened',
  body: z.strictObject({ email, password: typedPassword }),
  reply: pendingEmail,
  problems: ['current_password_wrong', 'too_many_requests'],
});
export const resendEmail = endpoint({
  method: 'POST',
  path: '/api/me/email/again',
  access: 'signedIn',
  summary: 'Sends the link to the new address again; the earlier link ends',
  reply: pendingEmail,
  problems: ['not_found', 'too_many_requests'],
});
export const cancelEmail = endpoint({
  method: 'DELETE',
  path: '/api/me/email',
  access: 'signedIn',
  summary: 'Keeps the address: the link to the new one ends',
});
export const confirmEmail = endpoint({
  method: 'POST',
  path: '/api/public/email/confirm',
  access: 'token',
  summary: 'Changes the address by the token of the email to it; the sign-ins of other devices end',
  body: z.strictObject({ token: emailToken }),
  reply: z.strictObject({ email: z.string() }),
  problems: ['link_invalid', 'email_taken'],
});
export const restoreEmail = endpoint({
  method: 'POST',
  path: '/api/public/email/restore',
  access: 'token',
  summary:
    'Takes a change of the address back by the token of the email to the old one: all sign-ins and the password end. Answers the token with which a new password is set',
  body: z.strictObject({ token: emailToken }),
  /** For `changePassword`. */
  reply: z.strictObject({ token: z.string() }),
  problems: ['link_invalid', 'email_taken'],
});

export const device = z.strictObject({
  id: z.uuid(),
  /** Such as `Firefox`, and `Windows`; null where the browser does not say. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** Whether it is the device that asks. */
  current: z.boolean(),
  signedInAt: timestamp,
  /** Accurate to the minute. */
  lastUsedAt: timestamp,
});
export type Device = z.infer<typeof device>;
export const getDevices = endpoint({
  method: 'GET',
  path: '/api/me/devices',
  access: 'signedIn',
  summary: 'The devices that are signed in, this one first, then by their last use',
  reply: z.array(device),
});
export const endDevice = endpoint({
  method: 'DELETE',
  path: '/api/me/devices/{deviceId}',
  access: 'signedIn',
  summary: 'Signs a device out',
  params: z.strictObject({ deviceId: z.uuid() }),
  problems: ['not_found'],
});
export const endOthers = endpoint({
  method: 'DELETE',
  path: '/api/me/devices',
  access: 'signedIn',
  summary: 'Signs all other devices out',
});

export const exportData = endpoint({
  method: 'GET',
  path: '/api/me/export',
  access: 'signedIn',
  summary: 'Everything that is stored about the caller and their practice, as one JSON file',
  bytes: ['application/json'],
  problems: ['too_many_requests'],
});
export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/me/deletion',
  access: 'signedIn',
  summary: 'Deletes the account after 14 days. Until then it can be taken back, and the public page is closed',
  body: z.strictObject({ password: typedPassword }),
  reply: z.strictObject({ deletesOn: timestamp }),
  problems: ['current_password_wrong', 'account_has_bookings', 'too_many_requests'],
});
export const keepAccount = endpoint({
  method: 'DELETE',
  path: '/api/me/deletion',
  access: 'signedIn',
  summary: 'Takes the deletion back',
});
