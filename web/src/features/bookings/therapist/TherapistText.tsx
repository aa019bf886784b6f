/** A therapist's text about themselves, formatted. */
import { blocksOf, Description } from '../../events/description/index.ts';

/**
 * Draws the text of a public page with the formatting of descriptions (docs/product.md#9.22). Used on the page and in
 * the profile's preview of it.
 */
export function TherapistText({ text }: { text: string }) {
  return <Description blocks={blocksOf(text)} />;
}
