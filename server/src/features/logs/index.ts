/** Logs of browsers, for the operator. */
import type { Feature } from '../../feature.ts';
import { logsRoutes } from './logs.routes.ts';
import { createLogsService, type Logs, type LogsParts } from './logs.service.ts';

/** Makes the logs of browsers. `removeOld` belongs to the scheduled work that removes what is out of date. */
export function createLogs(parts: LogsParts): Required<Pick<Feature, 'routes'>> & Pick<Logs, 'removeOld'> {
  const service = createLogsService(parts);
  return { routes: (http) => logsRoutes(http, service), removeOld: service.removeOld };
}
