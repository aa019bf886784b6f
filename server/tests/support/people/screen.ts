/**
 * A person's page as the server sees it: a STOMP connection by the browser's own library, with everything it received.
 */
import { Client, type StompHeaders, Versions } from '@stomp/stompjs';
import { WebSocket } from 'ws';
import { openRoom } from '@fieldroom/contract/clients';
import {
  type Change,
  type EventType,
  GUEST,
  ownDestination,
  roomDestination,
  SEND,
  SOCKET_PATHS,
  socketAddress,
} from '@fieldroom/contract/realtime';

export interface Screen {
  /** Everything received, in order, with the destination by which it came. */
  readonly heard: { destination: string; change: Change }[];
  /** Waits for a change that was or will be received from `after` on, and returns it. */
  next<E extends EventType>(
    eventType: E,
    matching?: (change: Extract<Change, { eventType: E }>) => boolean,
    after?: number,
  ): Promise<Extract<Change, { eventType: E }>>;
  of<E extends EventType>(eventType: E): Extract<Change, { eventType: E }>[];
  /** Resolves with the server's receipt; rejects with the ERROR that came instead. */
  subscribe(destination: string): Promise<void>;
  send(destination: string, body: unknown): Promise<void>;
  /** Sends without waiting for anything, as browsers do. */
  say(destination: string, body: unknown): void;
  /** Sends text as it is. */
  sendText(destination: string, body: string): Promise<void>;
  /** The code of the ERROR that ended it, or null if it was closed without one. */
  readonly closed: Promise<string | null>;
  isOpen(): boolean;
  /** Leaves with DISCONNECT. */
  leave(): Promise<void>;
  /** Cuts the connection. */
  cut(): Promise<void>;
}

/** Refused by the server with an ERROR frame. */
export class Refused extends Error {
  readonly code: string | undefined;
  constructor(code: string | undefined) {
    super(`refused: ${code}`);
    this.code = code;
  }
}

/**
 * Opens a connection. Takes the server's address, the bearer token, and the room that the address names for proxies.
 * Returns the screen once CONNECTED.
 * @throws Refused with the code of the ERROR frame.
 */
export async function openScreen(
  url: string,
  token: string | null,
  { path = SOCKET_PATHS[0] as string, headers = {} as StompHeaders, room = 0 } = {},
): Promise<Screen> {
  const heard: Screen['heard'] = [];
  const wakers = new Set<() => void>();
  const wake = () => [...wakers].forEach((waker) => waker());
  let socket: WebSocket | null = null;
  let errorCode: string | null = null;
  let ended = false;
  const closed = Promise.withResolvers<string | null>();
  const client = new Client({
    webSocketFactory: () =>
      (socket = new WebSocket(socketAddress(new URL(url), path, room), Versions.default.protocolVersions())) as never,
    connectHeaders: { ...GUEST, ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    reconnectDelay: 0,
    heartbeatIncoming: 0,
    heartbeatOutgoing: 0,
  });
  await new Promise<void>((resolve, reject) => {
    client.onConnect = () => resolve();
    client.onStompError = (frame) => {
      errorCode = frame.headers.code ?? 'error';
      reject(new Refused(frame.headers.code));
    };
    client.onWebSocketClose = () => {
      ended = true;
      closed.resolve(errorCode);
      reject(new Refused(errorCode ?? undefined));
      wake();
    };
    client.activate();
  });

  let receipts = 0;
  async function withReceipt(act: (receipt: string) => void): Promise<void> {
    const receipt = `r${++receipts}`;
    const answered = new Promise<void>((resolve) => client.watchForReceipt(receipt, () => resolve()));
    // If the connection is gone, both the waiting and the act are refused; the act's refusal is the one that counts.
    answered.catch(() => {});
    act(receipt);
    const refused = closed.promise.then((code) => {
      throw new Refused(code ?? undefined);
    });
    refused.catch(() => {});
    await Promise.race([answered, refused]);
  }

  return {
    heard,
    of: (eventType) => heard.flatMap(({ change }) => (change.eventType === eventType ? [change as never] : [])),
    async next(eventType, matching = () => true, after = 0) {
      for (;;) {
        const found = heard
          .slice(after)
          .find(({ change }) => change.eventType === eventType && matching(change as never));
        if (found) return found.change as never;
        if (ended) throw new Error(`closed before ${eventType} came`);
        await new Promise<void>((resolve) => {
          const waker = () => {
            wakers.delete(waker);
            resolve();
          };
          wakers.add(waker);
        });
      }
    },
    subscribe: (destination) =>
      withReceipt((receipt) => {
        client.subscribe(
          destination,
          (message) => {
            heard.push({ destination, change: JSON.parse(message.body) as Change });
            wake();
          },
          { receipt },
        );
      }),
    send: (destination, body) =>
      withReceipt((receipt) => client.publish({ destination, body: JSON.stringify(body), headers: { receipt } })),
    say: (destination, body) => client.publish({ destination, body: JSON.stringify(body) }),
    sendText: (destination, body) =>
      withReceipt((receipt) => client.publish({ destination, body, headers: { receipt } })),
    closed: closed.promise,
    isOpen: () => !ended,
    async leave() {
      await client.deactivate();
      await closed.promise;
    },
    async cut() {
      socket?.terminate();
      await closed.promise;
    },
  };
}

/** The therapist's play area, opened by a person: `room/open`, own channel, JOIN, room. */
export async function openTherapistScreen(url: string, therapist: { id: number; token: string }): Promise<Screen> {
  const opened = await fetch(`${url}${openRoom.path}`, {
    method: openRoom.method,
    headers: { authorization: `Bearer ${therapist.token}` },
  });
  if (!opened.ok) throw new Error(`room/open answered ${opened.status}`);
  return rejoinTherapistScreen(url, therapist);
}

/** The therapist's page when it reconnects by itself: it joins what runs and opens nothing. */
export async function rejoinTherapistScreen(url: string, therapist: { id: number; token: string }): Promise<Screen> {
  const screen = await openScreen(url, therapist.token, { room: therapist.id });
  await screen.subscribe(ownDestination(therapist.id));
  await screen.send(SEND.addUser, { userId: therapist.id, type: 'JOIN' });
  await screen.subscribe(roomDestination(therapist.id));
  return screen;
}

/** A client's page: own channel, and the room if the client is in it. */
export async function openClientScreen(
  url: string,
  client: { id: number; token: string; therapistId: number },
  { room = true } = {},
): Promise<Screen> {
  const screen = await openScreen(url, client.token, { room: client.therapistId });
  await screen.subscribe(ownDestination(client.id));
  if (room) {
    await screen.send(SEND.addUser, { userId: client.id, type: 'JOIN' });
    await screen.subscribe(roomDestination(client.therapistId));
  }
  return screen;
}
