import * as z from 'zod/mini';
import { GENDERS, meInput } from '@fieldroom/contract/profile';
import type { Profile } from '../profileQueries.ts';

/** The contract's own schema, except that a radio button stands for "nothing" with an empty text. */
export const meForm = z.extend(meInput, {
  gender: z.pipe(
    z.enum([...GENDERS, '']),
    z.transform((gender) => (gender === '' ? null : gender)),
  ),
});
export type MeTyped = z.input<typeof meForm>;
export type MeValues = z.output<typeof meForm>;

/** The form's values for a profile. */
export const meOf = ({ firstName, lastName, gender, language, timeZone }: Profile): MeTyped => ({
  firstName,
  lastName,
  gender: gender ?? '',
  language,
  timeZone,
});
