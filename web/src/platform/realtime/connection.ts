/**
 * The browser's connection to the room: STOMP over the page's own host, guest login in the frame, authority from the
 * bearer token. Joining and reconnecting are one path: subscribe to this person's own destination, then to the room's,
 * then JOIN.
 */
import { Client, type IMessage } from '@stomp/stompjs';
import {
  type Change,
  CLOSE_MOVE,
  type EventType,
  FINAL_REFUSALS,
  GUEST,
  HEARTBEAT_OUT_MS,
  MOVE_MS,
  ownDestination,
  RECONNECT_MS,
  roomDestination,
  SEND,
  SOCKET_PATHS,
  socketAddress,
} from '@fieldroom/contract/realtime';
import { type ApiProblem, problemFromBody } from '../api/request.ts';
import { createEmitter } from '../emitter.ts';
import { createPulse } from './pulse.ts';

export type ConnectionState = 'connecting' | 'open' | 'lost';

export interface ConnectionOptions {
  /** The bearer token, read again at each connect. */
  token: string | (() => string | null);
  personId: number;
  therapistId: number;
  kind: 'THERAPIST' | 'CLIENT';
  /** False for somebody who waits, who subscribes only to their own destination. True by default. */
  inRoom?: boolean;
  /** Where the server is; the page's own host by default. */
  location?: Pick<Location, 'protocol' | 'host'>;
}

/** A message of one kind. */
export type ChangeOf<E extends EventType> = Extract<Change, { eventType: E }>;

export interface Connection {
  state(): ConnectionState;
  onState(listener: (state: ConnectionState) => void): () => void;
  /** Listens to all messages. */
  onChange(listener: (change: Change) => void): () => void;
  /** Listens to the messages of one kind. Returns a function that stops. */
  on<E extends EventType>(eventType: E, listener: (change: ChangeOf<E>) => void): () => void;
  /** The server ended the sign-in or the seat; the connection does not try again. */
  onRefused(listener: (problem: ApiProblem) => void): () => void;
  /**
   * Returns false while disconnected: nothing was sent. `answered: false` is for messages that nobody answers; when
   * the answer to any other one is late, the connection is checked.
   */
  send(destination: string, body: unknown, options?: { answered?: boolean }): boolean;
  /**
   * Somebody who waited was let in: subscribes to the room now and at each reconnect, and reports that it is open, as
   * after a reconnect.
   */
  enterRoom(): void;
  /** Does the work each time the connection opens, and at once when it is open. Returns a function that stops. */
  whenOpen(work: () => void): () => void;
  /** Ends the connection; no events follow. */
  close(): void;
}

/** An attempt to connect that takes longer than this is given up and repeated. */
const CONNECT_WITHIN_MS = 10_000;

/**
 * The wait before reconnecting: RECONNECT_MS on average, drawn again each time, so that after a restart of the server
 * the browsers reconnect spread over some seconds. Shorter when other nodes wait for us. Takes the code of the close.
 */
const reconnectDelay = (code: number) =>
  code === CLOSE_MOVE
    ? MOVE_MS.from + (MOVE_MS.to - MOVE_MS.from) * Math.random()
    : RECONNECT_MS * (0.5 + Math.random());

/**
 * Opens the connection. It reconnects by itself after about RECONNECT_MS, and at once when the network or the page
 * returns. It also does so when the connection turns out to be dead, which would otherwise go unnoticed for minutes.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const place = options.location ?? window.location;
  const states = createEmitter<ConnectionState>();
  const changes = createEmitter<Change>();
  const refusals = createEmitter<ApiProblem>();
  const byType = new Map<EventType, ReturnType<typeof createEmitter<Change>>>();
  let state: ConnectionState = 'connecting';
  let inRoom = options.inRoom ?? true;
  let closed = false;
  let restarting = false;
  /** The server sent something after which reconnecting is useless. */
  let over = false;
  let comingBack: ReturnType<typeof setTimeout> | undefined;

  const setState = (next: ConnectionState) => {
    if (closed || state === next) return;
    state = next;
    states.emit(next);
  };

  /** A socket that is closing still counts as connected to the library, but messages sent on it are lost. */
  const takesMessages = () => client.connected && client.webSocket?.readyState === WebSocket.OPEN;

  const pulse = createPulse({
    check: () => {
      if (!takesMessages()) return;
      client.publish({
        destination: SEND.checkConnection,
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
    },
    onDead: () => {
      setState('lost');
      comeBackNow();
    },
  });

  const hear = (message: IMessage) => {
    pulse.heard();
    let change: unknown;
    try {
      change = JSON.parse(message.body);
    } catch {
      return;
    }
    if (closed || !isChange(change)) return;
    changes.emit(change);
    byType.get(change.eventType)?.emit(change);
  };

  const refuse = (problem: ApiProblem) => {
    if (!closed) refusals.emit(problem);
  };

  const client = new Client({
    brokerURL: socketAddress(place, SOCKET_PATHS[0], options.therapistId),
    heartbeatOutgoing: HEARTBEAT_OUT_MS,
    heartbeatIncoming: 0,
    // The waits are drawn here: the library always waits equally long.
    reconnectDelay: 0,
    connectionTimeout: CONNECT_WITHIN_MS,
    beforeConnect: () => {
      const token = typeof options.token === 'function' ? options.token() : options.token;
      client.connectHeaders = { ...GUEST, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    },
    onConnect: () => {
      // This person's own destination comes first: the snapshot that the room's subscription causes arrives there.
      client.subscribe(ownDestination(options.personId), hear, { id: 'own' });
      if (inRoom) subscribeRoom();
      pulse.start();
      setState('open');
    },
    onWebSocketClose: ({ code }: { code: number }) => {
      pulse.stop();
      setState('lost');
      clearTimeout(comingBack);
      if (!closed && !over && !restarting) comingBack = setTimeout(comeBackNow, reconnectDelay(code));
    },
    onStompError: (frame) => {
      // The code has its own header; `message` and the body are words for people who read frames.
      const problem = problemFromBody({ code: frame.headers.code }, 0);
      if (FINAL_REFUSALS.some((code) => code === problem.code)) {
        over = true;
        void client.deactivate({ force: true });
        refuse(problem);
      }
    },
  });

  function subscribeRoom(): void {
    client.subscribe(roomDestination(options.therapistId), hear, { id: 'room' });
    client.publish({
      destination: SEND.addUser,
      body: JSON.stringify({ userId: options.personId, type: 'JOIN' }),
      headers: { 'content-type': 'application/json' },
    });
  }

  /** Gives up the current connection and opens another. */
  const comeBackNow = () => {
    clearTimeout(comingBack);
    if (closed || over || restarting) return;
    restarting = true;
    void client.deactivate({ force: true }).then(() => {
      restarting = false;
      if (!closed && !over) client.activate();
    });
  };
  const onOnline = () => {
    // A socket that is still closing counts as connected to the library.
    if (state !== 'open') comeBackNow();
  };
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return;
    if (state === 'lost') comeBackNow();
    else pulse.checkNow();
  };
  // The browser knows sooner than a socket that the network is down.
  const onOffline = () => {
    if (client.connected) client.forceDisconnect();
    pulse.stop();
    setState('lost');
  };
  window.addEventListener('online', onOnline);
  window.addEventListener('offline', onOffline);
  document.addEventListener('visibilitychange', onVisible);
  client.activate();

  return {
    state: () => state,
    onState: states.on,
    onChange: changes.on,
    on(eventType, listener) {
      const emitter = byType.get(eventType) ?? createEmitter<Change>();
      byType.set(eventType, emitter);
      // Only messages of this kind are emitted here.
      return emitter.on(listener as (change: Change) => void);
    },
    onRefused: refusals.on,
    send(destination, body, { answered = true } = {}) {
      if (closed || state !== 'open' || !takesMessages()) return false;
      client.publish({ destination, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
      if (answered) pulse.asked();
      return true;
    },
    enterRoom() {
      if (inRoom) return;
      inRoom = true;
      // On a closing socket: the next connection brings the room.
      if (!takesMessages()) return;
      subscribeRoom();
      states.emit(state);
    },
    whenOpen(work) {
      const stop = states.on((next) => {
        if (next === 'open') work();
      });
      if (state === 'open') work();
      return stop;
    },
    close() {
      if (closed) return;
      closed = true;
      pulse.stop();
      clearTimeout(comingBack);
      window.removeEventListener('online', onOnline);
      window.removeEventListener('offline', onOffline);
      document.removeEventListener('visibilitychange', onVisible);
      // A socket that the server is closing already no longer accepts a DISCONNECT.
      void client.deactivate({ force: client.webSocket?.readyState !== WebSocket.OPEN });
    },
  };
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && typeof (value as Change).eventType === 'string';
