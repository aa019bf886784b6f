/**
 * Prepared constellations: fields that a therapist keeps under names (docs/product.md#5.17 to #5.19).
 *
 * A constellation is loaded by an act on the field (`load` in `field.ts`), so that it is ordered, confirmed, refused
 * and undone like every other act. The calls here keep the list.
 *
 * Invariants
 *  1. A constellation contains only figures: no people, no roles, no ids of figures. A relation names the other figure
 *     by its place in the list.
 *  2. Figures come as a load would bring them now: one whose own icon was deleted is shown by the stand-in, and
 *     `standIns` counts those.
 *  3. Names differ in more than case. Only their owner reads, changes or loads constellations.
 *
 * Message
 *   REFRESH_ADMIN { what: 'constellations' }   to the therapist's screens, whenever the list has changed.
 */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { figure, FIGURE_LOOK, keptRelations } from './field.ts';
import { id, idInPath, line, timestamp } from './text.ts';

export const CONSTELLATION_NAME_MAX = 60;
export const CONSTELLATIONS_MAX = 100;

export const constellationName = line(CONSTELLATION_NAME_MAX);

declare module './realtime.ts' {
  interface Refreshes {
    constellations: { what: 'constellations' };
  }
}

/** The properties of a figure that are kept unchanged. */
export const KEPT_OF_FIGURE = { ...FIGURE_LOOK, movableBy: true } as const;
/** The kept parts of a figure. */
export const constellationFigure = z.extend(z.pick(figure, KEPT_OF_FIGURE), { relations: keptRelations });
export type ConstellationFigure = z.infer<typeof constellationFigure>;

/** A constellation in the list. */
export const constellation = z.strictObject({
  id,
  name: z.string(),
  savedOn: timestamp,
  /** How many figures it has, and how many of them would be shown by a stand-in. */
  figures: z.int(),
  standIns: z.int(),
});
export type Constellation = z.infer<typeof constellation>;

const path = z.strictObject({ constellationId: idInPath });

export const allConstellations = endpoint({
  method: 'GET',
  path: '/api/me/constellations',
  access: 'ownRows',
  summary: 'The prepared constellations of a therapist, by name',
  reply: z.array(constellation),
});
export const constellationFigures = endpoint({
  method: 'GET',
  path: '/api/me/constellations/{constellationId}',
  access: 'ownRows',
  summary: 'The figures of a prepared constellation',
  params: path,
  reply: z.array(constellationFigure),
  problems: ['not_found'],
});
export const saveConstellation = endpoint({
  method: 'POST',
  path: '/api/me/constellations',
  access: 'ownRows',
  summary: 'Saves the field as it stands; with replace, in the place of the constellation that has this name',
  body: z.strictObject({ name: constellationName, replace: z.optional(z.boolean()) }),
  reply: constellation,
  problems: ['constellation_name_taken', 'constellations_full', 'field_empty'],
});
export const renameConstellation = endpoint({
  method: 'POST',
  path: '/api/me/constellations/{constellationId}/rename',
  access: 'ownRows',
  summary: 'Gives a prepared constellation another name',
  params: path,
  body: z.strictObject({ name: constellationName }),
  reply: constellation,
  problems: ['not_found', 'constellation_name_taken'],
});
export const deleteConstellation = endpoint({
  method: 'DELETE',
  path: '/api/me/constellations/{constellationId}',
  access: 'ownRows',
  summary: 'Deletes a prepared constellation',
  params: path,
  problems: ['not_found'],
});
