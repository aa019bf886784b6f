/**
 * What the nodes of one service say to each other about video, on the bus. These are frames of pages on their way to
 * the node that has the room and back, and orders to that node
 * (docs/decisions/0024-several-nodes-over-postgresql-and-redis.md).
 *
 * A link carries the frames of one page, in order and whole. They are counted, so a lost one is noticed; then both ends
 * close, and the page connects again. A node that cannot be reached closes the links to it within a second.
 */
import { randomBytes } from 'node:crypto';
import { type Bus, type BusMessage, parseUnquoted } from '../../../platform/nodes/bus.ts';
import type { Order } from './orders.ts';

/** One end of a link, for the side that sends on it. */
export interface Link {
  send(text: string): void;
  /** Characters that Redis has not taken yet. */
  waiting(): number;
  /** Ends it at both ends; `closed` of this one is not called. */
  close(code: number, reason: string): void;
}

/** What comes out at an end. */
export interface LinkEnd {
  frame(text: string): void;
  /** The other end closed it, or cannot be reached. */
  closed(code: number, reason: string): void;
}

/** What carrying out an order gave. */
interface Answer {
  value: unknown;
}

interface LinksParts {
  readonly bus: Pick<Bus, 'subscribe' | 'reach' | 'tellOthers' | 'onGap'>;
  /** The name of this node. */
  readonly node: string;
  /** A page of another node wants to a room. Returns what hears it; null when the link was closed. */
  accept(link: Link, therapistId: number): LinkEnd | null;
  /** An order of another node to a room whose orders this one hears. */
  carryOut(therapistId: number, order: Order): Promise<unknown>;
  /** Orders to a room may have been missed; null for every room. */
  missed(therapistId: number | null): void;
  readonly log: { error(fields: object, message: string): void };
}

interface Links {
  /** Opens a link for a page to a room at another node. `first` is its first frame. */
  connect(node: string, therapistId: number, first: string, end: LinkEnd): Link;
  /** Whether a node can be reached now. */
  reaches(node: string): Promise<boolean>;
  /** Hears the orders to a room from now on. Returns how to stop it. */
  hear(therapistId: number): () => void;
  /**
   * Gives an order to the node that hears the orders of this room. Null when it is not carried out, or when no node
   * says so in time.
   */
  ask(therapistId: number, order: Order): Promise<Answer | null>;
  /** The same where nobody waits for the answer; if it is lost, that node is told that it missed something. */
  tell(therapistId: number, order: Order): void;
  /** Those nodes are gone. */
  lose(nodes: readonly string[]): void;
  count(): number;
  stop(): void;
}

/** How often a node with links looks whether it reaches the others (real time). */
const ALIVE_EVERY_MS = 1_000;
/** How long an order waits for its answer. */
const ANSWER_MS = 2_000;
/** Closed so, a page connects again. */
const AGAIN = [1012, 'connect again'] as const;

const NODE_PREFIX = 'video-node:';
const ROOM_PREFIX = 'video:';
const newId = () => randomBytes(9).toString('base64url');

interface OpenLink extends Link {
  readonly peer: string;
  readonly end: LinkEnd;
  /** Counts what came. Returns false when something before it is missing. */
  isNext(n: number): boolean;
  /** Carries nothing any more. */
  drop(): void;
}

/** Makes the links of this node. Other nodes can reach it from now on. */
export function createLinks({ bus, node, accept, carryOut, missed, log }: LinksParts): Links {
  /** By the other node and the name of the link. */
  const links = new Map<string, OpenLink>();
  const questions = new Map<string, (answer: Answer | null) => void>();
  let stopped = false;

  const keyOf = (peer: string, id: string) => `${peer} ${id}`;
  const send = (peer: string, attributes: Record<string, string>, body: string): Promise<boolean> =>
    bus.reach(NODE_PREFIX + peer, { body, attributes: { ...attributes, from: node } });

  function makeLink(peer: string, id: string, end: LinkEnd, opening: Record<string, string> | null): OpenLink {
    const key = keyOf(peer, id);
    let [sent, came, waiting] = [0, 0, 0];
    let open = true;
    const link: OpenLink = {
      peer,
      end,
      send(text) {
        if (!open) return;
        const attributes = sent === 0 && opening !== null ? { ...opening, what: 'open' } : { what: 'frame' };
        waiting += text.length;
        void send(peer, { ...attributes, id, n: String(sent++) }, text).then((reached) => {
          waiting -= text.length;
          if (!reached) lose([peer]);
        });
      },
      waiting: () => waiting,
      close(code, reason) {
        if (!open) return;
        link.drop();
        void send(peer, { what: 'close', id }, JSON.stringify({ code, reason }));
      },
      isNext: (n) => n === came++,
      drop() {
        open = false;
        links.delete(key);
      },
    };
    links.set(key, link);
    return link;
  }

  function lose(peers: readonly string[]): void {
    for (const link of [...links.values()]) {
      if (!peers.includes(link.peer)) continue;
      link.drop();
      link.end.closed(...AGAIN);
    }
  }

  /** The other end is told, where it can be. */
  function breakLink(link: OpenLink): void {
    link.close(...AGAIN);
    link.end.closed(...AGAIN);
  }

  function opened(peer: string, id: string, n: number, therapistId: number, first: string): void {
    // Known once it is accepted; the one that accepts may close it.
    let end: LinkEnd | null = null;
    const link = makeLink(
      peer,
      id,
      { frame: (text) => end?.frame(text), closed: (code, reason) => end?.closed(code, reason) },
      null,
    );
    link.isNext(n);
    end = accept(link, therapistId);
    end?.frame(first);
  }

  function heard({ body, attributes = {} }: BusMessage): void {
    if (stopped) return;
    const { what, from = '', id = '', n, room } = attributes;
    const text = String(body);
    const link = links.get(keyOf(from, id));
    switch (what) {
      case 'open':
        return opened(from, id, Number(n), Number(room), text);
      case 'frame':
        if (link === undefined) return void send(from, { what: 'close', id }, JSON.stringify(closing(AGAIN)));
        return link.isNext(Number(n)) ? link.end.frame(text) : breakLink(link);
      case 'close': {
        if (link === undefined) return;
        const { code, reason } = parseUnquoted<{ code: number; reason: string }>(text);
        link.drop();
        return link.end.closed(code, reason);
      }
      case 'answer':
        return questions.get(id)?.(parseUnquoted<Answer | null>(text));
      default:
    }
  }

  function heardOrder(therapistId: number, { body, attributes = {} }: BusMessage): void {
    const { from, id } = attributes;
    const work = carryOut(therapistId, parseUnquoted<Order>(String(body)));
    const answered = work.then(
      (value): Answer => ({ value: value ?? null }),
      (error: unknown): null => {
        log.error({ err: error }, 'an order of another node about video failed');
        return null;
      },
    );
    if (from === undefined || id === undefined) return;
    void answered.then((answer) => send(from, { what: 'answer', id }, JSON.stringify(answer)));
  }

  const leaveOwn = bus.subscribe(NODE_PREFIX + node, heard);
  bus.onGap((channel) => {
    if (stopped) return;
    if (channel === null || channel === NODE_PREFIX + node) for (const link of [...links.values()]) breakLink(link);
    if (channel === null) missed(null);
    else if (channel.startsWith(ROOM_PREFIX)) missed(Number(channel.slice(ROOM_PREFIX.length)));
  });
  const reaches = (peer: string) => send(peer, { what: 'alive' }, '');
  const looking = setInterval(() => {
    for (const peer of new Set([...links.values()].map((link) => link.peer)))
      void reaches(peer).then((reached) => {
        if (!reached) lose([peer]);
      });
  }, ALIVE_EVERY_MS);
  looking.unref();

  return {
    connect(peer, therapistId, first, end) {
      const link = makeLink(peer, newId(), end, { room: String(therapistId) });
      link.send(first);
      return link;
    },
    reaches,
    hear: (therapistId) => bus.subscribe(ROOM_PREFIX + therapistId, (message) => heardOrder(therapistId, message)),
    async ask(therapistId, order) {
      const id = newId();
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<Answer | null>((resolve) => {
          questions.set(id, resolve);
          timer = setTimeout(() => resolve(null), ANSWER_MS);
          void bus
            .reach(ROOM_PREFIX + therapistId, { body: JSON.stringify(order), attributes: { from: node, id } })
            .then((reached) => {
              if (!reached) resolve(null);
            });
        });
      } finally {
        clearTimeout(timer);
        questions.delete(id);
      }
    },
    tell: (therapistId, order) => bus.tellOthers(ROOM_PREFIX + therapistId, { body: JSON.stringify(order) }),
    lose,
    count: () => links.size,
    stop() {
      stopped = true;
      clearInterval(looking);
      leaveOwn();
      for (const link of [...links.values()]) link.close(...AGAIN);
    },
  };
}

const closing = ([code, reason]: readonly [number, string]) => ({ code, reason });
