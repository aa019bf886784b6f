/** Door of the clients: people without an account, at the door, waiting, in the room, and their roles. */
export { clientsGates } from './clients.gates.ts';
export { clientsRoutes } from './clients.routes.ts';
export { createClients } from './clients.service.ts';
export type { Connections } from './clients.service.ts';
export { createThrottle, THROTTLE_TIMES } from './clients.throttle.ts';
export type { Clients, PeopleChange, RoleHold, RoleTrace } from './clients.types.ts';
