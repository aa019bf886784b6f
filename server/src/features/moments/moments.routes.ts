/** The therapist's calls about moments, and the look back at a live session. */
import * as calls from '@fieldroom/contract/moments';
import type { Http } from '../../access.ts';
import type { Moments } from './moments.service.ts';

/** Mounts the calls. */
export function momentsRoutes(http: Http, moments: Moments): void {
  http.handle(calls.getReplay, ({ access, params }) => moments.replay(access.id, params.sessionId));
  http.handle(calls.getReplayPart, ({ access, params }) =>
    moments.replayPart(access.id, params.sessionId, params.firstMove),
  );
  http.handle(calls.getMomentField, ({ access, params }) => moments.figures(access.id, params.momentId));
  http.handle(calls.renameMoment, ({ access, params, body }) => moments.rename(access.id, params.momentId, body.name));
  http.handle(calls.deleteMoment, ({ access, params }) => moments.remove(access.id, params.momentId));
}
