import { email } from '@fieldroom/contract/text';
import * as z from 'zod/mini';

/** The new address, and the password that proves who asks. */
export const emailForm = z.strictObject({
  // An empty field is reported as empty, not as malformed.
  email: z.pipe(z.string().check(z.trim(), z.minLength(1, 'required')), email),
  password: z.string().check(z.minLength(1, 'required'), z.maxLength(512, 'too_long')),
});
export type EmailTyped = z.input<typeof emailForm>;
export type EmailValues = z.output<typeof emailForm>;
export const EMPTY_EMAIL: EmailTyped = { email: '', password: '' };
