/** Door of the clients: people without an account, at the door, waiting, in the room, and their roles. */
export type { Clients, PeopleChange, RoleHold, RoleTrace } from './clients.types.ts';
