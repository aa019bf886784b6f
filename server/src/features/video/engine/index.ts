/** The embedded video engine: this program carries audio and video itself, without anything installed. */
export { createEmbeddedEngine } from './engine.pool.ts';
