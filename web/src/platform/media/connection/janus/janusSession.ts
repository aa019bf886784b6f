/**
 * The Janus protocol through its official client, with promises: a session on one WebSocket, and handles on it. Loaded
 * only when a person takes part in the video. Source: Janus 1.x WebSocket API and videoroom plugin documentation.
 */
import { VIDEO_PLUGIN } from '@fieldroom/contract/video';
import Janus, { type JanusJS } from 'janus-gateway';
import adapter from 'webrtc-adapter';
import type { RoomData } from './publisherList.ts';

/** How often a keepalive is sent, and how long any request may stay unanswered before the connection counts as dead. */
const KEEPALIVE_MS = 2_500;
const DEAD_AFTER_MS = 7_000;
const OPEN_MS = 10_000;
const ANSWER_MS = 12_000;

/**
 * The plugin or the gateway refused a request. `code` is Janus' number (426 no such room, 427 room exists, 432 room
 * full …); 0 when the connection itself failed.
 */
export class ConnectionFault extends Error {
  readonly code: number;
  constructor(code: number, reason: string) {
    super(reason);
    this.name = 'ConnectionFault';
    this.code = code;
  }
}

export type Jsep = JanusJS.JSEP;
/** What the client's own types leave out. */
type Handle = JanusJS.PluginHandle & { webrtcStuff: { pc: RTCPeerConnection | null } };

export interface HandleEvents {
  /** Events, and replies too (after their caller has them). */
  message(data: RoomData, jsep: Jsep | undefined): void;
  localTrack?(track: MediaStreamTrack, on: boolean): void;
  remoteTrack?(track: MediaStreamTrack, mid: string, on: boolean): void;
  ice(state: RTCIceConnectionState): void;
  /** The server closed its end of the peer connection, or the handle is gone. */
  lost(what: 'connection' | 'handle'): void;
}
export interface Plugin {
  handle: Handle;
  /**
   * Sends one request after the other. Takes the body, an offer or answer, and which reply ends it (by default the next
   * event about it). Returns the reply's data with its offer or answer. Throws ConnectionFault.
   */
  ask(
    body: { request: string; [field: string]: unknown },
    more?: { jsep?: Jsep; until?: (data: RoomData) => boolean },
  ): Promise<{ data: RoomData; jsep: Jsep | undefined }>;
  /**
   * Sends a query that the server answers at once (`listparticipants`), without waiting for the requests before it: the
   * reply names its request, so they cannot be mixed up. Throws ConnectionFault.
   */
  query(body: { request: string; [field: string]: unknown }): Promise<RoomData>;
  offer(options: JanusJS.OfferParams): Promise<Jsep>;
  answer(jsep: Jsep, options?: Partial<JanusJS.PluginCreateAnswerParam>): Promise<Jsep>;
  accept(jsep: Jsep): Promise<void>;
  detach(): void;
}
export interface Session {
  attach(opaqueId: string, events: HandleEvents): Promise<Plugin>;
  /** A request was sent a while ago and nothing at all has arrived since. */
  isDead(): boolean;
  /** Ends the session on the server and closes the socket; no event follows. */
  close(): void;
}

let prepared = false;
/** The client's newest socket, which it does not expose, and since when it waits for a reply. */
interface Watched {
  socket: WebSocket;
  waitingSinceMs: number | null;
}
let lastSocket: Watched | null = null;
function prepare() {
  if (prepared) return;
  prepared = true;
  // Called with `new`, which returns whatever object the function returns.
  function watched(server: string, protocol: string): WebSocket {
    const socket = new WebSocket(server, protocol);
    const watch: Watched = { socket, waitingSinceMs: null };
    lastSocket = watch;
    socket.addEventListener('message', () => (watch.waitingSinceMs = null));
    const send = socket.send.bind(socket);
    socket.send = (data) => {
      // The client's timers go on after its socket closes.
      if (socket.readyState !== WebSocket.OPEN) return;
      watch.waitingSinceMs ??= performance.now();
      send(data);
    };
    return socket;
  }
  // Renamed, because linters take every "use…" for a hook.
  const { useDefaultDependencies: dependenciesOf } = Janus;
  Janus.init({ debug: false, dependencies: dependenciesOf({ adapter, WebSocket: watched }) });
}

/**
 * Opens a session with a ticket. Takes a callback that is called once when the connection is lost. Throws
 * ConnectionFault; 403 when the ticket is refused.
 */
export function openSession({
  address,
  ticket,
  iceServers,
  lost,
}: {
  address: string;
  ticket: string;
  iceServers: RTCIceServer[];
  lost: () => void;
}): Promise<Session> {
  prepare();
  return new Promise((resolve, reject) => {
    let closed = false;
    let opened = false;
    const fail = (reason: unknown) => {
      if (!opened) {
        closed = true;
        socket.close();
        // The client passes on only the text: Janus' own for a refused ticket, the gateway's for a membership that
        // ended.
        return reject(
          new ConnectionFault(/unauthori[sz]ed|^forbidden$|^sent_out$/i.test(String(reason)) ? 403 : 0, String(reason)),
        );
      }
      if (closed) return undefined;
      closed = true;
      lost();
      return undefined;
    };
    const late = setTimeout(() => fail('The video connection did not open in time'), OPEN_MS);
    const janus = new Janus({
      server: address,
      token: ticket,
      iceServers,
      keepAlivePeriod: KEEPALIVE_MS,
      destroyOnUnload: true,
      success() {
        clearTimeout(late);
        if (closed) return;
        opened = true;
        resolve(session);
      },
      error: (reason) => {
        clearTimeout(late);
        fail(reason);
      },
      destroyed: () => fail('ended'),
    });
    const watch = lastSocket!;
    const { socket } = watch;
    const isDead = () => watch.waitingSinceMs !== null && performance.now() - watch.waitingSinceMs > DEAD_AFTER_MS;
    // The client does not report a socket that closes before the session exists.
    socket.addEventListener('close', () => fail('The video connection was closed'));
    const session: Session = {
      attach: (opaqueId, events) => attach(janus, opaqueId, events),
      isDead,
      close() {
        closed = true;
        // A dead socket would keep the client waiting for a reply.
        const unload = socket.readyState !== WebSocket.OPEN || isDead();
        janus.destroy({ cleanupHandles: true, notifyDestroyed: false, unload });
        if (!unload) setTimeout(() => socket.close(), 1_000);
      },
    };
  });
}

/** Tells handles apart in a server's own tools; it reveals only the id that the server gave. */
export const opaqueId = (id: number, way: 'out' | 'in') => `fieldroom-${id}-${way}`;

function attach(janus: Janus, opaqueId: string, events: HandleEvents): Promise<Plugin> {
  return new Promise((resolve, reject) => {
    let pending: {
      until: (data: RoomData) => boolean;
      done: (answer: { data: RoomData; jsep: Jsep | undefined }) => void;
      fail: (fault: ConnectionFault) => void;
    } | null = null;
    let queue: Promise<unknown> = Promise.resolve();
    let gone = false;
    const lose = (what: 'connection' | 'handle') => {
      if (gone) return;
      if (what === 'handle') pending?.fail(new ConnectionFault(0, 'The handle is gone'));
      events.lost(what);
    };
    janus.attach({
      plugin: VIDEO_PLUGIN,
      opaqueId,
      success: (handle) => resolve(plugin(handle as Handle)),
      error: (reason) => reject(new ConnectionFault(0, String(reason))),
      onmessage(message, jsep) {
        const data = message as RoomData;
        const waiting = pending;
        if (waiting && data.error_code !== undefined)
          waiting.fail(new ConnectionFault(data.error_code, data.error ?? ''));
        else if (waiting?.until(data)) waiting.done({ data, jsep });
        events.message(data, jsep);
      },
      onlocaltrack: (track, on) => events.localTrack?.(track, on),
      onremotetrack: (track, mid, on) => events.remoteTrack?.(track, mid, on),
      iceState: (state) => events.ice(state as RTCIceConnectionState),
      webrtcState(up: boolean) {
        if (!up) lose('connection');
      },
      ondetached: () => lose('handle'),
    });
    function plugin(handle: Handle): Plugin {
      const one = (
        body: { request: string },
        { jsep, until = () => true }: { jsep?: Jsep; until?: (data: RoomData) => boolean } = {},
      ) =>
        new Promise<{ data: RoomData; jsep: Jsep | undefined }>((done, refuse) => {
          const timer = setTimeout(
            () => settle().fail(new ConnectionFault(0, `No answer to ${body.request}`)),
            ANSWER_MS,
          );
          const settle = () => {
            clearTimeout(timer);
            pending = null;
            return { done, fail: refuse };
          };
          pending = { until, done: (answer) => settle().done(answer), fail: (fault) => settle().fail(fault) };
          handle.send({
            message: body,
            ...(jsep ? { jsep } : {}),
            success(data?: RoomData) {
              // Some requests are answered at once instead of by an event.
              if (data === undefined || pending === null) return;
              if (data.error_code === undefined) pending.done({ data, jsep: undefined });
              else pending.fail(new ConnectionFault(data.error_code, data.error ?? ''));
            },
            error: (reason) => pending?.fail(refusal(reason)),
          });
        });
      const refusal = (reason: unknown) =>
        new ConnectionFault(Number.parseInt(String(reason), 10) || 0, String(reason));
      const faulty = (fail: (fault: Error) => void) => (thrown: unknown) =>
        fail(thrown instanceof Error ? thrown : new ConnectionFault(0, String(thrown)));
      return {
        handle,
        ask(body, more) {
          const mine = queue.then(() => one(body, more));
          queue = mine.catch(() => undefined);
          return mine;
        },
        query: (body) =>
          new Promise((done, fail) => {
            const timer = setTimeout(() => fail(new ConnectionFault(0, `No answer to ${body.request}`)), ANSWER_MS);
            handle.send({
              message: body,
              success(data?: RoomData) {
                clearTimeout(timer);
                if (data?.error_code === undefined) done(data ?? {});
                else fail(new ConnectionFault(data.error_code, data.error ?? ''));
              },
              error(reason) {
                clearTimeout(timer);
                fail(refusal(reason));
              },
            });
          }),
        offer: (options) =>
          new Promise((success, fail) => handle.createOffer({ ...options, success, error: faulty(fail) })),
        answer: (jsep, options) =>
          new Promise((success, fail) => handle.createAnswer({ ...options, jsep, success, error: faulty(fail) })),
        accept: (jsep) =>
          new Promise((success, fail) =>
            handle.handleRemoteJsep({ jsep, success: () => success(), error: faulty(fail) }),
          ),
        detach() {
          gone = true;
          handle.detach({});
        },
      };
    }
  });
}
