import * as z from 'zod/mini';

/** The password, as the last word. */
export const deleteForm = z.strictObject({
  password: z.string().check(z.minLength(1, 'required'), z.maxLength(512, 'too_long')),
});
export type DeleteTyped = z.infer<typeof deleteForm>;
export const EMPTY_DELETE: DeleteTyped = { password: '' };
