/** Who is shown where, from the room's state and the media received. Pure. Rules: docs/product.md#10.7 and #11.7. */
import { TILES_A_PAGE, type VideoPerson, type VideoState } from '@fieldroom/contract/video';
import type { MediaPerson, MediaState } from '../../platform/media/mediaTypes.ts';

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

export interface Tile {
  id: number;
  name: string;
  own: boolean;
  therapist: boolean;
  videoStream: MediaStream | null;
  /** Sends audio, sends video. */
  audio: boolean;
  video: boolean;
  talking: boolean;
  /** Position in the order of raised hands, from 1; null while the hand is down. */
  hand: number | null;
  quality: VideoPerson['line'];
  /** The video cannot be decrypted here. */
  unreadable: boolean;
  size: MediaPerson['size'];
  layers: MediaPerson['layers'];
  kbps: number;
}

export interface Seen {
  me: { id: number; as: 'therapist' | 'client'; name: string };
  therapist: { id: number; name: string };
  /** The room's clients in the order they came. */
  people: readonly { id: number; name: string; handRaisedOn?: string | null }[];
  media: MediaState;
  room: VideoState | null;
  showOwn: boolean;
}

/** Ids of people with a raised hand, the longest first. */
export function handsInOrder(people: Seen['people']): number[] {
  return people
    .filter((person) => person.handRaisedOn)
    .sort((a, b) => Date.parse(a.handRaisedOn ?? '') - Date.parse(b.handRaisedOn ?? '') || a.id - b.id)
    .map((person) => person.id);
}

/**
 * The tiles: the therapist's apart, then "You", then the others in the order they came. A client who may see only the
 * therapist has no other tiles except their own.
 */
export function tilesOf({ me, therapist, people, media, room, showOwn }: Seen): {
  therapist: Tile | null;
  others: Tile[];
} {
  const hands = handsInOrder(people);
  const inVideo = new Map((room?.faces ?? []).map((person) => [person.id, person]));
  const names = new Map(people.map((person) => [person.id, person.name]));
  const marks = (id: number) => {
    const at = hands.indexOf(id);
    return { hand: at < 0 ? null : at + 1, quality: inVideo.get(id)?.line ?? 'good' } as const;
  };
  const own: Tile | null =
    media.phase === 'off' || media.phase === 'disconnecting'
      ? null
      : {
          id: me.id,
          name: me.name,
          own: true,
          therapist: me.as === 'therapist',
          videoStream: media.own.videoStream,
          audio: media.own.audio,
          video: media.own.video,
          talking: media.own.talking,
          unreadable: false,
          size: null,
          layers: null,
          kbps: 0,
          ...marks(me.id),
          quality: media.quality,
        };
  const arriving = media.people.map((person): Tile => ({
    id: person.id,
    name: person.as === 'therapist' ? therapist.name : (names.get(person.id) ?? ''),
    own: false,
    therapist: person.as === 'therapist',
    videoStream: person.videoStream,
    audio: person.sendsAudio,
    video: person.sendsVideo,
    talking: person.talking,
    unreadable: person.unreadable,
    size: person.size,
    layers: person.layers,
    kbps: person.kbps,
    ...marks(person.id),
  }));
  // People who only watch send nothing that could arrive; the room's state has them.
  const onlyWatching = [...inVideo.values()]
    .filter(({ id }) => id !== me.id && !arriving.some((tile) => tile.id === id))
    .map(({ id, audio }): Tile => ({
      id,
      name: id === therapist.id ? therapist.name : (names.get(id) ?? ''),
      own: false,
      therapist: id === therapist.id,
      videoStream: null,
      audio,
      video: false,
      talking: false,
      unreadable: false,
      size: null,
      layers: null,
      kbps: 0,
      ...marks(id),
    }));
  const alone = me.as === 'client' && room?.settings.clientsVisible === false;
  const all = own === null ? [] : [...arriving, ...onlyWatching];
  const clients = all.filter((tile) => !tile.therapist && !alone);
  const ownHere = own && (showOwn || !own.video) ? [own] : [];
  return me.as === 'therapist'
    ? { therapist: ownHere[0] ?? null, others: clients }
    : { therapist: all.find((tile) => tile.therapist) ?? null, others: [...ownHere, ...clients] };
}

/**
 * One page of a grid. Takes the number of tiles, the maximum columns, and the page asked for. Returns columns and rows,
 * which tiles, and how many pages there are.
 */
export function gridPage(
  count: number,
  columns: number,
  page: number,
  perPage: number = TILES_A_PAGE,
): { page: number; pages: number; from: number; to: number; columns: number; rows: number } {
  const pages = Math.max(1, Math.ceil(count / perPage));
  const shown = Math.min(Math.max(0, page), pages - 1);
  const from = shown * perPage;
  const to = Math.min(count, from + perPage);
  const here = Math.max(1, to - from);
  // Few tiles are large: as close to a square as the columns allow.
  const wanted = Math.min(columns, Math.max(1, Math.ceil(Math.sqrt(here))));
  const across = here > columns * 2 ? columns : wanted;
  return { page: shown, pages, from, to, columns: across, rows: Math.ceil(here / across) };
}

/** The therapist's tile is wider than the others by this factor. */
const LEAD = 1.5;
const GAP = 10;
const SHAPE = 4 / 3;
const MUCH_LARGER = 1.12;

export interface GridShape {
  columns: number;
  /** Widths in px of a tile and of the therapist's; 0 while the box is not measured. */
  tile: number;
  lead: number;
  /** The therapist's tile stands beside the others, otherwise above them. */
  beside: boolean;
}

/**
 * The largest tiles that fit a box, all in the shape of a video (4:3), the therapist's half as wide again. Takes the
 * number of other tiles, whether the therapist's is there, the maximum columns, and the box in px. Three rows keep to
 * the maximum columns; fewer use what fits best.
 */
export function gridShape(
  count: number,
  lead: boolean,
  most: number,
  { width, height }: { width: number; height: number },
): GridShape {
  const { columns: usual } = gridPage(count, most, 0, Math.max(1, count));
  if (width <= 0 || height <= 0) return { columns: usual, tile: 0, lead: 0, beside: false };
  const alone = Math.min(width, height * SHAPE);
  if (count === 0) return { columns: 1, tile: alone, lead: alone, beside: false };
  let best: GridShape = { columns: usual, tile: 0, lead: 0, beside: false };
  const least = count > most * 2 ? most : 1;
  // Start with all in one row: a grid with more rows must be clearly larger to be worth its height.
  for (let columns = Math.min(most, Math.max(least, count)); columns >= least; columns--) {
    const rows = Math.ceil(count / columns);
    const across = (columns - 1) * GAP;
    const down = (rows - 1) * GAP;
    for (const beside of lead ? [false, true] : [false]) {
      const [wide, high] = [columns + (beside ? LEAD : 0), rows + (lead && !beside ? LEAD : 0)];
      const tile = Math.min(
        (width - across - (beside ? GAP : 0)) / wide,
        ((height - down - (lead && !beside ? GAP : 0)) / high) * SHAPE,
        lead ? (beside ? (height * SHAPE) / LEAD : width / LEAD) : Infinity,
      );
      if (tile > best.tile * MUCH_LARGER) best = { columns, tile, lead: lead ? tile * LEAD : 0, beside };
    }
  }
  return { ...best, tile: Math.max(0, Math.floor(best.tile)), lead: Math.max(0, Math.floor(best.lead)) };
}

/** What a way of joining switches on. */
export function choiceOf(
  join: JoinWith,
  devices: { microphone?: string; camera?: string; speaker?: string } = {},
): { audio: boolean; video: boolean; microphone?: string; camera?: string; speaker?: string } {
  return { ...devices, audio: join !== 'watch', video: join === 'camera' };
}
export function joinOf(choice: { audio: boolean; video: boolean }): JoinWith {
  return choice.video ? 'camera' : choice.audio ? 'microphone' : 'watch';
}
