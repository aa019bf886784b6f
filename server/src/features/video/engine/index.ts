/** The embedded video engine: sound and picture carried by this program itself, without anything installed. */
export { createEmbeddedEngine } from './engine.pool.ts';
export type { EngineLog, EngineOptions } from './engine.types.ts';
