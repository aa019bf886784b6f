/**
 * A page's connection on a service of several nodes. The first ticket says where its room is: here, or on another node,
 * which then gets every message and says everything in return. Tickets go to that node as hashes.
 */
import { parseJson } from '../../../platform/input/json.ts';
import { hashToken } from '../../../platform/tokens.ts';
import type { Link, LinkEnd } from '../nodes/links.ts';
import type { Member } from '../members/tickets.ts';
import type { Connection } from './connection.ts';

/** Where the room of a ticket is. A ticket that does not hold is refused here; `nowhere`: no node can have it now. */
type Route =
  | { readonly to: 'here' }
  | { readonly to: 'node'; readonly node: string; readonly therapistId: number }
  | { readonly to: 'nowhere' };

/** The way to rooms of other nodes. */
export interface Elsewhere {
  route(ticket: string, hash: Buffer): Promise<Route>;
  connect(node: string, therapistId: number, first: string, end: LinkEnd): Link;
  /** Takes a ticket by its hash. Returns whom it admits; null when it does not hold. */
  takeTicket(hash: Buffer): Promise<Member | null>;
}

interface RoutedParts {
  /** Carries out what is meant for this node. */
  readonly here: Connection;
  readonly elsewhere: Pick<Elsewhere, 'route' | 'connect'>;
  sendText(text: string): void;
  close(code: number, reason: string): void;
  /** Frames that wait for another node. */
  readonly waitingMax: number;
  /** The page has shown a ticket that leads to another node. */
  onRelayed(): void;
  readonly log: { error(fields: object, message: string): void };
}

/** Messages that may wait until it is known where the room is, and their characters together. */
const HELD_MAX = 50;
const HELD_CHARACTERS_MAX = 256 * 1024;
/** Each try asks the database. */
const TRIES = 3;
const AGAIN = [1012, 'connect again'] as const;

/** Makes the connection of one page, which finds the node of its room with the first ticket. */
export function createRoutedConnection({
  here,
  elsewhere,
  sendText,
  close,
  waitingMax,
  onRelayed,
  log,
}: RoutedParts): Connection {
  let link: Link | null = null;
  let ended = false;
  let tries = 0;
  /** Messages after a ticket whose room is being looked for; null while none is. */
  let held: string[] | null = null;
  let heldCharacters = 0;

  async function lead(text: string, ticket: string): Promise<void> {
    held = [];
    heldCharacters = 0;
    const route = await elsewhere.route(ticket, hashToken(ticket));
    const waited = held;
    held = null;
    if (ended) return;
    if (route.to === 'nowhere') return close(...AGAIN);
    if (route.to === 'node') {
      onRelayed();
      link = elsewhere.connect(route.node, route.therapistId, withoutToken(text), {
        frame: sendText,
        closed(code, reason) {
          link = null;
          ended = true;
          close(code, reason);
        },
      });
    } else here.receive(text);
    waited.forEach(receive);
  }

  function receive(text: string): void {
    if (ended) return;
    if (link !== null) {
      if (link.waiting() > waitingMax) return close(1013, 'too much at once');
      return link.send(withoutToken(text));
    }
    if (held !== null) {
      heldCharacters += text.length;
      if (held.push(text) > HELD_MAX || heldCharacters > HELD_CHARACTERS_MAX) close(1008, 'too many messages');
      return;
    }
    const ticket = here.member === null ? ticketOf(text) : null;
    if (ticket === null) return here.receive(text);
    if (++tries > TRIES) return close(1008, 'too many tickets');
    void lead(text, ticket).catch((error: unknown) => {
      if (ended) return;
      log.error({ err: error }, 'where the room of a video connection is could not be found out');
      close(...AGAIN);
    });
  }

  return {
    get member() {
      return here.member;
    },
    get isRelayed() {
      return link !== null;
    },
    receive,
    async end() {
      ended = true;
      link?.close(1000, 'the page is gone');
      link = null;
      await here.end();
    },
    timeout: here.timeout,
  };
}

// ---- what travels

const textOf = (hash: Buffer) => hash.toString('base64url');

/** How the end at the node of the room reads tickets, which come as hashes. */
export const fromAnotherNode = <T>(take: (hash: Buffer) => T) => ({
  hashOf: (text: string) => Buffer.from(text, 'base64url'),
  take: (_ticket: string, hash: Buffer) => take(hash),
});

function read(text: string): Record<string, unknown> | null {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    return null;
  }
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
}

/** The ticket that asks for a session; null where a message does not. */
function ticketOf(text: string): string | null {
  const message = read(text);
  if (message === null) return null;
  const { janus, token } = message;
  return janus === 'create' && typeof token === 'string' ? token : null;
}

/** The message without its ticket: the hash in its place, and none where programs put it out of habit. */
function withoutToken(text: string): string {
  const message = read(text);
  // Refused as what it is not.
  if (message === null) return 'null';
  if (typeof message['token'] === 'string') message['token'] = textOf(hashToken(message['token']));
  const { body } = message;
  if (typeof body === 'object' && body !== null) delete (body as Record<string, unknown>)['token'];
  return JSON.stringify(message);
}
