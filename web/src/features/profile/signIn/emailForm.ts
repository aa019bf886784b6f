import { typedPassword } from '@fieldroom/contract/credentials';
import { email } from '@fieldroom/contract/text';
import * as z from 'zod/mini';

/** The new address, and the password as proof. */
export const emailForm = z.strictObject({
  // An empty field is reported as empty, not as malformed.
  email: z.pipe(z.string().check(z.trim(), z.minLength(1, 'required')), email),
  password: typedPassword,
});
export type EmailTyped = z.input<typeof emailForm>;
export type EmailValues = z.output<typeof emailForm>;
/** The form before anything is typed, and after it was sent. */
export const EMPTY_EMAIL: EmailTyped = { email: '', password: '' };
