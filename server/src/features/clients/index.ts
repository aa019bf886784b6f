/** The clients: people without an account, who enter, wait, are in the room, and hold roles. */
import type { Http } from '../../access.ts';
import type { Feature } from '../../feature.ts';
import type { Web } from '../../pages/pages.ts';
import { createClientsChannel } from './clients.channel.ts';
import { clientsGates } from './clients.gates.ts';
import { clientsPages } from './lobby/clients.pages.ts';
import { createMembers, type Members } from './seats/clients.members.ts';
import { clientsRoutes } from './clients.routes.ts';
import { type ClientsParts, createClients as createClientsService } from './clients.service.ts';
import type { Clients as ClientsService } from './clients.types.ts';

export type { Members } from './seats/clients.members.ts';
export type { Connections } from './clients.types.ts';
export { createThrottle } from './lobby/clients.throttle.ts';

export interface Clients
  extends ClientsService, Required<Pick<Feature, 'routes' | 'pages' | 'channel' | 'jobs' | 'scheduled'>> {
  readonly gates: ReturnType<typeof clientsGates>;
  /** The people in a room, for the real-time connection. */
  readonly members: Members;
}

/** Makes the clients. */
export function createClients(parts: ClientsParts): Clients {
  const service = createClientsService(parts);
  const clients = Object.assign(service, {
    routes: (http: Http) => clientsRoutes(http, { clients: service, sessions: parts.sessions }),
    pages: (http: Http, web: Web) => clientsPages(http, web, service),
    gates: clientsGates(service),
    jobs: [{ name: 'clients.sweep', everySeconds: 1, run: service.sweep }],
    scheduled: [
      { type: 'REMOVE_IDLE_CLIENTS' as const, schedule: '* * * * *', timeZone: 'UTC', run: service.removeIdle },
    ],
  });
  const members = createMembers(clients);
  return Object.assign(clients, {
    members,
    channel: createClientsChannel({ clients, members, room: parts.room }),
  });
}
