/** Live sessions: one period of work on the field with its attendance. */
import type { Feature } from '../../feature.ts';
import { createHistory, type SessionHistoryParts } from './history/sessions.history.ts';
import { historyRoutes } from './history/sessions.history.routes.ts';
import { sessionSearch } from './history/sessions.search.store.ts';
import { createSessionsChannel } from './sessions.channel.ts';
import { sessionsRoutes } from './sessions.routes.ts';
import { createSessionsService, type Sessions as SessionsService } from './sessions.service.ts';
import { countRunning } from './sessions.store.ts';

export type Sessions = SessionsService & Required<Pick<Feature, 'routes' | 'channel' | 'jobs' | 'metrics'>>;

/** Makes the live sessions. */
export function createSessions(parts: Parameters<typeof createSessionsService>[0]): Sessions {
  const service = createSessionsService(parts);
  return {
    ...service,
    routes: (http) => sessionsRoutes(http, service),
    channel: createSessionsChannel(service),
    jobs: [{ name: 'sessions.sweep', everySeconds: 1, run: service.sweep }],
    metrics: [{ name: 'rooms_live', help: 'Live sessions that run, on all nodes', read: () => countRunning(parts.db) }],
  };
}

/** Makes the list of a therapist's live sessions. */
export function createSessionHistory(parts: SessionHistoryParts): Required<Pick<Feature, 'routes' | 'search'>> {
  const history = createHistory(parts);
  return { routes: (http) => historyRoutes(http, history), search: [sessionSearch(parts.db)] };
}
