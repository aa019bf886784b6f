import { typedPassword } from '@fieldroom/contract/credentials';
import * as z from 'zod/mini';

/** The password, as the final confirmation. */
export const deleteForm = z.strictObject({ password: typedPassword });
export type DeleteTyped = z.infer<typeof deleteForm>;
/** The form before anything is typed. */
export const EMPTY_DELETE: DeleteTyped = { password: '' };
