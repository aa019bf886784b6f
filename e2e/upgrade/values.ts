/** What the public calls of a node answer to the demo's therapist, to compare it before and after an upgrade. */
import { createHash } from 'node:crypto';
import { callsOf, type Node } from './versions.ts';

export interface Reader {
  readonly token: string;
  readonly therapistId: number;
}

/** The parts of the paths that are known; calls with other parts are left out. */
const partsFor = ({ therapistId }: Reader, eventId: number): Readonly<Record<string, string>> => ({
  ...{ therapistId: String(therapistId), userId: String(therapistId), id: String(therapistId) },
  ...{ therapistName: 'anna', joinLink: 'anna', eventId: String(eventId) },
});
/** Calls that change nothing although they are POST. */
const READING = [
  'POST /api/getUser/{therapistId}',
  'POST /api/getAllUnregisterByTherapistId/{therapistId}',
  'POST /api/session/findAll',
  'POST /api/session/findAll/details',
  'POST /api/event/upcoming/{therapistName}',
  'POST /api/me/events',
];
/** Answers that are about the moment or the caller, not about what is kept. */
const OF_THE_MOMENT = ['/api/public/captcha', '/api/getUserLocation', '/logger_api/logger/getMyIp'];

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Values = { [name: string]: Json };

/** What two answers to the same call share: what differs between them is of the moment, such as a time left. */
function shared(one: Json, other: Json): Json | undefined {
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object')
    return one === other ? one : undefined;
  if (Array.isArray(one) !== Array.isArray(other)) return undefined;
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return undefined;
    const parts = one.map((part, at) => shared(part, other[at]!));
    return parts.some((part) => part === undefined) ? undefined : (parts as Json[]);
  }
  const [first, second] = [one, other] as { [name: string]: Json }[];
  return Object.fromEntries(
    Object.entries(first!).flatMap(([name, value]) => {
      const part = name in second! ? shared(value, second![name]!) : undefined;
      return part === undefined ? [] : [[name, part]];
    }),
  );
}

/**
 * Reads all that the older version says with GET, and some lists, by call. Takes the node, who reads, and one of their
 * events.
 */
export async function readValues(node: Node, reader: Reader, eventId: number): Promise<Values> {
  const parts = partsFor(reader, eventId);
  const values: Record<string, Json> = {};
  for (const call of callsOf('older')) {
    const [method = '', declared = ''] = call.split(' ');
    const [path = '', query = ''] = declared.split('?');
    if ((method !== 'GET' && !READING.includes(`${method} ${path}`)) || OF_THE_MOMENT.includes(path)) continue;
    const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
    if (filled.includes('{') || query.includes('token')) continue;
    const answer = await fetch(`${node.url}${filled}${query.includes('page=') ? '?page=0&size=50' : ''}`, {
      method,
      headers: {
        authorization: `Bearer ${reader.token}`,
        'x-therapist-id': String(reader.therapistId),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    values[call] = {
      status: answer.status,
      body: isJson ? (JSON.parse(bytes.toString()) as Json) : createHash('sha256').update(bytes).digest('hex'),
    };
  }
  return values;
}

/** Reads everything twice, as {@link readValues}. Returns what stayed the same. */
export async function readLasting(node: Node, reader: Reader, eventId: number): Promise<Values> {
  const first = await readValues(node, reader, eventId);
  return shared(first, await readValues(node, reader, eventId)) as { [name: string]: Json };
}

/**
 * What goes on by itself: the time of the running live session, the interval of use that a restart ends, and when a
 * sign-in was last used.
 */
const RUNS_ON = new Set([
  ...['counterState', 'counting', 'at', 'seconds', 'countedSeconds', 'countedMs', 'dueAt', 'endedAt', 'lastUsedAt'],
]);

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The part of a list that is the same thing as `one`: by its id, or by its place. */
const sameIn = (list: Json[], one: Json, at: number): Json | undefined =>
  isObject(one) && 'id' in one ? list.find((other) => isObject(other) && other['id'] === one['id']) : list[at];

const SHOWN = 200;
const written = (value: Json | undefined): string => (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN);

/**
 * Lists what is no longer as it was before, a line for each value. What has come since is no loss: a later version may
 * answer more.
 */
export function lost(before: Json, after: Json | undefined, where = ''): string[] {
  if (Array.isArray(before) && Array.isArray(after))
    return before.flatMap((one, at) => lost(one, sameIn(after, one, at), `${where}[${at}]`));
  if (isObject(before) && isObject(after))
    return Object.entries(before).flatMap(([name, value]) =>
      RUNS_ON.has(name) ? [] : lost(value, after[name], where === '' ? name : `${where}.${name}`),
    );
  return before === after ? [] : [`${where}: ${written(before)} became ${written(after)}`];
}
