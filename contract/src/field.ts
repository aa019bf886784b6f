/** The field: shapes of figures and acts, and the calls; what needs no schema stands in field.rules.ts. Specification 7.3, PRODUCT section 5. */
import { z } from 'zod';
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  FIGURE_NAME_MAX,
  FIGURES_MAX,
  ICON_BYTES_MAX,
  ICON_TYPES,
  MOVABLE_BY,
  normalizeRotation,
  SCALE_MAX,
  SCALE_MIN,
} from './field.rules.ts';
import { endpoint } from './http.ts';
import { id, idInPath, line, optionalLine, revision, therapistPath, timestamp } from './text.ts';

export * from './field.rules.ts';

export const iconType = z.enum(ICON_TYPES);
export type IconType = z.infer<typeof iconType>;

export const movableBy = z.enum(MOVABLE_BY);
export type MovableBy = z.infer<typeof movableBy>;

const x = z.number().min(0, 'out_of_range').max(FIELD_WIDTH, 'out_of_range');
const y = z.number().min(0, 'out_of_range').max(FIELD_HEIGHT, 'out_of_range');
/** Stored in 0 ≤ r < 360; what comes may be any finite turn up to ten rounds. */
const rotation = z.number().min(-3600, 'out_of_range').max(3600, 'out_of_range').transform(normalizeRotation);
const scale = z.number().min(SCALE_MIN, 'out_of_range').max(SCALE_MAX, 'out_of_range');
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'invalid_format');
const figureName = optionalLine(FIGURE_NAME_MAX);

/** A figure as it stands (the specification's participant). */
export const participant = z.strictObject({
  id,
  name: figureName,
  iconType,
  /** The therapist's own icon when `iconType` is CUSTOM, else null. */
  iconId: id.nullable(),
  color,
  showText: z.boolean(),
  x,
  y,
  rotation,
  scale,
  /** Painting order, low below. */
  order: z.number().int().nonnegative(),
  movableBy,
  /** Where, how turned and how large it stands after a reset. */
  startX: x,
  startY: y,
  startRotation: rotation,
  startScale: scale,
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
  x: x.optional(),
  y: y.optional(),
  rotation: rotation.optional(),
  scale: scale.optional(),
  order: z.number().int().nonnegative().max(100_000).optional(),
  movableBy: movableBy.optional(),
  startX: x.optional(),
  startY: y.optional(),
  startRotation: rotation.optional(),
  startScale: scale.optional(),
  updatedOn: revision.optional(),
});
export type ParticipantInput = z.infer<typeof participantInput>;
const participantRef = participantInput.extend({ id });

// ---- acts: what a browser asks for (`/app/field.act`)

const place = { x: x.optional(), y: y.optional(), rotation: rotation.optional(), scale: scale.optional() };
const clientId = id;
const figureId = id;

export const fieldAct = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('add'),
    figure: participantInput.omit({ id: true, updatedOn: true }).required({ iconType: true, x: true, y: true }),
  }),
  /** Moves, turns, scales: the end of a drag or a key press. The only act a client may do on a figure it may move. */
  z.strictObject({ kind: z.literal('place'), figureId, ...place }),
  z.strictObject({
    kind: z.literal('edit'),
    figureId,
    name: figureName.optional(),
    color: color.optional(),
    iconType: iconType.optional(),
    iconId: id.nullable().optional(),
    showText: z.boolean().optional(),
    movableBy: movableBy.optional(),
  }),
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
export const fieldDragMessage = z.strictObject({
  figureId,
  x,
  y,
  rotation: rotation.optional(),
  scale: scale.optional(),
  end: z.boolean().optional(),
});
export type FieldDragMessage = z.infer<typeof fieldDragMessage>;

/** `/app/field.point`: the person's pointer, or `off`. */
export const fieldPointMessage = z.union([z.strictObject({ x, y }), z.strictObject({ off: z.literal(true) })]);
export type FieldPointMessage = z.infer<typeof fieldPointMessage>;

// ---- the specification's calls

export const saveParticipant = endpoint({
  method: 'POST',
  path: '/api/participant/save',
  access: 'therapist; a client only for a figure it may move',
  summary: 'Adds a figure or changes one; a client may change place, turn and size only',
  body: participantInput,
  reply: participant,
  problems: ['not_found', 'figure_not_yours', 'hands_stopped', 'figure_held', 'field_full'],
});
export const saveAllParticipants = endpoint({
  method: 'POST',
  path: '/api/participant/saveAll',
  access: 'therapist',
  summary:
    'Replaces the list at once; refused when it is older than what stands (stamp in the query, else the newest updatedOn of the list). fromReset shows texts and frees roles',
  query: z.strictObject({
    fromReset: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional(),
    participantsUpdatedOn: z
      .string()
      .regex(/^\d{1,15}$/, 'not_a_number')
      .transform(Number)
      .optional(),
  }),
  body: z.array(participantInput).max(FIGURES_MAX, 'too_long'),
  reply: z.array(participant),
  problems: ['list_outdated', 'field_full'],
});
export const allParticipants = endpoint({
  method: 'GET',
  path: '/api/participant/all/{therapistId}',
  access: 'self, clients of that therapist',
  summary: 'All figures of a field',
  params: therapistPath,
  reply: z.array(participant),
});
export const toggleShowText = endpoint({
  method: 'POST',
  path: '/api/participant/toggleShowText',
  access: "therapist, the figure's role holder",
  summary: 'Shows or hides a figure’s text',
  body: participantRef,
  reply: participant,
  problems: ['not_found', 'figure_not_yours'],
});
export const toggleIconType = endpoint({
  method: 'POST',
  path: '/api/participant/toggleIconType',
  access: 'therapist',
  summary: 'male figure ↔ male square, female figure ↔ female circle',
  body: participantRef,
  reply: participant,
  problems: ['not_found'],
});
export const setShowText = endpoint({
  method: 'POST',
  path: '/api/participant/setShowText',
  access: 'therapist',
  summary: 'Shows or hides all texts at once',
  query: z.strictObject({ value: z.enum(['true', 'false']).transform((value) => value === 'true') }),
  reply: z.array(participant),
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
    name: line(60).optional(),
    image: z.string().min(1, 'required').max(ICON_BYTES_MAX, 'too_long'),
  }),
  reply: icon,
  problems: ['icon_unreadable', 'icon_unsafe', 'quota_reached', 'too_many_requests'],
});
export const allIcons = endpoint({
  method: 'GET',
  path: '/api/svg_img/all/{therapistId}',
  access: 'self, clients of that therapist',
  summary: 'A therapist’s own icons',
  params: therapistPath,
  reply: z.array(icon),
});
export const deleteIcon = endpoint({
  method: 'POST',
  path: '/api/svg_img/delete/{id}',
  access: 'therapist who owns it',
  summary: 'Deletes an own icon that no figure wears',
  params: z.strictObject({ id: idInPath }),
  problems: ['not_found', 'icon_in_use'],
});
export const iconImage = endpoint({
  method: 'GET',
  path: '/api/svg_img/image/{therapistId}/{id}',
  access: 'self, clients of that therapist',
  summary: 'The cleaned SVG',
  params: z.strictObject({ therapistId: idInPath, id: idInPath }),
  bytes: ['image/svg+xml'],
  problems: ['not_found'],
});
