/** Calls about video; each is one call of the service. */
import * as calls from '@fieldroom/contract/video';
import type { Http } from '../../access.ts';
import type { Clients } from '../clients/index.ts';
import type { Video } from './video.service.ts';

/** Mounts the calls. Raising a hand is here because the contract has it with video; it is stored with the person. */
export function videoRoutes(
  http: Http,
  { video, clients }: { video: Video; clients: Pick<Clients, 'raiseHand'> },
): void {
  http.handle(calls.getVideoTicket, ({ access, principal, body }) =>
    video.ticket(access, { firefox: body.firefox, signIn: principal?.kind === 'account' ? principal.tokenHash : null }),
  );
  http.handle(calls.setVideoSettings, ({ access, body }) => video.setSettings(access.id, body));
  http.handle(calls.setStage, ({ access, body }) => video.setStage(access.id, body.clientIds));
  http.handle(calls.muteClients, ({ access, body }) => video.mute(access.id, body.clientIds));
  http.handle(calls.askToUnmute, ({ access, body }) => video.ask(access.id, body.clientId));
  http.handle(calls.raiseHand, ({ access, body }) => clients.raiseHand(access, body));
}
