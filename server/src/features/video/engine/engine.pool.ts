/**
 * The embedded engine for the rest of the program: a pool of threads. A room lives in one of them; rooms are spread.
 * When a thread dies, its rooms die with it: their sessions get `gone`, another thread replaces it at once, and rooms
 * are created again as browsers return.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Problem } from '../../../platform/problem.ts';
import {
  EngineRefusal,
  REFUSAL,
  type EngineEvent,
  type EngineSession,
  type EngineStats,
  type Refused,
  type VideoEngine,
} from '../video.types.ts';
import type { EngineLog, EngineOptions, WorkerStart } from './engine.types.ts';
import type { Ask, FromWorker, Replies, ToWorker, WorkerStats } from './engine.wire.ts';
import { refuseSdp } from './sdp/sdp.parse.ts';

const WORKER = new URL('./engine.worker.ts', import.meta.url);
const MEGABYTES = 512;
/** Requests of one session that may wait for their reply; the gateway limits long before. */
const WAITING_MAX = 256;
/** How long `open` waits for a thread that is starting. */
const START_MS = 30_000;
/** A thread that lived shorter than this died from its start or from the returning rooms: the next one waits a
 * little. */
const SHORT_LIFE_MS = 5000;
const PAUSES_MS = [0, 250, 1000, 2000];
const PING_MS = 2500;
/**
 * A thread that answers none of this many pings (15 s) is ended. Pings are counted and not the clock: after this
 * program itself, or the whole machine, was suspended, its timers run before the answers that wait.
 */
const UNANSWERED_MAX = 6;

interface Session {
  number: number;
  therapistId: number;
  listener: (event: EngineEvent) => void;
  waiting: number;
}

interface Thread {
  readonly index: number;
  worker: Worker | null;
  ready: Promise<boolean>;
  running: boolean;
  readonly sessions: Map<number, Session>;
  readonly calls: Map<
    number,
    { session: Session | null; done: (value: Replies[keyof Replies]) => void; fail: (error: Error) => void }
  >;
  startedMs: number;
  /** Pings since anything was heard of it. */
  unanswered: number;
  shortLives: number;
  /** Its sockets could not be opened. It is tried again, but nobody waits for it. */
  unable: boolean;
  last: WorkerStats | null;
}

/** How long stopping waits for a thread that is starting, and for one that closes its rooms. */
const STOP_START_MS = 30_000;
const STOP_MS = 2000;

/** Waits for something, with a timeout. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}

const silent: EngineLog = { info() {}, warn() {}, error() {} };
const refused = (code: number, message: string): Refused => ({ kind: 'refused', code, message });
const gone = () => refused(REFUSAL.unknown, 'The engine is gone');

/**
 * Opens the engine. Threads start with the first room that needs them. Besides the interface of `video.types.ts` it
 * returns `threads` and transport statistics, for tests.
 */
export function createEmbeddedEngine(
  options: EngineOptions = {},
): VideoEngine & { threads(): readonly Worker[]; transport(): Promise<{ names: number; addresses: number }> } {
  const log = options.log ?? silent;
  const range = options.portRange ?? null;
  const most = Math.max(
    1,
    Math.min(options.workers ?? availableParallelism(), range ? range[1] - range[0] + 1 : Infinity),
  );
  const threads: Thread[] = [];
  const homes = new Map<number, Thread>();
  const past = { packetsIn: 0, packetsOut: 0, retransmitted: 0 };
  let stopped = false;
  let sessionCount = 0;
  let callCount = 0;

  /** The thread's part of the port range. */
  function portsOf(index: number): readonly [number, number] | null {
    if (!range) return null;
    const share = Math.floor((range[1] - range[0] + 1) / most);
    return [range[0] + index * share, index === most - 1 ? range[1] : range[0] + (index + 1) * share - 1];
  }

  const post = (thread: Thread, message: ToWorker) => thread.worker?.postMessage(message);

  type Without<T> = T extends unknown ? Omit<T, 'call'> : never;
  function ask<A extends Without<Ask>>(
    thread: Thread,
    message: A,
    session: Session | null,
  ): Promise<Replies[A['type']]> {
    return new Promise((resolve, reject) => {
      if (!thread.worker || (session && !thread.sessions.has(session.number)))
        return reject(new Problem('video_unavailable'));
      const call = ++callCount;
      if (session) session.waiting++;
      thread.calls.set(call, { session, done: resolve as (value: Replies[keyof Replies]) => void, fail: reject });
      post(thread, { ...message, call } as Ask);
    });
  }

  function settle(
    thread: Thread,
    call: number,
    end: (waiting: { done: (value: Replies[keyof Replies]) => void; fail: (error: Error) => void }) => void,
  ) {
    const waiting = thread.calls.get(call);
    if (!waiting) return;
    thread.calls.delete(call);
    if (waiting.session) waiting.session.waiting--;
    end(waiting);
  }

  function start(thread: Thread) {
    thread.ready = new Promise((resolve) => {
      const data: WorkerStart = {
        ports: portsOf(thread.index),
        publicAddresses: options.publicAddresses ?? [],
        loopback: options.loopback ?? false,
      };
      const worker = new Worker(WORKER, {
        workerData: data,
        name: `video-${thread.index}`,
        resourceLimits: { maxOldGenerationSizeMb: options.workerMegabytes ?? MEGABYTES },
      });
      worker.unref();
      thread.worker = worker;
      thread.startedMs = performance.now();
      thread.unanswered = 0;
      worker.on('message', (message: FromWorker) => {
        thread.unanswered = 0;
        switch (message.type) {
          case 'ready':
            thread.running = true;
            thread.unable = false;
            resolve(true);
            break;
          case 'unable':
            thread.unable = true;
            log.error({ thread: thread.index, reason: message.message }, 'the video engine cannot open its ports');
            break;
          case 'reply':
            settle(thread, message.call, ({ done }) => done(message.value));
            break;
          case 'failed':
            settle(thread, message.call, ({ fail }) =>
              fail(message.refused ? new EngineRefusal(message.message) : new Error(message.message)),
            );
            break;
          case 'event':
            thread.sessions.get(message.session)?.listener(message.event);
            break;
          case 'fault':
            log.error({ thread: thread.index, fault: message.message }, 'a fault in the video engine');
            break;
        }
      });
      worker.on('error', (error: Error) =>
        log.error({ thread: thread.index, err: error }, 'a thread of the video engine died'),
      );
      worker.on('exit', () => {
        resolve(false);
        ended(thread, worker);
      });
    });
  }

  function ended(thread: Thread, worker: Worker) {
    if (thread.worker !== worker) return;
    thread.worker = null;
    thread.running = false;
    if (thread.last)
      for (const name of ['packetsIn', 'packetsOut', 'retransmitted'] as const) past[name] += thread.last[name];
    thread.last = null;
    const lost = [...thread.sessions.values()];
    thread.sessions.clear();
    for (const [therapistId, home] of homes) if (home === thread) homes.delete(therapistId);
    for (const call of [...thread.calls.keys()])
      settle(thread, call, ({ fail }) => fail(new Problem('video_unavailable')));
    for (const { listener } of lost) listener({ kind: 'gone' });
    if (stopped) return;
    thread.shortLives = performance.now() - thread.startedMs < SHORT_LIFE_MS ? thread.shortLives + 1 : 0;
    const pause = PAUSES_MS[Math.min(thread.shortLives, PAUSES_MS.length - 1)]!;
    log.warn(
      { thread: thread.index, sessions: lost.length, pause },
      'a thread of the video engine ended and is started again',
    );
    if (pause === 0) start(thread);
    else {
      thread.ready = new Promise((resolve) => {
        setTimeout(() => {
          if (stopped) return resolve(false);
          start(thread);
          resolve(thread.ready);
        }, pause).unref();
      });
    }
  }

  /**
   * The thread of a room: where it lives already, otherwise the one with the fewest people. Another one is started
   * while fewer than the maximum run.
   */
  function threadFor(therapistId: number): Thread {
    const home = homes.get(therapistId);
    if (home) return home;
    let best = threads.reduce<Thread | null>(
      (least, thread) => (least === null || thread.sessions.size < least.sessions.size ? thread : least),
      null,
    );
    if ((best === null || best.sessions.size > 0) && threads.length < most) {
      best = {
        index: threads.length,
        worker: null,
        ready: Promise.resolve(false),
        running: false,
        sessions: new Map(),
        calls: new Map(),
        startedMs: 0,
        unanswered: 0,
        shortLives: 0,
        unable: false,
        last: null,
      };
      threads.push(best);
      start(best);
    }
    homes.set(therapistId, best!);
    return best!;
  }

  /** Waits for the thread of a room to run. Throws `video_unavailable` when it does not in time. */
  async function runningThread(therapistId: number): Promise<Thread> {
    const deadline = performance.now() + START_MS;
    for (;;) {
      // It may have died while we waited, and the room's home with it, so look it up again each time.
      const thread = threadFor(therapistId);
      if (thread.running) return thread;
      const left = deadline - performance.now();
      if (left <= 0 || stopped || thread.unable) {
        leaveHome(thread, therapistId);
        throw new Problem('video_unavailable');
      }
      await within(left, thread.ready);
    }
  }

  /** Forgets where a room lives once nobody is in it. */
  function leaveHome(thread: Thread, therapistId: number) {
    if (homes.get(therapistId) !== thread) return;
    for (const session of thread.sessions.values()) if (session.therapistId === therapistId) return;
    homes.delete(therapistId);
  }

  const watch = setInterval(() => {
    for (const thread of threads) {
      const { worker } = thread;
      if (!worker || !thread.running) continue;
      if (thread.unanswered >= UNANSWERED_MAX) {
        log.error({ thread: thread.index }, 'a thread of the video engine does not answer and is ended');
        void worker.terminate();
        continue;
      }
      thread.unanswered++;
      void ask(thread, { type: 'stats' }, null).then(
        (stats) => thread.worker === worker && (thread.last = stats),
        () => {},
      );
    }
  }, PING_MS);
  watch.unref();

  function forgetSession(thread: Thread, session: Session) {
    thread.sessions.delete(session.number);
    leaveHome(thread, session.therapistId);
  }

  function createSession(thread: Thread, session: Session): EngineSession {
    const { number } = session;
    const here = () => thread.sessions.get(number) === session;
    return {
      attach: () => ask(thread, { type: 'attach', session: number }, session),
      async request(handle, request, jsep) {
        // Refuse it before it costs others anything.
        const badSdp = jsep && refuseSdp(jsep.sdp);
        if (badSdp) return refused(REFUSAL.invalidSdp, badSdp);
        if (!here()) return gone();
        if (session.waiting >= WAITING_MAX) return refused(REFUSAL.unknown, 'Too many requests at once');
        try {
          return await ask(thread, { type: 'request', session: number, handle, request, jsep }, session);
        } catch (error) {
          return error instanceof Problem ? gone() : refused(REFUSAL.unknown, 'The engine failed');
        }
      },
      // The browser finds a lite agent; the agent needs none of the browser's candidates.
      trickle() {},
      hangup: async (handle) =>
        void (await ask(thread, { type: 'hangup', session: number, handle }, session).catch(() => null)),
      detach: async (handle) =>
        void (await ask(thread, { type: 'detach', session: number, handle }, session).catch(() => null)),
      async close() {
        if (!here()) return;
        const closing = ask(thread, { type: 'close', session: number }, session).catch(() => null);
        forgetSession(thread, session);
        await closing;
      },
    };
  }

  /** Statistics of all threads that answer. */
  async function allStats(): Promise<WorkerStats[]> {
    const answers = await Promise.all(
      threads.filter(({ running }) => running).map((thread) => ask(thread, { type: 'stats' }, null).catch(() => null)),
    );
    return answers.filter((stats) => stats !== null);
  }

  return {
    kind: 'embedded',
    ready: () =>
      !stopped &&
      (threads.length === 0 ||
        threads.some(({ running, unable, shortLives }) => running || (!unable && shortLives === 0))),
    async open(room, person, listener) {
      if (stopped) throw new Problem('video_unavailable');
      const thread = await runningThread(room.therapistId);
      const session: Session = { number: ++sessionCount, therapistId: room.therapistId, listener, waiting: 0 };
      thread.sessions.set(session.number, session);
      post(thread, { type: 'open', session: session.number, room, person });
      return createSession(thread, session);
    },
    async closeRoom(therapistId) {
      const thread = homes.get(therapistId);
      if (thread?.running) await ask(thread, { type: 'closeRoom', therapistId }, null).catch(() => null);
    },
    async stats(): Promise<EngineStats> {
      const all = await allStats();
      const sum = (name: keyof WorkerStats) => all.reduce((total, stats) => total + stats[name], 0);
      return {
        rooms: sum('rooms'),
        publishers: sum('publishers'),
        subscribers: sum('subscribers'),
        packetsIn: sum('packetsIn') + past.packetsIn,
        packetsOut: sum('packetsOut') + past.packetsOut,
        retransmitted: sum('retransmitted') + past.retransmitted,
        bytes: sum('bytes'),
      };
    },
    async stop() {
      stopped = true;
      clearInterval(watch);
      await Promise.all(
        threads.map(async (thread) => {
          const { worker } = thread;
          if (!worker) return;
          // Never during start: Node 24 aborts the whole program when a thread is ended while it makes keys.
          await within(STOP_START_MS, thread.ready);
          if (thread.running)
            await within(
              STOP_MS,
              ask(thread, { type: 'stop' }, null).catch(() => null),
            );
          await worker.terminate();
        }),
      );
    },
    threads: () => threads.flatMap(({ worker }) => (worker ? [worker] : [])),
    async transport() {
      const all = await allStats();
      return {
        names: all.reduce((sum, { names }) => sum + names, 0),
        addresses: all.reduce((sum, { addresses }) => sum + addresses, 0),
      };
    },
  };
}
