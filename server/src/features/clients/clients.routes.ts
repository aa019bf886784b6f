/** Calls about people without an account, each one call of the service. */
import * as calls from '@fieldroom/contract/clients';
import { Problem } from '../../platform/problem.ts';
import type { Http } from '../../access.ts';
import type { Sessions } from '../sessions/index.ts';
import type { Clients } from './clients.types.ts';

/** Mounts the calls. `openRoom` and `endLiveSession` are here too, because they answer with the people. */
export function clientsRoutes(http: Http, { clients, sessions }: { clients: Clients; sessions: Sessions }): void {
  http.handle(calls.getActiveClients, async ({ access, body }) => {
    if (access.as === 'client') return (await clients.people(access.therapistId)).map(({ id, name }) => ({ id, name }));
    return clients.clientsOf(access.therapistId, {
      active: body?.active ?? true,
      ...(body?.date ? { since: new Date(body.date) } : {}),
    });
  });
  http.handle(calls.getAllClients, ({ access }) => clients.clientsOf(access.id));
  http.handle(calls.updateSelected, ({ access, body }) => clients.setSelected(access.id, body.id, body.selected));
  http.handle(calls.setActive, ({ access }) => clients.setActive(access.clientId));
  http.handle(calls.setNonActive, ({ access }) => clients.setNonActive(access.clientId));
  http.handle(calls.setRole, ({ access, params }) =>
    clients.changeRole('give', {
      therapistId: access.therapistId,
      clientId: access.clientId,
      figureId: params.participantId,
    }),
  );
  http.handle(calls.setActiveRole, ({ access, params }) =>
    clients.changeRole('activate', {
      therapistId: access.therapistId,
      clientId: access.clientId,
      figureId: params.participantId,
    }),
  );
  http.handle(calls.removeRole, ({ access, params }) =>
    clients.changeRole('take', {
      therapistId: access.therapistId,
      clientId: access.clientId,
      figureId: params.participantId,
    }),
  );

  http.handle(calls.lookAtJoinLink, ({ params, ip }) => clients.lookAtJoinLink(params.joinLink, ip));
  http.handle(calls.enterRoom, ({ body, principal, ip }) => clients.enter(body, { principal, ip }));
  http.handle(calls.getSeat, ({ access }) => clients.seat(access.id));
  http.handle(calls.leaveRoom, ({ access }) => clients.leave(access.id));

  http.handle(calls.openRoom, async ({ access }) => {
    await sessions.open(access.id);
    return clients.roomState(access.id);
  });
  http.handle(calls.getRoom, ({ access }) => clients.roomState(access.id));
  http.handle(calls.admit, ({ access, body }) => clients.admit(access.id, body.clientIds));
  http.handle(calls.decline, async ({ access, body }) => void (await clients.decline(access.id, body.clientIds)));
  http.handle(calls.clearWaiting, async ({ access }) => ({ declined: await clients.decline(access.id, 'all') }));
  http.handle(calls.remove, ({ access, body }) => clients.remove(access.id, body.clientId));
  http.handle(calls.renewCode, async ({ access }) => ({ code: await sessions.renewCode(access.id) }));
  http.handle(calls.renewJoinLink, async ({ access }) => ({ joinLink: await clients.renewJoinLink(access.id) }));
  http.handle(calls.setAdmission, ({ access, body }) => clients.setAdmission(access.id, body.admission));
  http.handle(calls.endLiveSession, async ({ access }) => {
    if (!(await sessions.end(access.id, 'ended'))) throw new Problem('no_live_session');
  });
}
