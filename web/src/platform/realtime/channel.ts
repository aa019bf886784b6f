/**
 * The browser's line to the room (specification 7.6): STOMP over the page's own host, guest login in the frame, authority
 * from the bearer token. Joining and coming back are one path: subscribe the own channel, then the room, then JOIN.
 */
import { Client, type IMessage } from '@stomp/stompjs';
import type { Change } from '@fieldroom/contract/realtime';
import { type ApiProblem, problemFromBody } from '../api/request.ts';
import { GUEST, HEARTBEAT_OUT_MS, ownDestination, RECONNECT_MS, roomDestination, SEND, SOCKET_PATH } from './wire.ts';

export type Line = 'connecting' | 'open' | 'lost';

export interface ChannelOptions {
  /** The bearer token, read anew at each connect. */
  token: string | (() => string | null);
  personId: number;
  therapistId: number;
  kind: 'THERAPIST' | 'CLIENT';
  /** False for somebody who waits: only the own channel is subscribed. True by default. */
  inRoom?: boolean;
  /** Where the server is; the page's own host by default. */
  location?: Pick<Location, 'protocol' | 'host'>;
}

export interface Channel {
  readonly state: Line;
  line(): Line;
  onLine(listener: (line: Line) => void): () => void;
  onChange(listener: (change: Change) => void): () => void;
  /** The server ended the sign-in or the seat; the channel does not try again. */
  onRefused(listener: (problem: ApiProblem) => void): () => void;
  /** False when the line is down: nothing was sent. */
  send(destination: string, body: unknown): boolean;
  /** Somebody who waited was let in: subscribes the room now and at each reconnect. */
  enterRoom(): void;
  /** Does the work each time the line is open, at once when it is. Out: the way to stop. */
  whenOpen(work: () => void): () => void;
  /** Ends the line; nothing is heard afterwards. */
  close(): void;
}

/** Refusals after which trying again with the same token is useless. */
const FINAL = new Set<string>([
  'not_signed_in',
  'session_expired',
  'forbidden',
  'declined',
  'sent_out',
  'live_session_over',
  'account_suspended',
  'not_admitted',
]);

/** Opens the line. It comes back by itself: after RECONNECT_MS, and at once when the network or the page returns. */
export function createChannel(options: ChannelOptions): Channel {
  const place = options.location ?? window.location;
  const lineListeners = new Set<(line: Line) => void>();
  const changeListeners = new Set<(change: Change) => void>();
  const refusedListeners = new Set<(problem: ApiProblem) => void>();
  let line: Line = 'connecting';
  let inRoom = options.inRoom ?? true;
  let closed = false;
  let restarting = false;

  const setLine = (next: Line) => {
    if (closed || line === next) return;
    line = next;
    for (const listener of [...lineListeners]) listener(next);
  };

  const hear = (message: IMessage) => {
    let change: unknown;
    try {
      change = JSON.parse(message.body);
    } catch {
      return;
    }
    if (closed || typeof change !== 'object' || change === null || typeof (change as Change).eventType !== 'string')
      return;
    for (const listener of [...changeListeners]) listener(change as Change);
  };

  const refuse = (problem: ApiProblem) => {
    if (closed) return;
    for (const listener of [...refusedListeners]) listener(problem);
  };

  const client = new Client({
    brokerURL: `${place.protocol === 'https:' ? 'wss' : 'ws'}://${place.host}${SOCKET_PATH}`,
    heartbeatOutgoing: HEARTBEAT_OUT_MS,
    heartbeatIncoming: 0,
    reconnectDelay: RECONNECT_MS,
    beforeConnect: () => {
      const token = typeof options.token === 'function' ? options.token() : options.token;
      client.connectHeaders = { ...GUEST, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    },
    onConnect: () => {
      // The own channel first: the snapshot that the room's subscription brings comes over it.
      client.subscribe(ownDestination(options.personId), hear, { id: 'own' });
      if (inRoom) subscribeRoom();
      setLine('open');
    },
    onWebSocketClose: () => setLine('lost'),
    onStompError: (frame) => {
      // The code stands in a header of its own; `message` and the body are words for people who read frames.
      const problem = problemFromBody({ code: frame.headers.code }, 0);
      if (FINAL.has(problem.code)) {
        client.reconnectDelay = 0;
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

  /** Leaves out the wait of RECONNECT_MS. */
  const comeBackNow = () => {
    if (closed || restarting || client.connected || !client.active) return;
    restarting = true;
    setLine('connecting');
    void client.deactivate({ force: true }).then(() => {
      restarting = false;
      if (!closed && client.reconnectDelay > 0) client.activate();
    });
  };
  const onOnline = () => comeBackNow();
  const onVisible = () => {
    if (document.visibilityState === 'visible' && line === 'lost') comeBackNow();
  };
  // The browser knows sooner than a socket that nothing gets through.
  const onOffline = () => {
    if (client.connected) client.forceDisconnect();
    setLine('lost');
  };
  window.addEventListener('online', onOnline);
  window.addEventListener('offline', onOffline);
  document.addEventListener('visibilitychange', onVisible);
  client.activate();

  return {
    get state() {
      return line;
    },
    line: () => line,
    onLine(listener) {
      lineListeners.add(listener);
      return () => lineListeners.delete(listener);
    },
    onChange(listener) {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    onRefused(listener) {
      refusedListeners.add(listener);
      return () => refusedListeners.delete(listener);
    },
    send(destination, body) {
      if (closed || line !== 'open' || !client.connected) return false;
      client.publish({ destination, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
      return true;
    },
    enterRoom() {
      if (inRoom) return;
      inRoom = true;
      if (client.connected) subscribeRoom();
    },
    whenOpen(work) {
      const listener = (next: Line) => {
        if (next === 'open') work();
      };
      lineListeners.add(listener);
      if (line === 'open') work();
      return () => lineListeners.delete(listener);
    },
    close() {
      if (closed) return;
      closed = true;
      window.removeEventListener('online', onOnline);
      window.removeEventListener('offline', onOffline);
      document.removeEventListener('visibilitychange', onVisible);
      // A socket that the server is closing already takes no DISCONNECT any more.
      void client.deactivate({ force: client.webSocket?.readyState !== WebSocket.OPEN });
    },
  };
}
