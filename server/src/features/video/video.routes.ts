/** Calls about faces and voices, each one call of the service. PRODUCT 10. */
import * as calls from '@fieldroom/contract/video';
import type { AccessValues, Principal } from '../../access.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Clients } from '../clients/index.ts';
import type { Video } from './video.service.ts';

/** Mounts the calls. The hand stands here because the contract has it beside the faces; it is kept with the person. */
export function videoRoutes(
  http: Http<Principal, AccessValues>,
  { video, clients }: { video: Video; clients: Pick<Clients, 'raiseHand'> },
): void {
  http.handle(calls.getVideoTicket, ({ access, body }) => video.ticket(access, body.firefox));
  http.handle(calls.setVideoSettings, ({ access, body }) => video.setSettings(access.id, body));
  http.handle(calls.muteClients, ({ access, body }) => video.mute(access.id, body.clientIds));
  http.handle(calls.askToUnmute, ({ access, body }) => video.ask(access.id, body.clientId));
  http.handle(calls.raiseHand, ({ access, body }) => clients.raiseHand(access, body));
}
