/** Who is seen where: pure, from what the room says and what arrives. Specification 2.4, 6, 9; PRODUCT 10; UI "The room". */
import { TILES_A_PAGE, type VideoFace, type VideoState } from './rules.ts';
import type { MediaPerson, MediaState } from '../../platform/media/media.types.ts';

/** How field and faces share the room. */
export const LAYOUTS = ['field', 'half', 'faces'] as const;
export type Layout = (typeof LAYOUTS)[number];
/** Where the faces stand beside the whole field. */
export const STRIPS = ['top', 'right', 'float'] as const;
export type Strip = (typeof STRIPS)[number];

/** What a person chose to join with. */
export type JoinWith = 'camera' | 'voice' | 'watch';

export interface Tile {
  id: number;
  name: string;
  own: boolean;
  therapist: boolean;
  picture: MediaStream | null;
  /** Sends voice, picture. */
  audio: boolean;
  video: boolean;
  talking: boolean;
  /** Place in the row of raised hands, from 1; null while the hand is down. */
  hand: number | null;
  line: VideoFace['line'];
  /** Its picture can't be opened here. */
  sealed: boolean;
  size: MediaPerson['size'];
  layers: MediaPerson['layers'];
  kbps: number;
}

export interface Seen {
  me: { id: number; as: 'therapist' | 'client'; name: string };
  therapist: { id: number; name: string };
  /** Clients of the room in the order they came. */
  people: readonly { id: number; name: string; handRaisedOn?: string | null }[];
  media: MediaState;
  room: VideoState | null;
  showOwn: boolean;
}

/** Ids of those whose hand is up, the longest first. */
export function handsInOrder(people: Seen['people']): number[] {
  return people
    .filter((person) => person.handRaisedOn)
    .sort((a, b) => Date.parse(a.handRaisedOn ?? '') - Date.parse(b.handRaisedOn ?? '') || a.id - b.id)
    .map((person) => person.id);
}

/**
 * The tiles: the therapist's apart, then "You", then the others as they came. A client whom the therapist's switch shows the
 * therapist alone has no other tiles but the own.
 */
export function tilesOf({ me, therapist, people, media, room, showOwn }: Seen): {
  therapist: Tile | null;
  others: Tile[];
} {
  const hands = handsInOrder(people);
  const faces = new Map((room?.faces ?? []).map((face) => [face.id, face]));
  const names = new Map(people.map((person) => [person.id, person.name]));
  const marks = (id: number) => {
    const at = hands.indexOf(id);
    return { hand: at < 0 ? null : at + 1, line: faces.get(id)?.line ?? 'good' } as const;
  };
  const own: Tile | null =
    media.phase === 'off' || media.phase === 'disconnecting'
      ? null
      : {
          id: me.id,
          name: me.name,
          own: true,
          therapist: me.as === 'therapist',
          picture: media.own.picture,
          audio: media.own.audio,
          video: media.own.video,
          talking: media.own.talking,
          sealed: false,
          size: null,
          layers: null,
          kbps: 0,
          ...marks(me.id),
          line: media.line,
        };
  const arriving = media.people.map((person): Tile => ({
    id: person.id,
    name: person.as === 'therapist' ? therapist.name : (names.get(person.id) ?? ''),
    own: false,
    therapist: person.as === 'therapist',
    picture: person.picture,
    audio: person.sendsAudio,
    video: person.sendsVideo,
    talking: person.talking,
    sealed: person.sealed,
    size: person.size,
    layers: person.layers,
    kbps: person.kbps,
    ...marks(person.id),
  }));
  // Who only watches sends nothing that could arrive; the room knows of them.
  const watching = [...faces.values()]
    .filter(({ id }) => id !== me.id && !arriving.some((tile) => tile.id === id))
    .map(({ id, audio }): Tile => ({
      id,
      name: id === therapist.id ? therapist.name : (names.get(id) ?? ''),
      own: false,
      therapist: id === therapist.id,
      picture: null,
      audio,
      video: false,
      talking: false,
      sealed: false,
      size: null,
      layers: null,
      kbps: 0,
      ...marks(id),
    }));
  const alone = me.as === 'client' && room?.settings.clientsVisible === false;
  const all = own === null ? [] : [...arriving, ...watching];
  const clients = all.filter((tile) => !tile.therapist && !alone);
  const ownHere = own && (showOwn || !own.video) ? [own] : [];
  return me.as === 'therapist'
    ? { therapist: ownHere[0] ?? null, others: clients }
    : { therapist: all.find((tile) => tile.therapist) ?? null, others: [...ownHere, ...clients] };
}

/** One page of a grid. In: how many tiles, columns at most, the page asked for. Out: columns and rows to draw, which tiles, and the pages there are. */
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
  // Few faces stand large: as near to a square of tiles as the columns allow.
  const wanted = Math.min(columns, Math.max(1, Math.ceil(Math.sqrt(here))));
  const across = here > columns * 2 ? columns : wanted;
  return { page: shown, pages, from, to, columns: across, rows: Math.ceil(here / across) };
}

/** The therapist's face is so much wider than the others'. */
const LEAD = 1.5;
const GAP = 10;
const SHAPE = 4 / 3;
const MUCH_LARGER = 1.12;

export interface GridShape {
  columns: number;
  /** Widths in px of a tile and of the therapist's; 0 while the place is not measured. */
  tile: number;
  lead: number;
  /** The therapist's face stands beside the others, else above them. */
  beside: boolean;
}

/**
 * The largest faces that a place holds, all in the shape of a picture (4:3), the therapist's half as wide again. In: how many tiles beside the therapist's
 * (and whether that one is there), columns at most, the place in px. Three rows keep to all columns (PRODUCT 10); fewer take what fits best.
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
  // From all beside one another down: what is hardly larger is not worth a taller heap.
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

/** The choice that a way of joining means. */
export function choiceOf(
  join: JoinWith,
  devices: { microphone?: string; camera?: string; speaker?: string } = {},
): { audio: boolean; video: boolean; microphone?: string; camera?: string; speaker?: string } {
  return { ...devices, audio: join !== 'watch', video: join === 'camera' };
}
export function joinOf(choice: { audio: boolean; video: boolean }): JoinWith {
  return choice.video ? 'camera' : choice.audio ? 'voice' : 'watch';
}
