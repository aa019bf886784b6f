/** Numbers and rules of faces and voices that need no schema; apart from video.ts so that the room in the browser carries no schema library. Specification 4.8 and 9, PRODUCT 10. */

/** Where browsers and foreign programs speak the Janus protocol (subprotocol `janus-protocol`). */
export const VIDEO_PATH = '/video';
export const VIDEO_PLUGIN = 'janus.plugin.videoroom';
/** A ticket opens one Janus session, once, within this time (product time is not meant: seconds of the machine). */
export const TICKET_SECONDS = 60;
/** Publishers in a room, the therapist among them. */
export const VIDEO_PEOPLE_MAX = 25;
/** Tiles a page of the grid. */
export const TILES_A_PAGE = 12;
/** Voices heard at once beside the therapist's, which always is: more than four people at once nobody understands, and each costs everybody's line. */
export const LOUDEST_VOICES = 3;
/** Seconds between key frames at most, and the two numbers by which talking is told (specification 9). */
export const KEYFRAME_SECONDS = 10;
export const TALKING_LEVEL = 50;
export const TALKING_PACKETS = 100;
export const SUBSTREAMS = 3;
export const TEMPORAL_LAYERS = 3;

/** Bits per second. Specification 9; PRODUCT 10 decides between its two readings of high and low. */
export const BITRATE = {
  therapist: 200_000,
  alone: 200_000,
  firefoxAlone: 150_000,
  firefoxAmongSeveral: 75_000,
  other: 100_000,
  selected: 200_000,
  highQuality: 1_200_000,
} as const;

export interface Publishing {
  as: 'therapist' | 'client';
  /** Told at join. */
  firefox: boolean;
  /** The client whom the therapist selected. */
  selected: boolean;
  /** Clients who take part in the video, this one among them. */
  clients: number;
  /** The room's switch. */
  highQuality: boolean;
}

/** How many bits per second somebody's picture and voice may take. Out: the cap the server holds by REMB. Specification 4.8, 9; PRODUCT 10. */
export function bitrateOf({ as, firefox, selected, clients, highQuality }: Publishing): number {
  if (highQuality) return BITRATE.highQuality;
  if (as === 'therapist') return BITRATE.therapist;
  if (selected) return BITRATE.selected;
  if (firefox) return clients > 1 ? BITRATE.firefoxAmongSeveral : BITRATE.firefoxAlone;
  return clients > 1 ? BITRATE.other : BITRATE.alone;
}

/** What others see of one as `display` on the video line; the therapist's is told apart by it (specification 6). */
export function displayName(person: { as: 'therapist' | 'client'; id: number }): string {
  return person.as === 'therapist' ? `${person.id}@therapist` : String(person.id);
}
/** Whose picture a display name belongs to; null when nobody of ours made it. */
export function personOfDisplay(display: string): { as: 'therapist' | 'client'; id: number } | null {
  const match = /^([1-9]\d{0,15})(@therapist)?$/.exec(display);
  return match ? { as: match[2] === undefined ? 'client' : 'therapist', id: Number(match[1]) } : null;
}

/** How somebody's line carries; told by the person's own browser. */
export const LINES = ['good', 'weak', 'poor'] as const;
export type VideoLine = (typeof LINES)[number];
