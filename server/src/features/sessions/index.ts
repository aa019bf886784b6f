/** Live sessions: one time of work on the field with its attendance. */
import type { Feature } from '../../feature.ts';
import { createSessionsChannel } from './sessions.channel.ts';
import { sessionsRoutes } from './sessions.routes.ts';
import { createSessionsService, type Sessions as SessionsService } from './sessions.service.ts';

export type Sessions = SessionsService & Required<Pick<Feature, 'routes' | 'channel' | 'jobs'>>;

/** Makes the live sessions. */
export function createSessions(parts: Parameters<typeof createSessionsService>[0]): Sessions {
  const service = createSessionsService(parts);
  return {
    ...service,
    routes: (http) => sessionsRoutes(http, service),
    channel: createSessionsChannel(service),
    jobs: [{ name: 'sessions.sweep', everySeconds: 1, run: service.sweep }],
  };
}
