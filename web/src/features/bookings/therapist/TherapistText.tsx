/** What a therapist writes about themselves, shown as it was meant. */
import { blocksOf, Description } from '../../events/description/index.ts';

export function TherapistText({ text }: { text: string }) {
  return <Description blocks={blocksOf(text)} />;
}
