import { password, typedPassword } from '@fieldroom/contract/credentials';
import * as z from 'zod/mini';

/** The current password, the new one by the rules of registration, and the new one once more. */
export const passwordForm = z
  .strictObject({
    current: typedPassword,
    password: z.pipe(z.string().check(z.minLength(1, 'required')), password),
    confirm: typedPassword,
  })
  .check(
    z.refine((values) => values.confirm.normalize('NFKC') === values.password, {
      message: 'mismatch',
      path: ['confirm'],
      when: ({ value }) =>
        typeof (value as { confirm?: unknown }).confirm === 'string' && (value as { confirm: string }).confirm !== '',
    }),
  );
export type PasswordTyped = z.input<typeof passwordForm>;
export type PasswordValues = z.output<typeof passwordForm>;
/** The form before anything is typed, and after the change. */
export const EMPTY_PASSWORDS: PasswordTyped = { current: '', password: '', confirm: '' };
