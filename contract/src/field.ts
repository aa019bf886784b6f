/** The field: figures, acts, how a change is applied. One `applyChange` runs on the server's copy and in every browser. Specification 7.3, PRODUCT section 5. */
import { z } from 'zod';
import { endpoint } from './http.ts';
import { id, idInPath, line, optionalLine, revision, timestamp } from './text.ts';

/** Field units; rotation in degrees clockwise, 0 = facing up. */
export const FIELD_WIDTH = 1600;
export const FIELD_HEIGHT = 1000;
export const SCALE_MIN = 0.25;
export const SCALE_MAX = 4;
export const FIGURES_MAX = 500;
export const FIGURE_NAME_MAX = 60;
/** A figure is drawn this many field units wide at scale 1. */
export const FIGURE_SIZE = 120;
/** Acts that can be taken back, a person. */
export const UNDO_MAX = 50;
/** A hold ends after this silence (real time). */
export const HOLD_MS = 3000;
/** Volatile messages a second and person. */
export const VOLATILE_PER_SECOND = 30;
/** Volatile positions of a room are gathered this long. */
export const TICK_MS = 16;

export const ICON_TYPES = ['MALE_FIGURE', 'FEMALE_FIGURE', 'MALE_SQUARE', 'FEMALE_CIRCLE', 'STAR', 'KIWI', 'BAT', 'CUSTOM'] as const;
export const iconType = z.enum(ICON_TYPES);
export type IconType = z.infer<typeof iconType>;

/** male figure ↔ male square, female figure ↔ female circle; others stay. */
export function toggledIconType(type: IconType): IconType {
  switch (type) {
    case 'MALE_FIGURE': return 'MALE_SQUARE';
    case 'MALE_SQUARE': return 'MALE_FIGURE';
    case 'FEMALE_FIGURE': return 'FEMALE_CIRCLE';
    case 'FEMALE_CIRCLE': return 'FEMALE_FIGURE';
    default: return type;
  }
}

export const MOVABLE_BY = ['therapist', 'holders', 'everyone'] as const;
export const movableBy = z.enum(MOVABLE_BY);
export type MovableBy = z.infer<typeof movableBy>;

const x = z.number().min(0, 'out_of_range').max(FIELD_WIDTH, 'out_of_range');
const y = z.number().min(0, 'out_of_range').max(FIELD_HEIGHT, 'out_of_range');
/** Stored in 0 ≤ r < 360; what comes may be any finite turn up to ten rounds. */
const rotation = z.number().min(-3600, 'out_of_range').max(3600, 'out_of_range').transform(normalizeRotation);
const scale = z.number().min(SCALE_MIN, 'out_of_range').max(SCALE_MAX, 'out_of_range');
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'invalid_format');
const figureName = optionalLine(FIGURE_NAME_MAX);

/** Brings degrees into 0 ≤ r < 360, rounded to a tenth. */
export function normalizeRotation(degrees: number): number {
  const turned = ((degrees % 360) + 360) % 360;
  const rounded = Math.round(turned * 10) / 10;
  return rounded >= 360 ? 0 : rounded;
}

/** The twelve colours of the design (name → fill). */
export const FIGURE_COLORS = {
  chalk: '#F4F3F3', straw: '#EFDA71', apricot: '#D7A065', brick: '#953300', rose: '#D7739C', plum: '#6F2764',
  lilac: '#886AC1', inkBlue: '#2B549D', sky: '#4BA8E2', mint: '#7BD6C3', moss: '#4C7E58', coal: '#2E2E2E',
} as const;

/** A figure as it stands (the specification's participant). */
export const participant = z.strictObject({
  id,
  name: figureName,
  iconType,
  /** The therapist's own icon when `iconType` is CUSTOM, else null. */
  iconId: id.nullable(),
  color,
  showText: z.boolean(),
  x, y, rotation, scale,
  /** Painting order, low below. */
  order: z.number().int().nonnegative(),
  movableBy,
  /** Where, how turned and how large it stands after a reset. */
  startX: x, startY: y, startRotation: rotation, startScale: scale,
  /** Revision of the room at which this figure last changed. */
  updatedOn: revision,
});
export type Participant = z.infer<typeof participant>;

/** What `participant/save` and `saveAll` take: without id it is added; a closed schema. */
export const participantInput = z.strictObject({
  id: id.optional(),
  name: figureName.optional(),
  iconType: iconType.optional(),
  iconId: id.nullable().optional(),
  color: color.optional(),
  showText: z.boolean().optional(),
  x: x.optional(), y: y.optional(), rotation: rotation.optional(), scale: scale.optional(),
  order: z.number().int().nonnegative().max(100_000).optional(),
  movableBy: movableBy.optional(),
  startX: x.optional(), startY: y.optional(), startRotation: rotation.optional(), startScale: scale.optional(),
  updatedOn: revision.optional(),
});
export type ParticipantInput = z.infer<typeof participantInput>;
const participantRef = participantInput.extend({ id });

/** The whole field, as `PLAYERS_VALUE` carries it. */
export interface FieldSnapshot {
  figures: Participant[];
  handsAllowed: boolean;
}

// ---- acts: what a browser asks for (`/app/field.act`)

const place = { x: x.optional(), y: y.optional(), rotation: rotation.optional(), scale: scale.optional() };
const clientId = id;
const figureId = id;

export const fieldAct = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('add'), figure: participantInput.omit({ id: true, updatedOn: true }).required({ iconType: true, x: true, y: true }) }),
  /** Moves, turns, scales: the end of a drag or a key press. The only act a client may do on a figure it may move. */
  z.strictObject({ kind: z.literal('place'), figureId, ...place }),
  z.strictObject({ kind: z.literal('edit'), figureId, name: figureName.optional(), color: color.optional(), iconType: iconType.optional(), iconId: id.nullable().optional(), showText: z.boolean().optional(), movableBy: movableBy.optional() }),
  z.strictObject({ kind: z.literal('reorder'), figureId, to: z.enum(['front', 'back', 'forward', 'backward']) }),
  z.strictObject({ kind: z.literal('remove'), figureId }),
  z.strictObject({ kind: z.literal('showTexts'), value: z.boolean() }),
  /** The figure's role holder may do this too. */
  z.strictObject({ kind: z.literal('toggleText'), figureId }),
  z.strictObject({ kind: z.literal('toggleIconType'), figureId }),
  z.strictObject({ kind: z.literal('reset') }),
  z.strictObject({ kind: z.literal('hands'), allowed: z.boolean() }),
  z.strictObject({ kind: z.literal('giveRole'), clientId, figureId }),
  z.strictObject({ kind: z.literal('takeRole'), clientId, figureId }),
  /** A client for itself, or the therapist. */
  z.strictObject({ kind: z.literal('activeRole'), clientId, figureId: id.nullable() }),
  /** Takes back one of the person's own acts; redo is the undo of an undo. */
  z.strictObject({ kind: z.literal('undo'), actId: z.uuid() }),
]);
export type FieldAct = z.infer<typeof fieldAct>;

/** `actId` is made by the browser and makes sending twice harmless. */
export const fieldActMessage = z.strictObject({ actId: z.uuid(), act: fieldAct });
export type FieldActMessage = z.infer<typeof fieldActMessage>;

/** `/app/field.drag`: volatile, at most 30 a second and person. `end` lets go without a drop. */
export const fieldDragMessage = z.strictObject({ figureId, x, y, rotation: rotation.optional(), scale: scale.optional(), end: z.boolean().optional() });
export type FieldDragMessage = z.infer<typeof fieldDragMessage>;

/** `/app/field.point`: the person's pointer, or `off`. */
export const fieldPointMessage = z.union([z.strictObject({ x, y }), z.strictObject({ off: z.literal(true) })]);
export type FieldPointMessage = z.infer<typeof fieldPointMessage>;

// ---- changes: what the server says happened

export type FieldOp =
  | { op: 'put'; figure: Participant }
  | { op: 'remove'; figureId: number }
  | { op: 'hands'; allowed: boolean };

/** One stored act as everybody hears of it. `revision` is the room's `participantsUpdatedOn` after it. */
export interface FieldChange {
  revision: number;
  actId: string | null;
  /** Person who acted (therapist or client id); null for the server itself. */
  by: number | null;
  ops: FieldOp[];
}

/** A browser's or the server's copy of a field with the revision it is at. */
export interface FieldCopy extends FieldSnapshot {
  revision: number;
}

export type Applied = { kind: 'applied'; field: FieldCopy } | { kind: 'known' } | { kind: 'gap' };

/**
 * Applies one change to a copy of the field. Pure; figures that did not change keep their identity.
 * Out: the new copy; `known` when the copy already has it; `gap` when something before it is missing and the
 * snapshot has to be asked for. Invariant: apply(snapshot, changes) equals a later snapshot.
 */
export function applyChange(field: FieldCopy, change: FieldChange): Applied {
  if (change.revision <= field.revision) return { kind: 'known' };
  if (change.revision !== field.revision + 1) return { kind: 'gap' };
  return { kind: 'applied', field: { revision: change.revision, ...applyOps(field, change.ops) } };
}

/** The ops alone, without looking at revisions. Figures come out sorted by order, then id. */
export function applyOps(field: FieldSnapshot, ops: readonly FieldOp[]): FieldSnapshot {
  let handsAllowed = field.handsAllowed;
  const byId = new Map(field.figures.map((figure) => [figure.id, figure]));
  for (const op of ops) {
    if (op.op === 'put') byId.set(op.figure.id, op.figure);
    else if (op.op === 'remove') byId.delete(op.figureId);
    else handsAllowed = op.allowed;
  }
  return { handsAllowed, figures: sortFigures([...byId.values()]) };
}

/** Painting order: `order`, then id. */
export function sortFigures(figures: Participant[]): Participant[] {
  return figures.sort((a, b) => a.order - b.order || a.id - b.id);
}

/** Who asks to move a figure: the therapist, or a client with the figures whose role it holds. */
export type Mover = { as: 'therapist' } | { as: 'client'; roles: readonly number[] };

/** Whether this person may move this figure now (PRODUCT 5: therapist, role holders, everyone; one switch stops all clients' hands). */
export function mayMove(mover: Mover, figure: Pick<Participant, 'id' | 'movableBy'>, handsAllowed: boolean): boolean {
  if (mover.as === 'therapist') return true;
  if (!handsAllowed) return false;
  if (figure.movableBy === 'everyone') return true;
  return figure.movableBy === 'holders' && mover.roles.includes(figure.id);
}

// ---- the specification's calls

const therapistPath = z.strictObject({ therapistId: idInPath });
export const saveParticipant = endpoint({
  method: 'POST', path: '/api/participant/save', access: 'therapist; a client only for a figure it may move',
  summary: 'Adds a figure or changes one; a client may change place, turn and size only',
  body: participantInput, reply: participant,
  problems: ['not_found', 'figure_not_yours', 'hands_stopped', 'figure_held', 'field_full'],
});
export const saveAllParticipants = endpoint({
  method: 'POST', path: '/api/participant/saveAll', access: 'therapist',
  summary: 'Replaces the list at once; refused when it is older than what stands (stamp in the query, else the newest updatedOn of the list). fromReset shows texts and frees roles',
  query: z.strictObject({ fromReset: z.enum(['true', 'false']).transform((value) => value === 'true').optional(), participantsUpdatedOn: z.string().regex(/^\d{1,15}$/, 'not_a_number').transform(Number).optional() }),
  body: z.array(participantInput).max(FIGURES_MAX, 'too_long'), reply: z.array(participant),
  problems: ['list_outdated', 'field_full'],
});
export const allParticipants = endpoint({ method: 'GET', path: '/api/participant/all/{therapistId}', access: 'self, clients of that therapist', summary: 'All figures of a field', params: therapistPath, reply: z.array(participant) });
export const toggleShowText = endpoint({ method: 'POST', path: '/api/participant/toggleShowText', access: "therapist, the figure's role holder", summary: 'Shows or hides a figure’s text', body: participantRef, reply: participant, problems: ['not_found', 'figure_not_yours'] });
export const toggleIconType = endpoint({ method: 'POST', path: '/api/participant/toggleIconType', access: 'therapist', summary: 'male figure ↔ male square, female figure ↔ female circle', body: participantRef, reply: participant, problems: ['not_found'] });
export const setShowText = endpoint({
  method: 'POST', path: '/api/participant/setShowText', access: 'therapist', summary: 'Shows or hides all texts at once',
  query: z.strictObject({ value: z.enum(['true', 'false']).transform((value) => value === 'true') }), reply: z.array(participant),
});

/** Icons: SVG text, 256 kB at most, cleaned on save, kept at 30×30 px, or in a 50-px box when its size is given in mm (1 mm = 3.7795 px). */
export const ICON_BYTES_MAX = 262_144;
export const ICONS_MAX = 100;
export const PX_PER_MM = 3.7795;
export const icon = z.strictObject({ id, name: z.string(), width: z.number(), height: z.number(), createdOn: timestamp });
export type Icon = z.infer<typeof icon>;
export const saveIcon = endpoint({
  method: 'POST', path: '/api/svg_img/save', access: 'therapist', summary: 'Stores an own SVG icon; scripts, handlers, foreign objects and outside references are cleaned away or refused',
  body: z.strictObject({ name: line(60).optional(), image: z.string().min(1, 'required').max(ICON_BYTES_MAX, 'too_long') }), reply: icon,
  problems: ['icon_unreadable', 'icon_unsafe', 'quota_reached', 'too_many_requests'],
});
export const allIcons = endpoint({ method: 'GET', path: '/api/svg_img/all/{therapistId}', access: 'self, clients of that therapist', summary: 'A therapist’s own icons', params: therapistPath, reply: z.array(icon) });
export const deleteIcon = endpoint({ method: 'POST', path: '/api/svg_img/delete/{id}', access: 'therapist who owns it', summary: 'Deletes an own icon that no figure wears', params: z.strictObject({ id: idInPath }), problems: ['not_found', 'icon_in_use'] });
export const iconImage = endpoint({ method: 'GET', path: '/api/svg_img/image/{therapistId}/{id}', access: 'self, clients of that therapist', summary: 'The cleaned SVG', params: z.strictObject({ therapistId: idInPath, id: idInPath }), bytes: ['image/svg+xml'], problems: ['not_found'] });
