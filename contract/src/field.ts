/**
 * The field: measures, how a change is applied, who may move what, shapes of figures and acts, messages and calls.
 * Rules: docs/product.md#5. Invariants of the messages: `realtime.ts`.
 *
 * Messages
 *   SEND /app/field.act     FieldActMessage    stored, ordered, confirmed by PLAYER_CHANGE or refused by PROBLEM
 *   SEND /app/field.drag    FieldDragMessage   volatile
 *   SEND /app/field.point   FieldPointMessage  volatile
 */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { messagesTo } from './realtime.ts';
import { id, idInPath, line, optionalLine, revision, therapistPath, timestamp } from './text.ts';
import { judgeRevision } from './revisions.ts';

/** Field units; rotation in degrees clockwise, 0 = facing up. */
export const FIELD_WIDTH = 1600;
export const FIELD_HEIGHT = 1000;
export const SCALE_MIN = 0.25;
export const SCALE_MAX = 4;
export const FIGURES_MAX = 500;
export const FIGURE_NAME_MAX = 60;
/** Relations that start at one figure, and the characters of a relation's word. */
export const RELATIONS_MAX = 12;
export const RELATION_WORD_MAX = 30;
/** A figure is drawn this many field units wide at scale 1. */
export const FIGURE_SIZE = 120;
/** Number of acts that each person can undo. */
export const UNDO_MAX = 50;
/** A hold ends after this time without a message (real time). */
export const HOLD_MS = 3000;
/** Volatile messages per second and person. */
export const VOLATILE_PER_SECOND = 30;
/** The length of a tick, in milliseconds: how long at most a room's volatile positions wait if others follow soon. */
export const TICK_MS = 16;

export const ICON_TYPES = [
  'MALE_FIGURE',
  'FEMALE_FIGURE',
  'MALE_SQUARE',
  'FEMALE_CIRCLE',
  'STAR',
  'KIWI',
  'BAT',
  'CUSTOM',
] as const;

/** male figure ↔ male square, female figure ↔ female circle; others stay the same. */
export function toggledIconType(type: IconType): IconType {
  switch (type) {
    case 'MALE_FIGURE':
      return 'MALE_SQUARE';
    case 'MALE_SQUARE':
      return 'MALE_FIGURE';
    case 'FEMALE_FIGURE':
      return 'FEMALE_CIRCLE';
    case 'FEMALE_CIRCLE':
      return 'FEMALE_FIGURE';
    default:
      return type;
  }
}

/** A relation's line: one line, one that ends in an arrow at the other figure, two lines side by side. */
export const RELATION_KINDS = ['plain', 'arrow', 'double'] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

export const MOVABLE_BY = ['therapist', 'holders', 'everyone'] as const;

/** Brings degrees into 0 ≤ r < 360, rounded to a tenth. */
export function normalizeRotation(degrees: number): number {
  const turned = ((degrees % 360) + 360) % 360;
  const rounded = Math.round(turned * 10) / 10;
  return rounded >= 360 ? 0 : rounded;
}

/** The measurements needed to find room for a figure. */
export interface Standing {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/**
 * Figures of scale 1 are apart when their centres are this many field units apart; their names need more below them.
 */
const APART = 135;
const BELOW = 0.8;
/** The turn between two places of the spiral (the golden angle), and how fast it widens. */
const SPIRAL_TURN = 2.399963;
const SPIRAL_STEP = 34;
const SPIRAL_WIDTH = 1.5;
/** Enough to reach each corner from the other one. */
const SPIRAL_PLACES = 1000;
/** Side of a cell; see `findFreeCell`. */
const CELL = 40;

interface Point {
  x: number;
  y: number;
}

/**
 * The nearest place around a figure's own, on a widening spiral, at which it covers none of the others and is wholly on
 * the field; null where there is no such place. The same figures always give the same place.
 */
export function findRoom(figure: Standing, others: readonly Standing[]): Point | null {
  const half = (FIGURE_SIZE / 2) * figure.scale;
  const within = (value: number, least: number, most: number) => Math.round(Math.min(most, Math.max(least, value)));
  const covers = (other: Standing, x: number, y: number) => {
    const far = other.x - x;
    const below = (other.y - y) * BELOW;
    const apart = (APART * (other.scale + figure.scale)) / 2;
    return far * far + below * below <= apart * apart;
  };
  for (let step = 0; step < SPIRAL_PLACES; step += 1) {
    const angle = step * SPIRAL_TURN;
    const radius = SPIRAL_STEP * Math.sqrt(step);
    const x = within(figure.x + radius * SPIRAL_WIDTH * Math.cos(angle), half + 20, FIELD_WIDTH - half - 20);
    const y = within(figure.y + radius * Math.sin(angle), half + 20, FIELD_HEIGHT - half - 40);
    if (!others.some((other) => covers(other, x, y))) return { x, y };
  }
  return null;
}

/** The middle of the nearest cell of the field without a figure. There are more cells than figures. */
export function findFreeCell(figure: Standing, others: readonly Standing[]): Point {
  const [columns, rows] = [FIELD_WIDTH / CELL, FIELD_HEIGHT / CELL];
  const cellAt = ({ x, y }: Point) =>
    Math.min(columns - 1, Math.floor(x / CELL)) * rows + Math.min(rows - 1, Math.floor(y / CELL));
  const taken = new Set(others.map(cellAt));
  let nearest: Point | null = null;
  let least = Infinity;
  for (let cell = 0; cell < columns * rows; cell += 1) {
    const middle = { x: (Math.floor(cell / rows) + 0.5) * CELL, y: ((cell % rows) + 0.5) * CELL };
    const far = Math.hypot(figure.x - middle.x, figure.y - middle.y);
    if (far < least && !taken.has(cell)) [nearest, least] = [middle, far];
  }
  if (nearest === null) throw new Error('more figures than cells');
  return nearest;
}

/** The twelve colours of the design (name → fill). */
export const FIGURE_COLORS = {
  chalk: '#F4F3F3',
  straw: '#EFDA71',
  apricot: '#D7A065',
  brick: '#953300',
  rose: '#D7739C',
  plum: '#6F2764',
  lilac: '#886AC1',
  inkBlue: '#2B549D',
  sky: '#4BA8E2',
  mint: '#7BD6C3',
  moss: '#4C7E58',
  coal: '#2E2E2E',
} as const;

/** The whole field, as `PLAYERS_VALUE` carries it. */
export interface FieldSnapshot {
  figures: Figure[];
  handsAllowed: boolean;
}

// ---- changes: what the server says happened

export type FieldOp =
  | { op: 'put'; figure: Figure }
  | { op: 'remove'; figureId: number }
  | { op: 'hands'; allowed: boolean };

/** One stored act as everybody gets it. `revision` is the field's revision after it. */
export interface FieldChange {
  revision: number;
  actId: string | null;
  /** Person who acted (therapist or client id); null for the server itself. */
  by: number | null;
  ops: FieldOp[];
  /** The act changed nothing, not even roles: there is nothing to undo. An older server does not send it. */
  unchanged?: true;
}

/** A copy of a field, as browsers and tests keep it, with its revision. */
export interface FieldCopy extends FieldSnapshot {
  revision: number;
}

type Applied = { kind: 'applied'; field: FieldCopy } | { kind: 'known' } | { kind: 'gap' };

/**
 * Applies one change to a copy of the field. Pure; figures that did not change keep their identity. Returns the new
 * copy; `known` when the copy already has the change; `gap` when something before it is missing, so that the caller has
 * to request the whole field. Invariant: apply(snapshot, changes) equals a later snapshot.
 */
export function applyChange(field: FieldCopy, change: FieldChange): Applied {
  const verdict = judgeRevision(field.revision, change.revision);
  if (verdict !== 'next') return { kind: verdict };
  return { kind: 'applied', field: { revision: change.revision, ...applyOps(field, change.ops) } };
}

/** Applies the ops that are known, without looking at revisions. Returns the figures sorted by order, then id. */
export function applyOps(field: FieldSnapshot, ops: readonly FieldOp[]): FieldSnapshot {
  let handsAllowed = field.handsAllowed;
  const byId = new Map(field.figures.map((figure) => [figure.id, figure]));
  for (const op of ops) {
    if (op.op === 'put') byId.set(op.figure.id, op.figure);
    else if (op.op === 'remove') byId.delete(op.figureId);
    // Messages of a newer version may contain ops that this one does not know.
    else if (op.op === 'hands') handsAllowed = op.allowed;
  }
  return { handsAllowed, figures: sortFigures([...byId.values()]) };
}

/** Painting order: `order`, then id. */
export function sortFigures(figures: Figure[]): Figure[] {
  return figures.sort((a, b) => a.order - b.order || a.id - b.id);
}

/** Somebody who asks to move a figure: the therapist, or a client with the figures whose role they hold. */
export type Mover = { as: 'therapist' } | { as: 'client'; roles: readonly number[] };

/**
 * Whether this person may move this figure now (docs/product.md#5.2 and #5.5).
 */
export function mayMove(mover: Mover, figure: Pick<Figure, 'id' | 'movableBy'>, handsAllowed: boolean): boolean {
  if (mover.as === 'therapist') return true;
  if (!handsAllowed) return false;
  if (figure.movableBy === 'everyone') return true;
  return figure.movableBy === 'holders' && mover.roles.includes(figure.id);
}

/**
 * Icons: SVG text, 256 kB at most, cleaned on save, kept at 30×30 px, or in a 50-px box when its size is given in mm (1
 * mm = 3.7795 px).
 */
export const ICON_BYTES_MAX = 262_144;
export const ICON_NAME_MAX = 60;
export const ICONS_MAX = 100;
export const PX_PER_MM = 3.7795;

const iconType = z.enum(ICON_TYPES);
export type IconType = z.infer<typeof iconType>;

const movableBy = z.enum(MOVABLE_BY);
export type MovableBy = z.infer<typeof movableBy>;

const x = z.number().check(z.minimum(0, 'out_of_range'), z.maximum(FIELD_WIDTH, 'out_of_range'));
const y = z.number().check(z.minimum(0, 'out_of_range'), z.maximum(FIELD_HEIGHT, 'out_of_range'));
/** Stored as 0 ≤ r < 360; the input may be any finite angle up to ten full turns. */
const rotation = z.pipe(
  z.pipe(
    z.number().check(z.minimum(-3600, 'out_of_range'), z.maximum(3600, 'out_of_range')),
    z.transform(normalizeRotation),
  ),
  z.number(),
);
const scale = z.number().check(z.minimum(SCALE_MIN, 'out_of_range'), z.maximum(SCALE_MAX, 'out_of_range'));
const color = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'invalid_format'));
const figureName = optionalLine(FIGURE_NAME_MAX);

const relationKind = z.enum(RELATION_KINDS);
const relationWord = optionalLine(RELATION_WORD_MAX);
/**
 * A line from a figure to another one (docs/product.md#5.33). It belongs to the figure at which it starts. `to` may be
 * a figure that has gone: the line is not drawn then, and is back when the figure comes back.
 */
export const relation = z.strictObject({ to: id, kind: relationKind, color, word: relationWord });
export type Relation = z.infer<typeof relation>;
/** In constellations figures have no ids: `to` is the place of the other figure in the list, from 0 on. */
export const keptRelation = z.extend(relation, { to: z.int().check(z.nonnegative()) });

const namesEachOnce = (list: readonly { to: number }[]) => new Set(list.map(({ to }) => to)).size === list.length;
const relations = z.array(relation).check(z.maxLength(RELATIONS_MAX, 'too_long'), z.refine(namesEachOnce, 'double'));
export const keptRelations = z.array(keptRelation);

/** Whether two lists hold the same relations in the same order. */
export function sameRelations(a: readonly Relation[], b: readonly Relation[]): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every(({ to, kind, color: tone, word }, index) => {
      const other = b[index] as Relation;
      return to === other.to && kind === other.kind && tone === other.color && word === other.word;
    })
  );
}

/** Whether two values of one property of figures are equal. */
export const sameValue = (a: Figure[keyof Figure], b: Figure[keyof Figure]): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && sameRelations(a, b));

/** A figure that was stored before there were relations has none. */
export function withRelations<T extends { relations: readonly unknown[] }>(
  stored: Omit<T, 'relations'> & { relations?: T['relations'] | undefined },
): T {
  return (stored.relations ? stored : { ...stored, relations: [] }) as T;
}

/** A figure as it is stored (a participant on the wire). */
export const figure = z.strictObject({
  id,
  name: figureName,
  iconType,
  /** The therapist's own icon when `iconType` is CUSTOM, else null. */
  iconId: z.nullable(id),
  color,
  showText: z.boolean(),
  x,
  y,
  rotation,
  scale,
  /** Painting order; low numbers are painted first. */
  order: z.int().check(z.nonnegative()),
  movableBy,
  /** The lines that start at this figure. */
  relations,
  /** Position, rotation and size after a reset. */
  startX: x,
  startY: y,
  startRotation: rotation,
  startScale: scale,
  /** Revision of the room at which this figure last changed. */
  updatedOn: revision,
});
export type Figure = z.infer<typeof figure>;

/** The properties of a figure that are seen; its relations, which other figures are part of, are beside them. */
export const FIGURE_LOOK = {
  name: true,
  iconType: true,
  iconId: true,
  color: true,
  showText: true,
  x: true,
  y: true,
  rotation: true,
  scale: true,
  order: true,
} as const;

/** The kind that a figure shows in place of an own icon that was deleted. */
const STAND_IN: IconType = 'STAR';

/** Shows a figure by the stand-in when its icon is no longer one of the therapist's. */
export function withStandIn<T extends Pick<Figure, 'iconType' | 'iconId'>>(one: T, iconIds: ReadonlySet<number>): T {
  return one.iconId === null || iconIds.has(one.iconId) ? one : { ...one, iconType: STAND_IN, iconId: null };
}

/** What `participant/save` and `saveAll` take: a figure without id is added. The schema allows no other properties. */
export const figureInput = z.strictObject({
  id: z.optional(id),
  name: z.optional(figureName),
  iconType: z.optional(iconType),
  iconId: z.optional(z.nullable(id)),
  color: z.optional(color),
  showText: z.optional(z.boolean()),
  x: z.optional(x),
  y: z.optional(y),
  rotation: z.optional(rotation),
  scale: z.optional(scale),
  order: z.optional(z.int().check(z.nonnegative(), z.maximum(100_000))),
  movableBy: z.optional(movableBy),
  relations: z.optional(relations),
  startX: z.optional(x),
  startY: z.optional(y),
  startRotation: z.optional(rotation),
  startScale: z.optional(scale),
  updatedOn: z.optional(revision),
});
export type FigureInput = z.infer<typeof figureInput>;
const figureRef = z.extend(figureInput, { id });

// ---- messages: what a browser sends and receives

export const FIELD_SEND = { act: '/app/field.act', drag: '/app/field.drag', point: '/app/field.point' } as const;

export interface DragPosition {
  figureId: number;
  x: number;
  y: number;
  rotation?: number;
  scale?: number;
  by: number;
  /** The person let go without a drop, or the hold ended: show the stored position again. */
  end?: true;
}
export type PointerPosition = { by: number; name: string; x: number; y: number } | { by: number; off: true };

declare module './realtime.ts' {
  interface StampedChanges {
    PLAYERS_VALUE: FieldSnapshot;
    PLAYER_CHANGE: FieldChange;
  }
  interface PlainChanges {
    PLAYER_DRAG: { drags: DragPosition[] };
    POINTER: { pointers: PointerPosition[] };
  }
  interface Refreshes {
    icons: { what: 'icons' };
  }
}

// ---- acts: what a browser asks for (`/app/field.act`)

const place = { x: z.optional(x), y: z.optional(y), rotation: z.optional(rotation), scale: z.optional(scale) };
const clientId = id;
const figureId = id;

export const fieldAct = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('add'),
    figure: z.required(z.omit(figureInput, { id: true, updatedOn: true }), { iconType: true, x: true, y: true }),
  }),
  /**
   * Moves, turns and scales: the end of a drag or a key press. The only act that a client may do on a figure that they
   * may move.
   */
  z.strictObject({ kind: z.literal('place'), figureId, ...place }),
  z.strictObject({
    kind: z.literal('edit'),
    figureId,
    name: z.optional(figureName),
    color: z.optional(color),
    iconType: z.optional(iconType),
    iconId: z.optional(z.nullable(id)),
    showText: z.optional(z.boolean()),
    movableBy: z.optional(movableBy),
    /** All relations that start at the figure; they replace its present ones. */
    relations: z.optional(relations),
  }),
  z.strictObject({ kind: z.literal('reorder'), figureId, to: z.enum(['front', 'back', 'forward', 'backward']) }),
  z.strictObject({ kind: z.literal('remove'), figureId }),
  z.strictObject({ kind: z.literal('showTexts'), value: z.boolean() }),
  /** The holder of the figure's role may do this too. */
  z.strictObject({ kind: z.literal('toggleText'), figureId }),
  z.strictObject({ kind: z.literal('toggleIconType'), figureId }),
  z.strictObject({ kind: z.literal('reset') }),
  /** Takes all figures off the field. */
  z.strictObject({ kind: z.literal('clear') }),
  /**
   * Puts a prepared constellation in the place of all figures (`constellations.ts`). `standing` is the field's revision
   * that the sender knows: the act is refused (`list_outdated`) when the field is newer.
   */
  z.strictObject({ kind: z.literal('load'), constellationId: id, standing: revision }),
  z.strictObject({ kind: z.literal('hands'), allowed: z.boolean() }),
  z.strictObject({ kind: z.literal('giveRole'), clientId, figureId }),
  z.strictObject({ kind: z.literal('takeRole'), clientId, figureId }),
  /** By a client for themselves, or by the therapist. */
  z.strictObject({ kind: z.literal('activeRole'), clientId, figureId: z.nullable(id) }),
  /** Undoes one of the person's own acts; redo is the undo of an undo. */
  z.strictObject({ kind: z.literal('undo'), actId: z.uuid() }),
  /** Puts the whole field back to a moment of the running live session (`moments.ts`). By the therapist alone. */
  z.strictObject({ kind: z.literal('backToMoment'), momentId: id }),
]);
export type FieldAct = z.infer<typeof fieldAct>;

/** The browser makes `actId`; it makes sending twice harmless. */
export const fieldActMessage = z.strictObject({ actId: z.uuid(), act: fieldAct });
export type FieldActMessage = z.infer<typeof fieldActMessage>;

/** `/app/field.drag`: volatile, at most 30 per second and person. `end` lets go without a drop. */
export const fieldDragMessage = z.strictObject({
  figureId,
  x,
  y,
  rotation: z.optional(rotation),
  scale: z.optional(scale),
  end: z.optional(z.boolean()),
});
export type FieldDragMessage = z.infer<typeof fieldDragMessage>;

/** `/app/field.point`: the position of the person's pointer, or `off`. */
export const fieldPointMessage = z.union([z.strictObject({ x, y }), z.strictObject({ off: z.literal(true) })]);
export type FieldPointMessage = z.infer<typeof fieldPointMessage>;

export const SENT_MESSAGES = messagesTo(FIELD_SEND, {
  act: fieldActMessage,
  drag: fieldDragMessage,
  point: fieldPointMessage,
});

// ---- the fixed calls (docs/product.md#1.2)

export const saveFigure = endpoint({
  method: 'POST',
  path: '/api/participant/save',
  access: 'figureMover',
  summary: 'Adds a figure or changes one; a client may only change position, rotation and size',
  body: figureInput,
  reply: figure,
  problems: ['not_found', 'figure_not_yours', 'hands_stopped', 'figure_held', 'field_full'],
});
export const saveAllFigures = endpoint({
  method: 'POST',
  path: '/api/participant/saveAll',
  access: 'therapist',
  summary:
    'Replaces the list at once; refused if the field is newer than the list (by the stamp in the query, otherwise by the newest updatedOn of the list). fromReset shows texts and frees roles',
  query: z.strictObject({
    fromReset: z.optional(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((value) => value === 'true'),
      ),
    ),
    participantsUpdatedOn: z.optional(
      z.pipe(z.string().check(z.regex(/^\d{1,15}$/, 'not_a_number')), z.transform(Number)),
    ),
  }),
  body: z.array(figureInput).check(z.maxLength(FIGURES_MAX, 'too_long')),
  reply: z.array(figure),
  problems: ['list_outdated', 'field_full'],
});
export const allFigures = endpoint({
  method: 'GET',
  path: '/api/participant/all/{therapistId}',
  access: 'roomOfTherapist',
  summary: 'All figures of a field',
  params: therapistPath,
  reply: z.array(figure),
});
export const toggleShowText = endpoint({
  method: 'POST',
  path: '/api/participant/toggleShowText',
  access: 'roleHolder',
  summary: 'Shows or hides a figure’s text',
  body: figureRef,
  reply: figure,
  problems: ['not_found', 'figure_not_yours'],
});
export const toggleIconType = endpoint({
  method: 'POST',
  path: '/api/participant/toggleIconType',
  access: 'therapist',
  summary: 'male figure ↔ male square, female figure ↔ female circle',
  body: figureRef,
  reply: figure,
  problems: ['not_found'],
});
export const setShowText = endpoint({
  method: 'POST',
  path: '/api/participant/setShowText',
  access: 'therapist',
  summary: 'Shows or hides all texts at once',
  query: z.strictObject({
    value: z.pipe(
      z.enum(['true', 'false']),
      z.transform((value) => value === 'true'),
    ),
  }),
  reply: z.array(figure),
});

export const icon = z.strictObject({
  id,
  name: z.string(),
  width: z.number(),
  height: z.number(),
  createdOn: timestamp,
});
export type Icon = z.infer<typeof icon>;
export const saveIcon = endpoint({
  method: 'POST',
  path: '/api/svg_img/save',
  access: 'therapist',
  summary:
    'Stores an own SVG icon; scripts, handlers, foreign objects and outside references are cleaned away or refused',
  body: z.strictObject({
    name: z.optional(line(ICON_NAME_MAX)),
    image: z.string().check(z.minLength(1, 'required'), z.maxLength(ICON_BYTES_MAX, 'too_long')),
  }),
  reply: icon,
  problems: ['icon_unreadable', 'icon_unsafe', 'quota_reached', 'storage_full', 'too_many_requests'],
});
export const allIcons = endpoint({
  method: 'GET',
  path: '/api/svg_img/all/{therapistId}',
  access: 'roomOfTherapist',
  summary: 'A therapist’s own icons',
  params: therapistPath,
  reply: z.array(icon),
});
export const deleteIcon = endpoint({
  method: 'POST',
  path: '/api/svg_img/delete/{id}',
  access: 'iconOwner',
  summary: 'Deletes an own icon that no figure uses',
  params: z.strictObject({ id: idInPath }),
  problems: ['not_found', 'icon_in_use'],
});
export const iconImage = endpoint({
  method: 'GET',
  path: '/api/svg_img/image/{therapistId}/{id}',
  access: 'roomOfTherapist',
  summary: 'The cleaned SVG',
  params: z.strictObject({ therapistId: idInPath, id: idInPath }),
  bytes: ['image/svg+xml'],
  problems: ['not_found'],
});
