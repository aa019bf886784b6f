/** The calls about prepared constellations, each one call of the service. */
import * as calls from '@fieldroom/contract/constellations';
import type { Http } from '../../access.ts';
import type { ConstellationsService } from './constellations.service.ts';

/** Mounts the calls. */
export function constellationsRoutes(http: Http, service: ConstellationsService): void {
  http.handle(calls.allConstellations, ({ access }) => service.all(access.id));
  http.handle(calls.constellationFigures, ({ access, params }) => service.figures(access.id, params.constellationId));
  http.handle(calls.saveConstellation, ({ access, body }) => service.save(access.id, body));
  http.handle(calls.renameConstellation, ({ access, params, body }) =>
    service.rename(access.id, params.constellationId, body.name),
  );
  http.handle(calls.deleteConstellation, ({ access, params }) => service.remove(access.id, params.constellationId));
}
