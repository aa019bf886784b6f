export { type ChangeOf, type Connection, type ConnectionState, createConnection } from './connection.ts';
export { freshKeeper, hear, isLacking, nextCheck, type StampKeeper } from './stampKeeper.ts';
