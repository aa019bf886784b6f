/** What a therapist writes about themselves, shown as it was meant. */
import { Description } from '../event/Description.tsx';
import { blocksOf } from '../event/descriptionBlocks.ts';

export function TherapistText({ text }: { text: string }) {
  return <Description blocks={blocksOf(text)} />;
}
