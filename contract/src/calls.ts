/**
 * Every call there is, by name, for the OpenAPI document and the tests, and every message that browsers send. Tests
 * compare the calls with `docs/calls.tsv`, and both with what the files of the contract export.
 */
import * as z from 'zod/mini';
import * as accounts from './accounts.ts';
import * as admin from './admin.ts';
import * as billing from './billing.ts';
import * as bookings from './bookings.ts';
import * as bugReports from './bugReports.ts';
import * as clients from './clients.ts';
import * as constellations from './constellations.ts';
import * as design from './design.ts';
import * as events from './events.ts';
import * as field from './field.ts';
import type { Endpoint } from './http.ts';
import * as logs from './logs.ts';
import * as messages from './messages.ts';
import * as moments from './moments.ts';
import * as notices from './notices.ts';
import * as observerWords from './observerWords.ts';
import * as profile from './profile.ts';
import * as realtime from './realtime.ts';
import * as retention from './retention.ts';
import * as search from './search.ts';
import * as sessions from './sessions.ts';
import * as usage from './usage.ts';
import * as video from './video.ts';

const MODULES: readonly Record<string, unknown>[] = [
  accounts,
  profile,
  clients,
  field,
  constellations,
  design,
  events,
  bookings,
  video,
  messages,
  moments,
  observerWords,
  notices,
  retention,
  sessions,
  usage,
  billing,
  admin,
  logs,
  search,
  bugReports,
  realtime,
];

/** Whether a value that the contract exports is the declaration of a call. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value && 'method' in value;
}

/** Each call with the name under which the contract exports it. */
export const CALL_NAMES: ReadonlyMap<Endpoint, string> = new Map(
  MODULES.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (isEndpoint(value) ? [[value, name] as const] : [])),
  ),
);
export const CALLS: readonly Endpoint[] = [...CALL_NAMES.keys()];

/** The schema of every message that browsers send, by its destination. */
export const MESSAGES: realtime.SentMessages = Object.assign({}, ...MODULES.map((module) => module['SENT_MESSAGES']));

/** The contract's shapes under the names by which it exports them: `event`, `client`, … */
export const SHAPES: ReadonlyMap<z.ZodMiniObject, string> = new Map(
  MODULES.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      value instanceof z.ZodMiniObject ? [[value, name] as const] : [],
    ),
  ),
);

/** The WebSocket endpoints, in the words of `docs/calls.tsv`. */
export const SOCKETS = [
  { method: 'WS', path: '/socket/websocket', access: 'signed in, clients (STOMP)' },
  { method: 'WS', path: '/api/socket/websocket', access: 'the same endpoint under its second path' },
  { method: 'WS', path: video.VIDEO_PATH, access: 'members of the room (Janus protocol)' },
] as const;
