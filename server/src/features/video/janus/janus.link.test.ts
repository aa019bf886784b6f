/** How a Janus server that hangs, or whose host is gone, is noticed: no connection says so. Without Janus. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createJanusEngine } from './janus.engine.ts';
import { createJanusLink, type JanusLink } from './janus.link.ts';

const QUIET_MS = 5_000;
const ANSWER_MS = 10_000;
const RETRY_MS = 250;

interface Asked {
  janus: string;
  transaction: string;
  body?: { request: string };
}

/** Ends what a test has begun, the servers first: nobody waits for answers then. */
const ends: (() => unknown)[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
  vi.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Waits in real time: `expect.poll` would move the clock of the test. */
async function until(fits: () => boolean): Promise<void> {
  while (!fits()) await turn();
}

/** A Janus that grants everything, unless the test wants to answer itself. */
async function aJanus() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  let count = 0;
  let newest: WebSocket;
  const asked: Asked[] = [];
  const unanswered: Asked[] = [];
  const janus = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    connections: 0,
    /** Whether it answers a request at once. */
    answers: (_request: Asked): boolean => true,
    tell: (message: object) => newest.send(JSON.stringify(message)),
    answer({ janus: kind, transaction }: Asked) {
      const data = { id: ++count };
      const said =
        kind === 'ping'
          ? { janus: 'pong' }
          : kind === 'message'
            ? { janus: 'event', plugindata: { data: {} } }
            : { janus: 'success', data };
      janus.tell({ ...said, transaction });
    },
    /** From now on it answers again, and what it left unanswered as well. */
    wakeUp() {
      janus.answers = () => true;
      for (const one of unanswered.splice(0)) janus.answer(one);
    },
    times: (kind: string) => asked.filter((one) => one.janus === kind).length,
    rooms: () => asked.filter(({ body }) => body?.request === 'create').length,
    ended: () => asked.filter(({ body }) => body?.request === 'destroy').length,
  };
  server.on('connection', (socket) => {
    newest = socket;
    janus.connections += 1;
    unanswered.length = 0;
    socket.on('message', (data: Buffer) => {
      const request = JSON.parse(data.toString()) as Asked;
      asked.push(request);
      if (janus.answers(request)) janus.answer(request);
      else unanswered.push(request);
    });
  });
  ends.push(() => {
    for (const client of server.clients) client.terminate();
    return new Promise((resolve) => server.close(resolve));
  });
  return janus;
}

/** A link with the times of the shipped server. */
async function aLink() {
  const janus = await aJanus();
  const onDown = vi.fn();
  const log = { info: vi.fn(), warn: vi.fn() };
  const link: JanusLink = createJanusLink({ url: janus.url, secret: null, log, onUp: () => {}, onDown });
  ends.push(() => link.stop());
  await until(() => link.isUp());
  return { janus, link, onDown, log };
}

test('a Janus server that no longer answers is given up, and used again once it answers', async () => {
  const { janus, link, onDown, log } = await aLink();
  janus.answers = () => false;
  vi.advanceTimersByTime(QUIET_MS);
  await until(() => janus.times('ping') === 1);
  vi.advanceTimersByTime(ANSWER_MS - 1);
  // Whoever joins in between learns it with everybody else.
  const late = link.ask({ janus: 'create' });
  await until(() => janus.times('create') === 2);
  expect(link.isUp()).toBe(true);
  vi.advanceTimersByTime(1);
  await expect(late).rejects.toMatchObject({ code: 'video_unavailable' });
  expect([link.isUp(), onDown.mock.calls.length]).toEqual([false, 1]);
  expect(log.warn.mock.calls.map(([, message]) => message as string)).toEqual(['Janus no longer answers']);
  // Its system still takes connections.
  vi.advanceTimersByTime(RETRY_MS);
  await until(() => janus.times('info') === 2);
  vi.advanceTimersByTime(ANSWER_MS);
  await until(() => (log.warn.mock.lastCall?.[1] as string) === 'Janus does not let us in');
  expect(link.isUp()).toBe(false);
  janus.wakeUp();
  while (!link.isUp()) {
    // Time goes on until it has tried again.
    vi.advanceTimersByTime(1);
    await turn();
  }
  expect(onDown).toHaveBeenCalledOnce();
});

test('a slow server is kept, and an idle one is pinged repeatedly', async () => {
  const { janus, link, onDown } = await aLink();
  for (let round = 1; round <= 3; round += 1) {
    janus.answers = () => false;
    vi.advanceTimersByTime(QUIET_MS);
    await until(() => janus.times('ping') === round);
    vi.advanceTimersByTime(ANSWER_MS - 1);
    // Its answer comes after that to the ping.
    const late = link.ask({ janus: 'create' });
    await until(() => janus.times('create') === 1 + round);
    janus.wakeUp();
    await late;
  }
  expect([link.isUp(), janus.connections, onDown.mock.calls.length]).toEqual([true, 1, 0]);
});

test('any message shows that it is alive: the answer to another request, or an event', async () => {
  const { janus, link, onDown } = await aLink();
  const heard = vi.fn();
  link.listen(7, heard);
  janus.answers = (request) => request.janus !== 'ping';
  for (const [round, say] of [
    () => link.ask({ janus: 'attach', session_id: 7 }),
    () => {
      janus.tell({ janus: 'media', session_id: 7 });
      return until(() => heard.mock.calls.length === 1);
    },
    () => link.ask({ janus: 'attach', session_id: 7 }),
  ].entries()) {
    vi.advanceTimersByTime(QUIET_MS);
    await until(() => janus.times('ping') === 1 + round);
    vi.advanceTimersByTime(ANSWER_MS - 1);
    await say();
  }
  expect([link.isUp(), janus.connections, onDown.mock.calls.length]).toEqual([true, 1, 0]);
});

test('an answer that arrived while this process was suspended counts', async () => {
  const { janus, link, onDown } = await aLink();
  const stoodStill = new Promise<void>((resolve) => {
    janus.answers = () => {
      // The answer is in our socket then, and nothing has read it.
      setImmediate(() => {
        vi.advanceTimersByTime(ANSWER_MS);
        resolve();
      });
      return true;
    };
  });
  vi.advanceTimersByTime(QUIET_MS);
  await stoodStill;
  janus.answers = () => true;
  await link.ask({ janus: 'create' });
  expect([link.isUp(), janus.connections, onDown.mock.calls.length]).toEqual([true, 1, 0]);
});

test('rooms of a silent server open on another one; once it answers, it ends its own and gets rooms again', async () => {
  const [hanging, other] = [await aJanus(), await aJanus()];
  const log = { info: vi.fn(), warn: vi.fn() };
  const urls = [hanging.url, other.url];
  const times = { quietMs: 20_000, answerMs: 3_000, retryMs: 100 };
  const engine = createJanusEngine({ urls, secret: null, adminKey: null, log, ...times });
  ends.push(() => engine.stop());
  await until(() => log.info.mock.calls.length === 2);
  const gone = new Set<number>();
  const open = (therapistId: number) =>
    engine.open(
      { therapistId, publishers: 2, keyframeSeconds: 10, talkingLevel: 50, talkingPackets: 100, loudestVoices: 5 },
      { id: therapistId, as: 'therapist' },
      ({ kind }) => {
        if (kind === 'gone') gone.add(therapistId);
      },
    );
  // The ports decide where a room lives: all of them are on one server once in 2^29 times.
  const ids = Array.from({ length: 30 }, (_, index) => index);
  const onOther: number[] = [];
  for (const id of ids) {
    const before = other.rooms();
    await open(id);
    if (other.rooms() > before) onOther.push(id);
  }
  const onHanging = hanging.rooms();
  expect(onHanging).toBeGreaterThan(0);
  expect(onOther.length).toBe(ids.length - onHanging);
  hanging.answers = () => false;
  vi.advanceTimersByTime(times.quietMs);
  await until(() => hanging.times('ping') === 1);
  // The other one answers this after the ping.
  await open(onOther[0]!);
  vi.advanceTimersByTime(times.answerMs);
  await until(() => gone.size === onHanging);
  expect(engine.ready()).toBe(true);
  const moved = [...gone];
  for (const id of moved) await open(id);
  expect([hanging.rooms(), other.rooms()]).toEqual([onHanging, ids.length]);
  hanging.wakeUp();
  vi.advanceTimersByTime(times.retryMs);
  await until(() => log.info.mock.calls.length === 3);
  // What it still had of them is ended, so that no room stands there twice.
  await until(() => hanging.ended() === onHanging);
  for (const id of moved) {
    await engine.closeRoom(id);
    await open(id);
  }
  expect(hanging.rooms()).toBe(2 * moved.length);
});
