/** Events that people book: the door. */
export type { EventChange, EventRow, Events, Host } from './events.types.ts';
