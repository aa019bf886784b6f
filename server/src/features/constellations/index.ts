/** Prepared constellations: fields that a therapist keeps under names. */
import type { Feature } from '../../feature.ts';
import { constellationsRoutes } from './constellations.routes.ts';
import { type ConstellationsParts, createConstellationsService } from './constellations.service.ts';
import { findFigures } from './constellations.store.ts';

export interface Constellations extends Required<Pick<Feature, 'routes'>> {
  /** The kept figures, for the field's act that loads them; null if the therapist has no constellation with this id. */
  readonly find: typeof findFigures;
}

/** Makes the constellations. Takes the database, the room and the field. */
export function createConstellations(parts: ConstellationsParts): Constellations {
  const service = createConstellationsService(parts);
  return { routes: (http) => constellationsRoutes(http, service), find: findFigures };
}
