/** The fixed calls about the therapist's connection and the end of a live session. */
import { sessionOut, theripstConnected, theripstDisconnected } from '@fieldroom/contract/accounts';
import { Problem } from '../../platform/problem.ts';
import type { Http, Principal } from '../../access.ts';
import type { Sessions } from './sessions.service.ts';

/** Only therapists keep a room open; `self` lets a client's own id through as well. */
function therapistId(self: Principal): number {
  if (self.kind !== 'account') throw new Problem('forbidden');
  return self.id;
}

/** Mounts the calls. All are harmless if no live session runs. */
export function sessionsRoutes(http: Http, sessions: Sessions): void {
  http.handle(sessionOut, async ({ access }) => void (await sessions.end(therapistId(access), 'ended')));
  http.handle(theripstDisconnected, ({ access }) => sessions.sayDisconnected(therapistId(access)));
  http.handle(theripstConnected, ({ access }) => sessions.sayConnected(therapistId(access)));
}
