export { type ChangeOf, type Connection, type ConnectionState, createConnection } from './connection.ts';
export { handOver, takeHandOver } from './handOver.ts';
export { freshKeeper, hear, isLacking, nextCheck, type StampKeeper } from './stampKeeper.ts';
