/** Moments and moves: states of a live session's field that the therapist keeps and looks back at. */
import type { Feature } from '../../feature.ts';
import { createMomentsChannel } from './moments.channel.ts';
import { momentsRoutes } from './moments.routes.ts';
import { createMomentsService, type Moments as MomentsService, type MomentsParts } from './moments.service.ts';

export interface Moments
  extends Required<Pick<Feature, 'routes' | 'channel'>>, Pick<MomentsService, 'figuresToGoBackTo'> {}

/** Makes the moments. The field asks them for the figures to which an act goes back. */
export function createMoments(parts: MomentsParts): Moments {
  const service = createMomentsService(parts);
  return {
    routes: (http) => momentsRoutes(http, service),
    channel: createMomentsChannel(service),
    figuresToGoBackTo: service.figuresToGoBackTo,
  };
}
