/** How a therapist's plain text is shown: on public pages, and before it is published. Free of the UI kit. */
export { Description } from './Description.tsx';
export { blocksOf } from './descriptionBlocks.ts';
