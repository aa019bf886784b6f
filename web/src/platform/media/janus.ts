/**
 * The Janus protocol by the official client, with promises: a session on one WebSocket and handles on it. Loaded only when somebody
 * takes part. Source: Janus WebSocket API and videoroom plugin documentation, 1.x.
 */
import { VIDEO_PATH, VIDEO_PLUGIN } from '@fieldroom/contract/video.rules';
import Janus, { type JanusJS } from 'janus-gateway';
import adapter from 'webrtc-adapter';
import type { RoomData } from './feeds.ts';

/** So often is a sign of life asked for; this long may anything asked stay without an answer before the line is dead. */
const KEEPALIVE_MS = 2_500;
const DEAD_AFTER_MS = 7_000;
const OPEN_MS = 10_000;
const ANSWER_MS = 12_000;

/** A refusal by the plugin or the gateway. `code` is Janus' number (426 no such room, 427 room exists, 432 room full …); 0 when the line itself failed. */
export class LineFault extends Error {
  readonly code: number;
  constructor(code: number, reason: string) {
    super(reason);
    this.name = 'LineFault';
    this.code = code;
  }
}

export type Jsep = JanusJS.JSEP;
/** What the client's own types leave out. */
export type Handle = JanusJS.PluginHandle & { webrtcStuff: { pc: RTCPeerConnection | null } };

export interface HandleEvents {
  /** What comes unasked, and answers too (after whoever asked has them). */
  message(data: RoomData, jsep: Jsep | undefined): void;
  localTrack?(track: MediaStreamTrack, on: boolean): void;
  remoteTrack?(track: MediaStreamTrack, mid: string, on: boolean): void;
  ice(state: RTCIceConnectionState): void;
  /** The server hung up its end of the connection, or the handle is gone. */
  lost(what: 'connection' | 'handle'): void;
}
export interface Plugin {
  handle: Handle;
  /**
   * One request after the other. In: the body, a description, which answer ends it (by default the next event that is about it).
   * Out: the answer's data with its description. Throws LineFault.
   */
  ask(
    body: { request: string; [field: string]: unknown },
    more?: { jsep?: Jsep; until?: (data: RoomData) => boolean },
  ): Promise<{ data: RoomData; jsep: Jsep | undefined }>;
  offer(options: JanusJS.OfferParams): Promise<Jsep>;
  answer(jsep: Jsep, options?: Partial<JanusJS.PluginCreateAnswerParam>): Promise<Jsep>;
  accept(jsep: Jsep): Promise<void>;
  detach(): void;
}
export interface Session {
  attach(opaqueId: string, events: HandleEvents): Promise<Plugin>;
  /** Something was asked a while ago and nothing at all has come since. */
  isDead(): boolean;
  /** Ends the session on the server and closes the socket; after it no event comes. */
  close(): void;
}

let prepared = false;
/** The newest socket of the client, which does not lend its own, and since when it waits for a sign of life. */
interface Watched {
  socket: WebSocket;
  waitingSinceMs: number | null;
}
let lastSocket: Watched | null = null;
function prepare() {
  if (prepared) return;
  prepared = true;
  // Called with `new`, which takes what a function gives back.
  function watched(server: string, protocol: string): WebSocket {
    const socket = new WebSocket(server, protocol);
    const watch: Watched = { socket, waitingSinceMs: null };
    lastSocket = watch;
    socket.addEventListener('message', () => (watch.waitingSinceMs = null));
    const send = socket.send.bind(socket);
    socket.send = (data) => {
      // The client's timers outlive its socket.
      if (socket.readyState !== WebSocket.OPEN) return;
      watch.waitingSinceMs ??= performance.now();
      send(data);
    };
    return socket;
  }
  // Under another name, as linters take every "use…" for a hook.
  const { useDefaultDependencies: dependenciesOf } = Janus;
  Janus.init({ debug: false, dependencies: dependenciesOf({ adapter, WebSocket: watched }) });
}

/** Where the gateway listens: our own host, as the page was reached. */
export const videoAddress = (place: Pick<Location, 'protocol' | 'host'> = window.location): string =>
  `${place.protocol === 'https:' ? 'wss' : 'ws'}://${place.host}${VIDEO_PATH}`;

/** Opens a session with a ticket. In: who hears that the line is lost (once). Throws LineFault; 403 where the ticket is refused. */
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
        // The client hands on the words alone: Janus' own for a refused ticket, the gateway's for a membership that ended.
        return reject(
          new LineFault(/unauthori[sz]ed|^forbidden$|^sent_out$/i.test(String(reason)) ? 403 : 0, String(reason)),
        );
      }
      if (closed) return undefined;
      closed = true;
      lost();
      return undefined;
    };
    const late = setTimeout(() => fail('The video line did not open in time'), OPEN_MS);
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
    // The client says nothing of a socket that closes before the session stands.
    socket.addEventListener('close', () => fail('The video line was closed'));
    const session: Session = {
      attach: (opaqueId, events) => attach(janus, opaqueId, events),
      isDead,
      close() {
        closed = true;
        // A socket that carries nothing any more would keep the client waiting for an answer.
        const unload = socket.readyState !== WebSocket.OPEN || isDead();
        janus.destroy({ cleanupHandles: true, notifyDestroyed: false, unload });
        if (!unload) setTimeout(() => socket.close(), 1_000);
      },
    };
  });
}

/** Tells handles apart in a server's own views; says nothing about the person but the id that the server gave. */
export const opaqueId = (id: number, way: 'out' | 'in') => `fieldroom-${id}-${way}`;

function attach(janus: Janus, opaqueId: string, events: HandleEvents): Promise<Plugin> {
  return new Promise((resolve, reject) => {
    let pending: {
      until: (data: RoomData) => boolean;
      done: (answer: { data: RoomData; jsep: Jsep | undefined }) => void;
      fail: (fault: LineFault) => void;
    } | null = null;
    let queue: Promise<unknown> = Promise.resolve();
    let gone = false;
    const lose = (what: 'connection' | 'handle') => {
      if (gone) return;
      if (what === 'handle') pending?.fail(new LineFault(0, 'The handle is gone'));
      events.lost(what);
    };
    janus.attach({
      plugin: VIDEO_PLUGIN,
      opaqueId,
      success: (handle) => resolve(plugin(handle as Handle)),
      error: (reason) => reject(new LineFault(0, String(reason))),
      onmessage(message, jsep) {
        const data = message as RoomData;
        const waiting = pending;
        if (waiting && data.error_code !== undefined) waiting.fail(new LineFault(data.error_code, data.error ?? ''));
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
          const timer = setTimeout(() => settle().fail(new LineFault(0, `No answer to ${body.request}`)), ANSWER_MS);
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
              else pending.fail(new LineFault(data.error_code, data.error ?? ''));
            },
            error: (reason) => pending?.fail(new LineFault(Number.parseInt(String(reason), 10) || 0, String(reason))),
          });
        });
      const faulty = (fail: (fault: Error) => void) => (thrown: unknown) =>
        fail(thrown instanceof Error ? thrown : new LineFault(0, String(thrown)));
      return {
        handle,
        ask(body, more) {
          const mine = queue.then(() => one(body, more));
          queue = mine.catch(() => undefined);
          return mine;
        },
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
