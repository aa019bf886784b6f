/** Door of live sessions: one time of work on the field with its attendance. */
export { createSessions } from './sessions.service.ts';
export type { LiveSession, Sessions } from './sessions.service.ts';
export { sessionsRoutes } from './sessions.routes.ts';
