import { password } from '@fieldroom/contract/credentials';
import * as z from 'zod/mini';

const typedSomething = z.string().check(z.minLength(1, 'required'), z.maxLength(512, 'too_long'));

/** The present password, the new one by the rules of registration, and the new one once more. */
export const passwordForm = z
  .strictObject({
    current: typedSomething,
    password: z.pipe(z.string().check(z.minLength(1, 'required')), password),
    confirm: typedSomething,
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
export const EMPTY_PASSWORDS: PasswordTyped = { current: '', password: '', confirm: '' };
