/**
 * One socket that speaks the Janus protocol: its session, its handles, and what is passed on to the engine. The rules
 * are in ../README.md.
 */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { VIDEO_PLUGIN } from '@fieldroom/contract/video';
import { Problem } from '../../../platform/problem.ts';
import { parseJson } from '../../../platform/input/json.ts';
import { hashToken } from '../../../platform/tokens.ts';
import type { Member } from '../members/tickets.ts';
import {
  EngineRefusal,
  HANDLES_A_SESSION,
  type EngineEvent,
  type EngineReply,
  type EngineSession,
  type Jsep,
  REFUSAL,
} from '../video.types.ts';
import {
  bodyOfEvent,
  bodyOfGatewayReply,
  bodyOfReply,
  type PluginBody,
  type RoomEvent,
} from '../janus/janus.videoroom.ts';
import { createRoomRequests } from './room-requests.ts';
import {
  candidatesOf,
  checkMediaLines,
  checkSdp,
  type Envelope,
  envelope,
  JANUS,
  JanusRefusal,
  plugindata,
  RoomRefusal,
  SERVER_INFO,
  VERBS,
} from './janus-wire.ts';
import { isAsynchronous, readRequest } from './requests.ts';
import type { Handle, MemberSession, Rooms } from './rooms.ts';

/** Maximum number of requests of one handle that wait for their turn. */
const WAITING = 64;

interface OuterHandle extends Handle {
  readonly outer: number;
  waiting: number;
}

export interface ConnectionParts {
  rooms: Rooms;
  /** Takes the ticket; returns null when it is not valid. */
  take(ticket: string, hash: Buffer): Member | null | Promise<Member | null>;
  /** The hash of a ticket; of one that came over another node, the text is the hash. */
  hashOf?: (ticket: string) => Buffer;
  /** The ticket was valid. */
  onMember(member: Member): void;
  /**
   * Checks in the database whether the membership still holds, makes the room known, and opens the engine's session.
   * Throws Problem.
   */
  open(member: Member, listener: (event: EngineEvent) => void): Promise<EngineSession>;
  send(message: object): void;
  /** Closes the socket after what was sent. */
  close(code: number, reason: string): void;
  log: { error(fields: object, message: string): void };
}

export interface Connection {
  readonly member: Member | null;
  /** Another node has its room, and decides when it ends. */
  readonly isRelayed?: boolean;
  /** Takes one message as it came. */
  receive(text: string): void;
  /** The socket closed, or its session must end: releases everything. May be called twice. */
  end(): Promise<void>;
  /** Tells the browser that nothing was heard for too long. */
  timeout(): void;
}

/**
 * Ids that reveal nothing and cannot be guessed, within the safe integers of JavaScript (2^53); `randomInt` draws 48
 * bits.
 */
const newId = () => randomInt(1, 2 ** 48 - 1);

/** Makes the protocol's side of one socket. */
export function createConnection({
  rooms,
  take,
  hashOf = hashToken,
  onMember,
  open,
  send,
  close,
  log,
}: ConnectionParts): Connection {
  const requests = createRoomRequests(rooms);
  let member: Member | null = null;
  let tokenHash: Buffer | null = null;
  /** A ticket is being taken. */
  let taking = false;
  let sessionId = 0;
  let session: MemberSession | null = null;
  let ended = false;
  const byOuter = new Map<number, OuterHandle>();

  const handles = () => session!.handles as Map<number, OuterHandle>;
  const outerRoom = () => member!.therapistId;

  // ---- outgoing messages

  const reply = (message: Envelope, what: object) =>
    send({ ...what, ...(sessionId === 0 ? {} : { session_id: sessionId }), transaction: message.transaction });
  const fail = (transaction: string | undefined, { code, message }: JanusRefusal) =>
    send({
      janus: 'error',
      ...(sessionId === 0 ? {} : { session_id: sessionId }),
      ...(transaction === undefined ? {} : { transaction }),
      error: { code, reason: message },
    });

  const refusalData = ({ code, message }: JanusRefusal): PluginBody =>
    bodyOfGatewayReply({ kind: 'refused', code, message }, outerRoom());
  const event = (handle: OuterHandle, data: PluginBody, jsep?: Jsep, transaction?: string) =>
    send({
      janus: 'event',
      session_id: sessionId,
      ...(transaction === undefined ? {} : { transaction }),
      sender: handle.outer,
      plugindata: plugindata(data),
      ...(jsep === undefined ? {} : { jsep }),
    });

  // ---- events of the engine

  function heard(told: EngineEvent): void {
    if (ended || session === null) return;
    if (told.kind === 'gone') {
      close(1012, 'the engine restarts');
      return;
    }
    const handle = handles().get(told.handle);
    if (handle === undefined) return;
    const common = { session_id: sessionId, sender: handle.outer };
    switch (told.kind) {
      case 'webrtcup':
        return send({ janus: 'webrtcup', ...common });
      case 'trickle':
        return send({ janus: 'trickle', ...common, candidate: told.candidate ?? { completed: true } });
      case 'media':
        return send({
          janus: 'media',
          ...common,
          mid: told.mid,
          type: told.media,
          receiving: told.receiving,
          ...(told.substream === undefined ? {} : { substream: told.substream }),
        });
      case 'slowlink':
        return send({
          janus: 'slowlink',
          ...common,
          ...(told.mid === undefined ? {} : { mid: told.mid }),
          ...(told.media === undefined ? {} : { media: told.media }),
          uplink: told.uplink,
          lost: told.lost,
        });
      case 'hangup':
        if (handle.kind === 'publisher') rooms.unpublished(handle);
        return send({ janus: 'hangup', ...common, reason: told.reason });
      case 'detached':
        drop(handle);
        return send({ janus: 'detached', ...common });
      default:
        heardOfRoom(handle, told);
    }
  }

  function heardOfRoom(handle: OuterHandle, told: RoomEvent): void {
    if (told.kind === 'talking') rooms.talks(outerRoom(), told.id, told.talking);
    if (told.kind === 'limited') rooms.limited(handle, told.media);
    event(handle, bodyOfEvent(told, outerRoom()), told.kind === 'updated' ? told.jsep : undefined);
  }

  function drop(handle: OuterHandle): void {
    handle.gone = true;
    session?.handles.delete(handle.inner);
    byOuter.delete(handle.outer);
    rooms.left(handle);
  }

  // ---- sessions and handles

  async function create(message: Envelope): Promise<void> {
    if (member !== null || taking) throw new JanusRefusal(JANUS.sessionConflict, 'There is a session on this socket');
    const refusal = new JanusRefusal(JANUS.unauthorized, 'Unauthorized request (wrong or missing secret/token)');
    if (message.token === undefined) throw refusal;
    const hash = hashOf(message.token);
    taking = true;
    const found = await Promise.resolve(take(message.token, hash)).finally(() => (taking = false));
    if (ended) return;
    if (found === null) throw refusal;
    member = found;
    tokenHash = hash;
    onMember(found);
    let engine: EngineSession;
    try {
      engine = await open(found, heard);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      fail(
        message.transaction,
        new JanusRefusal(error.code === 'video_unavailable' ? JANUS.unknown : JANUS.unauthorized, error.code),
      );
      close(1008, error.code);
      return;
    }
    // The membership ended or the socket closed while the engine was opening.
    if (ended) {
      await engine.close();
      return;
    }
    session = { member: found, engine, handles: new Map() };
    rooms.enter(session);
    sessionId = newId();
    send({ janus: 'success', transaction: message.transaction, data: { id: sessionId } });
  }

  async function attach(message: Envelope): Promise<void> {
    if (message.plugin === undefined)
      throw new JanusRefusal(JANUS.missingElement, 'Missing mandatory element (plugin)');
    if (message.plugin !== VIDEO_PLUGIN) throw new JanusRefusal(JANUS.noPlugin, 'No such plugin');
    if (byOuter.size >= HANDLES_A_SESSION) throw new JanusRefusal(JANUS.attach, 'Too many handles');
    const mine = session!;
    const outer = newId();
    // Reserve its place before the engine has answered, so that a flood of these is counted.
    byOuter.set(outer, PENDING);
    try {
      const inner = await mine.engine.attach();
      const handle = newHandle(mine, outer, inner);
      mine.handles.set(inner, handle);
      byOuter.set(outer, handle);
    } catch (error) {
      byOuter.delete(outer);
      throw error instanceof EngineRefusal ? new JanusRefusal(JANUS.attach, error.message) : error;
    }
    if (ended) return;
    reply(message, { janus: 'success', data: { id: outer } });
  }

  function newHandle(mine: MemberSession, outer: number, inner: number): OuterHandle {
    let tail: Promise<unknown> = Promise.resolve();
    const handle: OuterHandle = {
      session: mine,
      outer,
      inner,
      kind: null,
      gone: false,
      waiting: 0,
      publishes: null,
      limited: new Set(),
      hasLeft: false,
      enforcing: null,
      inTurn(work) {
        const turn = tail.then(work);
        tail = turn.catch(() => {});
        return turn;
      },
      async evict() {
        if (handle.gone) return;
        drop(handle);
        event(handle, bodyOfGatewayReply({ kind: 'replaced' }, outerRoom()));
        // Leave the room first, so that the newcomer's id is free; Janus detaches in the background.
        await mine.engine.request(inner, { kind: 'leave' }).catch(() => {});
        await mine.engine.detach(inner).catch(() => {});
        send({ janus: 'detached', session_id: sessionId, sender: outer });
      },
    };
    return handle;
  }

  function getHandle(message: Envelope): OuterHandle {
    if (message.handle_id === undefined)
      throw new JanusRefusal(JANUS.missingElement, 'Missing mandatory element (handle_id)');
    const handle = byOuter.get(message.handle_id);
    if (handle === undefined || handle === PENDING) throw new JanusRefusal(JANUS.noHandle, 'No such handle');
    return handle;
  }

  /** Runs work in the handle's turn; refuses when too much is waiting. */
  function queue(handle: OuterHandle, message: Envelope, work: () => Promise<void>): void {
    if (handle.waiting >= WAITING) throw new JanusRefusal(JANUS.message, 'Too many requests at once');
    handle.waiting++;
    void handle
      .inTurn(async () => {
        if (handle.gone || ended) throw new JanusRefusal(JANUS.noHandle, 'No such handle');
        await work();
      })
      .catch((error: unknown) => failed(message, error))
      .finally(() => handle.waiting--);
  }

  function failed(message: Envelope | null, error: unknown): void {
    if (ended) return;
    if (error instanceof JanusRefusal) return fail(message?.transaction, error);
    // The engine is gone; its own event tells the browser and closes the connection.
    if (error instanceof Problem) return fail(message?.transaction, new JanusRefusal(JANUS.unknown, error.code));
    log.error({ err: error }, 'a message on the video connection failed');
    fail(message?.transaction, new JanusRefusal(JANUS.unknown, 'Unknown error'));
  }

  // ---- requests to the videoroom

  function toRoom(message: Envelope): void {
    const handle = getHandle(message);
    const { body, jsep } = message;
    if (body === undefined) throw new JanusRefusal(JANUS.missingElement, 'Missing mandatory element (body)');
    if (!isAsynchronous(body)) {
      let data: PluginBody;
      try {
        data = bodyOfGatewayReply(requests.known(member!, readRequest(body, handle.kind, outerRoom())), outerRoom());
      } catch (error) {
        if (!(error instanceof RoomRefusal)) throw error;
        data = refusalData(error);
      }
      reply(message, { janus: 'success', sender: handle.outer, plugindata: plugindata(data) });
      return;
    }
    if (jsep) checkSdp(jsep);
    queue(handle, message, async () => {
      let reply: EngineReply | RoomRefusal;
      try {
        // A handle that has left is in no room; one that never joined has to join first.
        if (handle.hasLeft && handle.kind === null && body.request === 'leave')
          throw new RoomRefusal(REFUSAL.noSuchRoom, 'No such room');
        // Parse it only now: the request before may have changed what the handle is.
        const request = readRequest(body, handle.kind, outerRoom());
        if (jsep) checkMediaLines(jsep, handle.kind === 'subscriber' ? 'subscriber' : 'publisher');
        reply = await requests.ask(handle, request, jsep);
      } catch (error) {
        if (!(error instanceof RoomRefusal)) throw error;
        reply = error;
      }
      if (ended) return;
      if (reply instanceof RoomRefusal) event(handle, refusalData(reply), undefined, message.transaction);
      else
        event(handle, bodyOfReply(reply, outerRoom()), 'jsep' in reply ? reply.jsep : undefined, message.transaction);
    });
    reply(message, { janus: 'ack' });
  }

  // ---- incoming messages

  function dispatch(message: Envelope): void {
    const background = (work: Promise<void>) => void work.catch((error: unknown) => failed(message, error));
    if (message.janus === 'info') return reply(message, SERVER_INFO);
    if (message.janus === 'ping') return reply(message, { janus: 'pong' });
    if (message.janus === 'create') return background(create(message));
    // Later messages repeat the ticket that opened the session, as Janus' own programs do.
    if (tokenHash === null || message.token === undefined || !timingSafeEqual(hashOf(message.token), tokenHash))
      throw new JanusRefusal(JANUS.unauthorized, 'Unauthorized request (wrong or missing secret/token)');
    if (session === null || message.session_id !== sessionId)
      throw new JanusRefusal(JANUS.noSession, 'No such session');
    const mine = session;
    switch (message.janus) {
      case 'keepalive':
        return reply(message, { janus: 'ack' });
      case 'attach':
        return background(attach(message));
      case 'message':
        return toRoom(message);
      case 'trickle': {
        const handle = getHandle(message);
        const candidates = candidatesOf(message);
        // After the description it belongs to.
        queue(handle, message, async () => {
          for (const candidate of candidates) mine.engine.trickle(handle.inner, candidate);
        });
        return reply(message, { janus: 'ack' });
      }
      case 'hangup': {
        const handle = getHandle(message);
        return background(
          mine.engine.hangup(handle.inner).then(() => {
            if (handle.kind === 'publisher') rooms.unpublished(handle);
            reply(message, { janus: 'success' });
          }),
        );
      }
      case 'detach': {
        const handle = getHandle(message);
        drop(handle);
        return background(
          mine.engine.detach(handle.inner).then(() => {
            reply(message, { janus: 'success' });
            send({ janus: 'detached', session_id: sessionId, sender: handle.outer });
          }),
        );
      }
      case 'destroy':
        reply(message, { janus: 'success' });
        return close(1000, 'destroyed');
    }
  }

  return {
    get member() {
      return member;
    },
    receive(text) {
      let message: Envelope | null = null;
      let transaction: string | undefined;
      try {
        let json: unknown;
        try {
          json = parseJson(text);
        } catch {
          throw new JanusRefusal(JANUS.notJson, 'Invalid JSON');
        }
        if (typeof json !== 'object' || json === null || Array.isArray(json))
          throw new JanusRefusal(JANUS.notObject, 'Not an object');
        const raw = json as Record<string, unknown>;
        if (typeof raw.transaction === 'string' && raw.transaction.length <= 64)
          ({ transaction } = raw as { transaction: string });
        if (typeof raw.janus !== 'string')
          throw new JanusRefusal(JANUS.missingRequest, 'Missing mandatory element (janus)');
        if (!(VERBS as readonly string[]).includes(raw.janus))
          throw new JanusRefusal(JANUS.unknownRequest, 'Unknown request');
        const parsed = envelope.safeParse(raw);
        if (!parsed.success) {
          const at = String(parsed.error.issues[0]?.path[0]);
          throw at in raw
            ? new JanusRefusal(at === 'jsep' ? JANUS.badSdp : JANUS.badElement, `Invalid element (${at})`)
            : new JanusRefusal(JANUS.missingElement, `Missing mandatory element (${at})`);
        }
        message = parsed.data;
        dispatch(message);
      } catch (error) {
        if (!(error instanceof JanusRefusal)) throw error;
        fail(transaction, error);
      }
    },
    async end() {
      if (ended) return;
      ended = true;
      if (session === null) return;
      rooms.gone(session);
      byOuter.clear();
      await session.engine.close();
    },
    timeout: () => send({ janus: 'timeout', session_id: sessionId }),
  };
}

/** Reserves a place while the engine makes the handle. */
const PENDING = {} as OuterHandle;
