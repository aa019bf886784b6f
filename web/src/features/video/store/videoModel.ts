/** Layouts, ways of joining and raised hands. Pure. Who is shown where is in tileModel.ts. */

/** How field and video share the room. */
export const LAYOUTS = ['field', 'half', 'gallery'] as const;
export type Layout = (typeof LAYOUTS)[number];
/** Reads a layout that a browser kept; null for none. The gallery had another name once. */
export const layoutFrom = (kept: unknown): Layout | null =>
  kept === 'faces' ? 'gallery' : (LAYOUTS.find((layout) => layout === kept) ?? null);
/** Where the tiles stand beside the whole field. */
export const STRIPS = ['top', 'right', 'float'] as const;
export type Strip = (typeof STRIPS)[number];

/** How a person chose to join. */
export type JoinWith = 'camera' | 'microphone' | 'watch';

/** Ids of people with a raised hand, the longest first. */
export function handsInOrder(people: readonly { id: number; handRaisedOn?: string | null }[]): number[] {
  return people
    .filter((person) => person.handRaisedOn)
    .sort((a, b) => Date.parse(a.handRaisedOn ?? '') - Date.parse(b.handRaisedOn ?? '') || a.id - b.id)
    .map((person) => person.id);
}

/** What a way of joining switches on. */
export function choiceOf(
  join: JoinWith,
  devices: { microphone?: string; camera?: string; speaker?: string } = {},
): { audio: boolean; video: boolean; microphone?: string; camera?: string; speaker?: string } {
  return { ...devices, audio: join !== 'watch', video: join === 'camera' };
}
/** The way of joining that a choice of devices means; the inverse of `choiceOf`. */
export function joinOf(choice: { audio: boolean; video: boolean }): JoinWith {
  return choice.video ? 'camera' : choice.audio ? 'microphone' : 'watch';
}
