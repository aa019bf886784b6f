import { isUnsafe } from '@fieldroom/contract/text/unsafe';
import { sayProblem } from '../i18n/app.ts';
import { faultText } from '../i18n/faults.ts';

/**
 * Says what is wrong with a word to filter a list by (docs/product.md#12.32); null where it can be sent. The field
 * bounds its length.
 */
export const keywordFault = (typed: string): string | null =>
  isUnsafe(typed) ? faultText(sayProblem, 'keyword', 'unsafe_characters') : null;
