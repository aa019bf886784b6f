/** The form of the public page: its rules, and its initial values. */
import type * as z from 'zod/mini';
import { pageInput } from '@fieldroom/contract/profile';
import type { Profile } from '../profileQueries.ts';

export const pageForm = pageInput;
export type PageTyped = z.input<typeof pageForm>;
export type PageValues = z.output<typeof pageForm>;

/** The form's values for a profile. */
export const pageOf = ({ slug, line, about }: Profile): PageTyped => ({ slug, line, about });
