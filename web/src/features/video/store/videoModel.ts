/** Layouts, ways of joining and raised hands. Pure. tileModel.ts decides who is shown where. */

/** How field and video share the room. */
export const LAYOUTS = ['field', 'half', 'gallery'] as const;
export type Layout = (typeof LAYOUTS)[number];
/** Reads a stored layout; null for none. The gallery once had another name. */
export const layoutFrom = (kept: unknown): Layout | null =>
  kept === 'faces' ? 'gallery' : (LAYOUTS.find((layout) => layout === kept) ?? null);
/** The place of the tiles beside the whole field. */
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

/** The devices that a way of joining switches on. */
export function choiceOf(
  join: JoinWith,
  devices: { microphone?: string; camera?: string; speaker?: string } = {},
): { audio: boolean; video: boolean; microphone?: string; camera?: string; speaker?: string } {
  return { ...devices, audio: join !== 'watch', video: join === 'camera' };
}
/** The way of joining for a choice of devices; the inverse of `choiceOf`. */
export function joinOf(choice: { audio: boolean; video: boolean }): JoinWith {
  return choice.video ? 'camera' : choice.audio ? 'microphone' : 'watch';
}
