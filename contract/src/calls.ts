/** Every call there is, by name. What is not in this list is not mounted; `docs/calls.tsv` is checked against it. */
import * as accounts from './accounts.ts';
import * as bookings from './bookings.ts';
import * as clients from './clients.ts';
import * as events from './events.ts';
import * as field from './field.ts';
import type { Endpoint } from './http.ts';
import * as video from './video.ts';

function endpointsOf(module: Record<string, unknown>): Endpoint[] {
  return Object.values(module).filter(
    (value): value is Endpoint =>
      typeof value === 'object' && value !== null && 'path' in value && 'access' in value && 'method' in value,
  );
}

export const CALLS: readonly Endpoint[] = [accounts, clients, field, events, bookings, video].flatMap((module) =>
  endpointsOf(module),
);
/** The WebSocket endpoints with the words of `docs/calls.tsv`. */
export const SOCKETS = [
  { method: 'WS', path: '/socket/websocket', access: 'signed in, clients (STOMP)' },
  { method: 'WS', path: '/api/socket/websocket', access: 'the same endpoint under its second path' },
  { method: 'WS', path: video.VIDEO_PATH, access: 'members of the room (Janus protocol)' },
] as const;
