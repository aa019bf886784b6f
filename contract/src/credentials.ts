/**
 * What a person types to register and to sign in. Every page carries the calls of accounts.ts, but only the forms need
 * these schemas, so they are in a file of their own.
 */
import * as z from 'zod/mini';
import { email, EMAIL_MAX, language, personName } from './text.ts';

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;
/** 10 to 128 characters after NFKC; the server decides whether it is too common. */
export const password = z
  .pipe(
    z.pipe(
      z.string().check(z.maxLength(PASSWORD_MAX * 4, 'too_long')),
      z.transform((text) => text.normalize('NFKC')),
    ),
    z.string().check(z.minLength(PASSWORD_MIN, 'too_short'), z.maxLength(PASSWORD_MAX, 'too_long')),
  )
  .register(z.globalRegistry, { minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX });

export const captchaSolution = z.string().check(z.minLength(1, 'required'), z.maxLength(4096, 'too_long'));

/** A password that is compared with the stored one. One that is too long to be valid is refused before it is hashed. */
export const typedPassword = z.string().check(z.minLength(1, 'required'), z.maxLength(PASSWORD_MAX * 4, 'too_long'));

/** What a person types to sign in. */
export const credentials = z.strictObject({
  email: z.string().check(z.minLength(1, 'required'), z.maxLength(EMAIL_MAX, 'too_long')),
  password: typedPassword,
});
/** What a person types to register. */
export const registration = z.strictObject({
  firstName: personName,
  lastName: personName,
  email,
  password,
  /** Left out or null: prefers not to say (docs/product.md#3.18). */
  gender: z.optional(z.nullable(z.enum(['male', 'female']))),
  language,
  licenseAccepted: z.boolean().check(z.refine((accepted) => accepted, 'agreement_required')),
  dataAccepted: z.boolean().check(z.refine((accepted) => accepted, 'agreement_required')),
  /** Solution of the proof-of-work challenge from `getCaptcha`. */
  captcha: captchaSolution,
  /**
   * IANA zone of the browser, the first zone of the therapist's events (docs/product.md#9.1); an unknown one is
   * ignored.
   */
  timeZone: z.optional(z.string().check(z.maxLength(64, 'too_long'))),
});
