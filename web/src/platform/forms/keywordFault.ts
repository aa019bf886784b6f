import { isUnsafe } from '@fieldroom/contract/text/unsafe';
import { sayProblem } from '../i18n/app.ts';
import { faultText } from '../i18n/faults.ts';

/**
 * Returns what is wrong with a keyword that filters a list (docs/product.md#12.32); null if it can be sent. The field
 * limits its length.
 */
export const keywordFault = (typed: string): string | null =>
  isUnsafe(typed) ? faultText(sayProblem, 'keyword', 'unsafe_characters') : null;
