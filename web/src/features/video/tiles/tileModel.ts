/** Who is shown where, from the room's state and the media received. Pure. Rules: docs/product.md#10.7 and #11.7. */
import { TILES_A_PAGE, type VideoPerson, type VideoState } from '@fieldroom/contract/video';
import type { MediaPerson, MediaState } from '../../../platform/media/mediaTypes.ts';
import { handsInOrder } from '../store/videoModel.ts';

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
  /**
   * What a client should know about their own tile: that it is large for everybody, or that only the therapist sees it.
   */
  note: 'onStage' | 'therapistOnly' | null;
}

export interface Seen {
  me: { id: number; as: 'therapist' | 'client'; name: string };
  therapist: { id: number; name: string };
  /** The room's clients in order of arrival. */
  people: readonly { id: number; name: string; handRaisedOn?: string | null }[];
  media: MediaState;
  room: VideoState | null;
  showOwn: boolean;
}

export interface Tiles {
  /** The therapist's, which a client sees large; null for the therapist. */
  lead: Tile | null;
  /** Clients on stage in order of arrival, as large as the therapist; empty if all are alike. */
  stage: Tile[];
  /** The other clients in order of arrival, all alike; small beside a stage. */
  others: Tile[];
  /** One's own, which is small. */
  own: Tile | null;
  /** The therapist's tile and the stage are large, the others small. */
  staged: boolean;
}

/** More people on stage than this are a group, all alike. */
const STAGE_MAX = TILES_A_PAGE;

/**
 * The tiles by their rank (docs/product.md#10.7, #10.13). A client who may see only the therapist has no others.
 */
export function tilesOf({ me, therapist, people, media, room, showOwn }: Seen): Tiles {
  const hands = handsInOrder(people);
  const inVideo = new Map((room?.faces ?? []).map((person) => [person.id, person]));
  const names = new Map(people.map((person) => [person.id, person.name]));
  const marks = (id: number) => {
    const at = hands.indexOf(id);
    return { hand: at < 0 ? null : at + 1, quality: inVideo.get(id)?.line ?? 'good', note: null } as const;
  };
  const onStage = room?.stage ?? null;
  /** Clients see one another only on stage. */
  const stageOnly = onStage !== null && room?.settings.stageOnly === true;
  const alone = me.as === 'client' && room?.settings.clientsVisible === false;
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
          note:
            me.as === 'therapist'
              ? null
              : alone || (stageOnly && !onStage.includes(me.id))
                ? 'therapistOnly'
                : onStage?.includes(me.id)
                  ? 'onStage'
                  : null,
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
  // People who only watch send nothing that could arrive; the room's state lists them.
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
  const all = own === null ? [] : [...arriving, ...onlyWatching];
  const lead = me.as === 'client' ? (all.find((tile) => tile.therapist) ?? null) : null;
  const clients = alone ? [] : all.filter((tile) => !tile.therapist);
  const seenClients = me.as === 'client' && stageOnly ? clients.filter(({ id }) => onStage.includes(id)) : clients;
  const stage = seenClients.filter(({ id }) => onStage?.includes(id));
  const large = stage.length + Number(lead !== null);
  const staged = onStage !== null && large > 0 && large <= STAGE_MAX;
  return {
    lead,
    stage: staged ? stage : [],
    others: staged ? seenClients.filter((tile) => !stage.includes(tile)) : seenClients,
    own: own && (showOwn || !own.video) ? own : null,
    staged,
  };
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

/** The therapist's tile is wider than the others by this factor, one's own narrower. */
const LEAD = 1.5;
const OWN = 0.6;
/** One's own tile is never wider, in px. */
const OWN_MAX = 200;
const GAP = 10;
const SHAPE = 4 / 3;
/** The gallery keeps this corner for the field's preview, in px. */
const PREVIEW = { width: 240, height: 150 };
const MUCH_LARGER = 1.12;

export interface GridShape {
  columns: number;
  /** Widths in px of a tile, the therapist's and one's own; 0 while the box is not measured. */
  tile: number;
  lead: number;
  own: number;
  /** The therapist's tile is beside the others, otherwise above them. */
  leadBeside: boolean;
  /** One's own tile is in the corner beside all others, otherwise in the corner below them. It covers nobody. */
  ownBeside: boolean;
}

/** Which tiles a grid has. */
export interface GridTiles {
  /** The number of clients' tiles. */
  count: number;
  /** The therapist's tile, larger. */
  lead: boolean;
  /** One's own, smaller. */
  own: boolean;
  /** Columns at most. */
  most: number;
  /** The field's preview is in the corner too, with one's own tile above it or left of it. */
  preview?: boolean;
}

/**
 * The largest tiles that fit a box, all in the shape of a video (4:3): the therapist's half as wide again, one's own
 * smaller. Takes the tiles and the box in px. Three rows keep to the maximum columns; fewer use what fits best.
 */
export function gridShape(
  { count, lead, own, most, preview = false }: GridTiles,
  { width, height }: { width: number; height: number },
): GridShape {
  const { columns: usual } = gridPage(count, most, 0, Math.max(1, count));
  const unknown: GridShape = { columns: usual, tile: 0, lead: 0, own: 0, leadBeside: false, ownBeside: false };
  if (width <= 0 || height <= 0) return unknown;
  if (count === 0 && !lead) {
    // In the middle, clear of the preview.
    const free = preview ? Math.max(0, width - 2 * (PREVIEW.width + GAP)) : width;
    return { ...unknown, own: Math.floor(Math.min(free, height * SHAPE)) };
  }
  if (count === 0) {
    // With the therapist alone, their tile takes all there is.
    const { tile, ...shape } = gridShape({ count: 1, lead: false, own, most, preview }, { width, height });
    return { ...shape, tile: 0, lead: tile };
  }
  let best = unknown;
  const least = count > most * 2 ? most : 1;
  // Start with all in one row: a grid with more rows must be clearly larger to be worth its height.
  for (let columns = Math.min(most, Math.max(least, count)); columns >= least; columns--)
    for (const leadBeside of lead ? [false, true] : [false])
      for (const ownBeside of own || preview ? [false, true] : [false]) {
        const tile = largestTile(
          { columns, rows: Math.ceil(count / columns), lead, leadBeside, own, ownBeside, preview },
          width,
          height,
        );
        if (tile > best.tile * MUCH_LARGER) best = { ...unknown, columns, tile, leadBeside, ownBeside };
      }
  const tile = Math.max(0, Math.floor(best.tile));
  return {
    ...best,
    tile,
    lead: lead ? Math.floor(tile * LEAD) : 0,
    own: own ? Math.floor(Math.min(OWN_MAX, tile * OWN)) : 0,
  };
}

/** Small tiles beside a stage, in px; smaller in a narrow or low box. Never more than a share of a large one. */
const SMALL = { wide: 128, narrow: 92, narrowBelow: 560, lowBelow: 300, share: 0.75 } as const;

/** Columns of a stage in a low area: twelve tiles in two rows. */
const STAGE_LOW_COLUMNS = 6;

export interface StageShape {
  /** Widths in px of a large tile and of a small one; 0 while the box is not measured. */
  tile: number;
  small: number;
  columns: number;
  /** How many small ones are in the row below, besides one's own. */
  perPage: number;
}

/**
 * A stage in a box: the large tiles as large as possible, the small ones in one row below them. Takes the tiles and the
 * box in px. `preview`: the field's preview lies in the corner at the end of that row.
 */
export function stageShape(
  {
    large,
    others,
    own,
    most,
    preview,
  }: { large: number; others: number; own: boolean; most: number; preview: boolean },
  { width, height }: { width: number; height: number },
): StageShape {
  const small = width < SMALL.narrowBelow || height < SMALL.lowBelow ? SMALL.narrow : SMALL.wide;
  const row = preview ? PREVIEW.height : others > 0 || own ? small / SHAPE : 0;
  const free = width - (preview ? PREVIEW.width + GAP : 0) - (own ? small + GAP : 0);
  const perPage = Math.max(1, Math.floor((free + GAP) / (small + GAP)));
  const box = { width, height: Math.max(0, height - row - (row > 0 ? GAP : 0)) };
  // In a low area more tiles beside one another are larger than in more rows.
  const columnsAtMost = box.height < box.width / 3 ? Math.max(most, STAGE_LOW_COLUMNS) : most;
  const { tile, columns } = gridShape({ count: large, lead: false, own: false, most: columnsAtMost }, box);
  return { tile, small: Math.min(small, Math.floor(tile * SMALL.share)), columns, perPage };
}

interface Arrangement {
  columns: number;
  rows: number;
  lead: boolean;
  leadBeside: boolean;
  own: boolean;
  ownBeside: boolean;
  preview: boolean;
}

/** The width in px at which all tiles of an arrangement fit. */
function largestTile(
  { columns, rows, lead, leadBeside, own, ownBeside, preview }: Arrangement,
  width: number,
  height: number,
) {
  const leadAbove = lead && !leadBeside;
  /** The contents of a row and of a column, in tiles with gaps between them. */
  const across = [
    { tiles: columns + (leadBeside ? LEAD : 0), gaps: columns - 1 + Number(leadBeside) },
    ...(leadAbove ? [{ tiles: LEAD, gaps: 0 }] : []),
  ];
  const down = [
    { tiles: rows + (leadAbove ? LEAD : 0), gaps: rows - 1 + Number(leadAbove) },
    ...(leadBeside ? [{ tiles: LEAD, gaps: 0 }] : []),
  ];
  /** Takes one's own width, as a share of a tile or in px. */
  const fit = (share: number, px: number) => {
    const corner = own || preview;
    const [beside, below] = [corner && ownBeside, corner && !ownBeside];
    return Math.min(
      ...across.map(
        ({ tiles, gaps }) => (width - gaps * GAP - (beside ? GAP + px : 0)) / (tiles + (beside ? share : 0)),
      ),
      ...down.map(
        ({ tiles, gaps }) =>
          ((height - gaps * GAP - (below ? GAP : 0)) * SHAPE - (below ? px : 0)) / (tiles + (below ? share : 0)),
      ),
    );
  };
  // One's own tile is never larger than the preview.
  if (preview) return fit(0, ownBeside ? PREVIEW.width : PREVIEW.height * SHAPE);
  const tile = fit(OWN, 0);
  return own && tile * OWN > OWN_MAX ? fit(0, OWN_MAX) : tile;
}

/** Tiles that a phone shows beside one's own: further ones are behind a button that replaces one. */
const PHONE_TILES = { client: 3, therapist: 6 } as const;

/**
 * Up to this many large tiles of a stage are in one row of a phone, and in landscape in one column: more are a crowd.
 */
const PHONE_STAGE = { phone: 3, low: 2 } as const;

/**
 * Lengths in a strip beside the field, px with the gap. `tile` is a usual one, `lead` the therapist's, `own` one's own
 * and small ones, `pages` the pager. `least` is the minimum for a large tile of a stage beside small ones.
 */
export const STRIP = {
  top: { tile: 146, lead: 192, own: 108, pages: 52, least: 104 },
  right: { tile: 134, lead: 140, own: 98, pages: 44, least: 88 },
} as const;
/** Large tiles in a floating strip: two rows of two, above a row of small ones. */
const FLOAT_STAGE_MOST = 4;

/** From this size on a tile is legible: a face and the beginning of a name. Px, and px² of both together. */
export const READABLE = { width: 64, height: 44, area: 3400 } as const;
/** Gap in a crowd, and the size of one small tile or the button for all: less than a legible large tile. */
const CROWD_GAP = 6;
const CELL = { width: 64, height: 48 } as const;
/** Heights of the strip of a phone, and over the field: usual, and enlarged for a crowd that needs it. */
const CROWD_HEIGHT = { phone: [142, 216], top: [104, 176] } as const;
/** With more large tiles than this the strip of a phone, and in landscape the column, is enlarged. */
const GROWS_AFTER = { phone: 6, low: 8 } as const;

type StripForm = 'top' | 'right' | 'float' | 'phone' | 'low';

/** The columns of a stage of many beside the field, and where small tiles are: beside or below them. */
export interface Crowd {
  side: 'beside' | 'below';
  columns: number;
  rows: number;
  /** The strip is larger than usual. */
  grown: boolean;
}

/** The columns with which tiles are largest in a box, by the video that each holds; null if none is legible. */
function crowdColumns(count: number, { width, height }: { width: number; height: number }, rowsMost = count) {
  let best: { columns: number; rows: number } | null = null;
  let largest = 0;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const across = (width - (columns - 1) * CROWD_GAP) / columns;
    const down = (height - (rows - 1) * CROWD_GAP) / rows;
    const video = Math.min(across, down * SHAPE);
    const readable = across >= READABLE.width && down >= READABLE.height && across * down >= READABLE.area;
    if (rows > rowsMost || !readable || video <= largest) continue;
    largest = video;
    best = { columns, rows };
  }
  return best;
}

/** The arrangement of this many large tiles in a form; null if they are not legible. Takes the form's box in px. */
function crowdShape(
  form: StripForm,
  count: number,
  { small, width, height }: { small: boolean; width: number; height: number },
): Crowd | null {
  const side = form === 'top' || form === 'phone' ? 'beside' : 'below';
  const grows = (form === 'phone' || form === 'low') && count > GROWS_AFTER[form];
  // Not measured yet, or as high as it needs to be.
  if (width === 0 || form === 'float') {
    const columns = form === 'float' && count <= FLOAT_STAGE_MOST ? 2 : 3;
    return { side, columns, rows: Math.ceil(count / columns), grown: grows };
  }
  if (form === 'right' || form === 'low') {
    const shape = crowdColumns(count, { width, height: height - (small ? CELL.height + CROWD_GAP : 0) });
    return shape && { side, ...shape, grown: grows };
  }
  const free = width - (small ? CELL.width + CROWD_GAP : 0);
  const [usual, tall] = CROWD_HEIGHT[form];
  if (form === 'phone') {
    const shape = crowdColumns(count, { width: free, height: grows ? tall : usual });
    return shape && { side, ...shape, grown: grows };
  }
  // Over the field one row, which leaves the field more than two do.
  const row = crowdColumns(count, { width: free, height: usual }, 1);
  const shape = row ?? crowdColumns(count, { width: free, height: tall });
  return shape && { side, ...shape, grown: row === null };
}

/** The contents of a strip: large tiles, small ones, and how many are behind the button. */
interface StripTiles {
  stage: Tile[];
  others: Tile[];
  hidden: number;
  /** The arrangement of a stage of many; null if a few large tiles and small ones share the strip as usual. */
  crowd: Crowd | null;
}

/**
 * A stage of many: all of them visible, as large as possible and larger than everybody else, who are behind a button.
 * If some would not be legible, talkers come first.
 */
export function crowdTiles(
  form: StripForm,
  { lead, stage, others, own }: Pick<Tiles, 'lead' | 'stage' | 'others' | 'own'>,
  box: { width: number; height: number },
): StripTiles {
  const leads = Number(lead !== null);
  let shown = stage;
  for (;;) {
    const left = stage.length - shown.length + others.length;
    const small = own !== null || left > 0;
    const crowd = crowdShape(form, shown.length + leads, { ...box, small });
    if (crowd || shown.length === 0) {
      const alone = left === 1 && others.length === 1;
      return { stage: shown, others: alone ? others : [], hidden: alone ? 0 : left, crowd };
    }
    shown = talkingFirst(stage).slice(0, shown.length - 1);
  }
}

/**
 * The tiles of a stage in a strip of some size in px. If the whole stage fits beside one's own tile, the pager and one
 * small tile, there are as few rows as usual, with pages of small ones. Otherwise it is a crowd.
 */
export function stripTiles(
  form: 'top' | 'right' | 'float',
  tiles: Pick<Tiles, 'lead' | 'stage' | 'others' | 'own'>,
  box: { width: number; height: number },
): StripTiles {
  const { lead, stage, others, own } = tiles;
  const fit = () => {
    if (form === 'float') return FLOAT_STAGE_MOST;
    const { own: small, pages, least } = STRIP[form];
    return Math.floor((lengthOf(form, box) - pages - small * (own ? 2 : 1)) / least);
  };
  // Not measured yet: no tile is moved from one place to another and back.
  if (box.width === 0 || stage.length + Number(lead !== null) <= Math.max(1, fit()))
    return { stage, others, hidden: 0, crowd: null };
  return crowdTiles(form, tiles, box);
}

/** How long a strip is, px, with the gap after its last tile. */
export const lengthOf = (form: 'top' | 'right' | 'float', box: { width: number; height: number }): number =>
  (form === 'right' ? box.height : box.width) + 8;

const talkingFirst = (tiles: readonly Tile[]) => tiles.toSorted((a, b) => Number(b.talking) - Number(a.talking));

/**
 * The tiles of a phone: all, or talkers first. With a stage, one of the others at most. Takes the size of the strip in
 * px.
 */
export function phoneTiles(
  as: 'therapist' | 'client',
  tiles: Tiles,
  form: 'phone' | 'low' = 'phone',
  box = { width: 0, height: 0 },
): StripTiles {
  const { lead, stage, others, own, staged } = tiles;
  if (staged) {
    if (stage.length + Number(lead !== null) > PHONE_STAGE[form]) return crowdTiles(form, tiles, box);
    const few = others.length > 1 ? [] : others;
    return { stage, others: few, hidden: others.length - few.length, crowd: null };
  }
  const most = PHONE_TILES[as] + (as === 'client' && own === null ? 1 : 0);
  const kept = others.length > most ? most - 1 : others.length;
  if (kept === others.length) return { stage, others, hidden: 0, crowd: null };
  return { stage, others: talkingFirst(others).slice(0, kept), hidden: others.length - kept, crowd: null };
}
