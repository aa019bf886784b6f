/** Characters that no text written by a person may contain (docs/product.md#12.32). */

/**
 * Characters that change how the text around them reads: controls, bidirectional overrides and isolates, zero-width
 * characters other than the joiners that scripts and emoji need, tags, interlinear marks, lone surrogates.
 */
const UNSAFE_CHARACTERS =
  // eslint-disable-next-line no-control-regex -- they are what is refused
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/u;

/**
 * More marks on one letter than any language writes: the bound of the Stream-Safe Text Format (Unicode Standard Annex
 * 15). Normalising takes time in proportion to the square of the longest run of marks; 20,000 of them took a quarter of
 * a second.
 */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/**
 * Whether a text has characters that no text may contain. A file of its own, so that pages need not load the large
 * schemas of texts.
 */
export const isUnsafe = (text: string): boolean => UNSAFE_CHARACTERS.test(text) || TOO_MANY_MARKS.test(text);
