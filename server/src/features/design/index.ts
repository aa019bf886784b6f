/** How a therapist's field and menus look. */
import type { Feature } from '../../feature.ts';
import { designRoutes } from './design.routes.ts';
import { createDesignService, type DesignParts } from './design.service.ts';

/** Makes the design. No other feature uses it. */
export function createDesign(parts: DesignParts): Required<Pick<Feature, 'routes' | 'channel'>> {
  const service = createDesignService(parts);
  return {
    routes: (http) => designRoutes(http, service),
    channel: {
      async onJoin(sender) {
        await service.tellGround(await sender.access(), (contents) => sender.tell({ eventType: 'GROUND', contents }));
      },
    },
  };
}
