// @vitest-environment happy-dom
import { type Change, CLOSE_MOVE } from '@fieldroom/contract/realtime';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Connection, createConnection } from './connection.ts';

/** Stands for the network: a WebSocket whose other end is the test. */
class Socket {
  static all: Socket[] = [];
  /** Without a network nothing answers a close, so the browser waits seconds before it closes the socket. */
  static closesSlowly = false;
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = 0;
  binaryType = '';
  protocol = 'v12.stomp';
  sent: string[] = [];
  onopen: ((event: unknown) => void) | null = null;
  onclose: ((event: unknown) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  url: string;
  constructor(url: string) {
    this.url = url;
    Socket.all.push(this);
  }
  send(data: string) {
    this.sent.push(data);
  }
  close() {
    if (Socket.closesSlowly) this.readyState = Socket.CLOSING;
    else this.drop();
  }
  drop(code = 1006) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code, reason: '', wasClean: false });
  }
  open() {
    this.readyState = 1;
    this.onopen?.({});
  }
  frame(command: string, headers: Record<string, string>, body = '') {
    this.onmessage?.({
      data: `${command}\n${Object.entries(headers)
        .map(([name, value]) => `${name}:${value}`)
        .join('\n')}\n\n${body}\u0000`,
    });
  }
  connect() {
    this.open();
    this.frame('CONNECTED', { version: '1.2', 'heart-beat': '0,20000' });
  }
  commands() {
    return this.sent
      .filter((text) => text.trim() !== '')
      .map((text) => [
        text.split('\n')[0],
        /^(?:destination|id):(.*)$/m.exec(text)?.[1],
        /^destination:(.*)$/m.exec(text)?.[1],
      ]);
  }
}
const latest = () => Socket.all.at(-1) as Socket;
const place = { protocol: 'https:', host: 'rooms.example' };
let channel: Connection | null = null;
const open = (more: Partial<Parameters<typeof createConnection>[0]> = {}) => {
  channel = createConnection({
    token: 'secret',
    personId: 9,
    therapistId: 7,
    kind: 'CLIENT',
    location: place,
    ...more,
  });
  return channel;
};
const socketIsThere = (count: number) => vi.waitFor(() => expect(Socket.all).toHaveLength(count));

beforeEach(() => {
  Socket.all = [];
  Socket.closesSlowly = false;
  vi.stubGlobal('WebSocket', Socket);
});
afterEach(() => {
  channel?.close();
  vi.unstubAllGlobals();
});

describe('joining', () => {
  test("connects to the page's own host for its room, as guest with the bearer token, heart-beat 20000 out and none in", async () => {
    open();
    await socketIsThere(1);
    expect(latest().url).toBe('wss://rooms.example/socket/websocket?room=7');
    latest().open();
    const connect = latest().sent[0] ?? '';
    expect(connect).toContain('login:guest\n');
    expect(connect).toContain('passcode:guest\n');
    expect(connect).toContain('Authorization:Bearer secret\n');
    expect(connect).toContain('heart-beat:20000,0\n');
  });
  test('subscribes to its own channel, then the room, then sends JOIN', async () => {
    open();
    await socketIsThere(1);
    latest().connect();
    expect(latest().commands().slice(1)).toEqual([
      ['SUBSCRIBE', 'own', '/sb/user/only/9'],
      ['SUBSCRIBE', 'room', '/sb/user/7'],
      ['SEND', '/app/login.addUser', '/app/login.addUser'],
    ]);
    expect(latest().sent.at(-1)).toContain('{"userId":9,"type":"JOIN"}');
  });
  test('somebody who waits receives only their own channel until they are let in', async () => {
    const waiting = open({ inRoom: false });
    await socketIsThere(1);
    latest().connect();
    const states: string[] = [];
    waiting.onState((state) => states.push(state));
    expect(
      latest()
        .commands()
        .filter(([command]) => command === 'SUBSCRIBE'),
    ).toHaveLength(1);
    waiting.enterRoom();
    waiting.enterRoom();
    // A listener added only now is called as after a reconnect.
    expect(states).toEqual(['open']);
    expect(
      latest()
        .commands()
        .filter(([command]) => command === 'SUBSCRIBE'),
    ).toHaveLength(2);
  });
});

describe('receiving and sending', () => {
  test('a listener for one kind of message receives only that kind, until it stops', async () => {
    const heard: number[][] = [];
    const connection = open();
    const stop = connection.on('TALKING', ({ contents }) => heard.push(contents.ids));
    await socketIsThere(1);
    latest().connect();
    const say = (change: Change) =>
      latest().frame(
        'MESSAGE',
        { subscription: 'own', 'message-id': '1', destination: '/sb/user/only/9' },
        JSON.stringify(change),
      );
    say({ eventType: 'TALKING', contents: { ids: [4] } });
    say({ eventType: 'VIDEO_ASK', contents: { ask: 'muted' } });
    stop();
    say({ eventType: 'TALKING', contents: { ids: [5] } });
    expect(heard).toEqual([[4]]);
  });
  test('changes reach the listeners; invalid frames are ignored', async () => {
    const heard: Change[] = [];
    open().onChange((change) => heard.push(change));
    await socketIsThere(1);
    latest().connect();
    for (const body of ['{', '7', 'null', '{"x":1}', '{"eventType":"RESTART","contents":null}'])
      latest().frame('MESSAGE', { subscription: 'own', 'message-id': '1', destination: '/sb/user/only/9' }, body);
    expect(heard).toEqual([{ eventType: 'RESTART', contents: null }]);
  });
  test('a message sent while the connection is down is reported as not sent', async () => {
    const connection = open();
    expect(connection.send('/app/field.act', {})).toBe(false);
    await socketIsThere(1);
    latest().connect();
    expect(connection.send('/app/field.act', { actId: 'a' })).toBe(true);
    latest().drop();
    expect(connection.state()).toBe('lost');
    expect(connection.send('/app/field.act', {})).toBe(false);
  });
  test('nothing is sent on a closing socket', async () => {
    const joining = open({ inRoom: false });
    await socketIsThere(1);
    latest().connect();
    expect(joining.send('/app/field.act', {})).toBe(true);
    latest().readyState = Socket.CLOSING;
    const sent = latest().sent.length;
    expect(joining.send('/app/field.act', {})).toBe(false);
    joining.enterRoom();
    expect(latest().sent).toHaveLength(sent);
  });
});

describe('reconnecting', () => {
  test('when the network returns, it reconnects at once, with subscriptions, JOIN and the current token', async () => {
    let token = 'one';
    const connection = open({ token: () => token });
    let opened = 0;
    connection.whenOpen(() => (opened += 1));
    await socketIsThere(1);
    latest().connect();
    latest().drop();
    token = 'two';
    window.dispatchEvent(new Event('online'));
    await socketIsThere(2);
    latest().connect();
    expect(latest().sent[0]).toContain('Bearer two');
    expect(
      latest()
        .commands()
        .map(([command]) => command),
    ).toEqual(['CONNECT', 'SUBSCRIBE', 'SUBSCRIBE', 'SEND']);
    expect(opened).toBe(2);
    expect(connection.state()).toBe('open');
  });
  test('when the browser reports that it is offline, the connection counts as lost before the socket notices', async () => {
    const connection = open();
    await socketIsThere(1);
    latest().connect();
    window.dispatchEvent(new Event('offline'));
    expect(connection.state()).toBe('lost');
  });
  test('when the network returns while the socket still closes, it reconnects at once', async () => {
    Socket.closesSlowly = true;
    const connection = open();
    await socketIsThere(1);
    latest().connect();
    window.dispatchEvent(new Event('offline'));
    expect(connection.state()).toBe('lost');
    window.dispatchEvent(new Event('online'));
    await socketIsThere(2);
    latest().connect();
    expect(connection.state()).toBe('open');
  });
  describe('with timers', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
    const checks = (socket: Socket) => socket.sent.filter((text) => text.includes('destination:/app/check.connection'));

    test('each wait is drawn between half and one and a half of five seconds', async () => {
      const random = vi.spyOn(Math, 'random');
      open();
      await pass(0);
      latest().connect();
      for (const [drawn, waits] of [
        [0, 2_500],
        [0.9, 7_000],
        [0.5, 5_000],
      ] as const) {
        random.mockReturnValue(drawn);
        const before = Socket.all.length;
        latest().drop();
        await pass(waits - 1);
        expect(Socket.all).toHaveLength(before);
        await pass(1);
        expect(Socket.all).toHaveLength(before + 1);
      }
    });

    test('reconnects within one to four seconds when moved to another node, else with the usual delay', async () => {
      const random = vi.spyOn(Math, 'random');
      open();
      await pass(0);
      for (const [drawn, waits] of [
        [0, 1_000],
        [0.5, 2_500],
      ] as const) {
        random.mockReturnValue(drawn);
        latest().connect();
        const before = Socket.all.length;
        latest().drop(CLOSE_MOVE);
        await pass(waits - 1);
        expect(Socket.all).toHaveLength(before);
        await pass(1);
        expect(Socket.all).toHaveLength(before + 1);
      }
      const before = Socket.all.length;
      latest().drop();
      await pass(4_999);
      expect(Socket.all).toHaveLength(before);
      await pass(1);
      expect(Socket.all).toHaveLength(before + 1);
    });

    test('an unanswered act reveals a dead connection, which is reported and replaced at once', async () => {
      const states: string[] = [];
      const connection = open();
      connection.onState((next) => states.push(next));
      await pass(0);
      latest().connect();
      const dead = latest();
      connection.send('/app/field.act', { actId: 'a' });
      await pass(4_000);
      expect(checks(dead)).toHaveLength(1);
      expect(connection.state()).toBe('open');
      await pass(8_000);
      expect(connection.state()).toBe('lost');
      expect(Socket.all).toHaveLength(2);
      latest().connect();
      expect(connection.state()).toBe('open');
      expect(states).toEqual(['open', 'lost', 'open']);
      expect(
        latest()
          .commands()
          .map(([command]) => command),
      ).toEqual(['CONNECT', 'SUBSCRIBE', 'SUBSCRIBE', 'SEND']);
    });

    test('a server that is slow to answer the act but alive keeps its connection', async () => {
      const connection = open();
      await pass(0);
      latest().connect();
      connection.send('/app/field.act', { actId: 'a' });
      for (let seconds = 0; seconds < 60; seconds++) {
        await pass(1_000);
        const asked = checks(latest()).length;
        if (asked > 0)
          latest().frame(
            'MESSAGE',
            { subscription: 'own', 'message-id': '1', destination: '/sb/user/only/9' },
            '{"eventType":"ALIVE","contents":null}',
          );
      }
      expect(connection.state()).toBe('open');
      expect(Socket.all).toHaveLength(1);
    });

    test('a message that expects no answer causes no check; a quiet connection is checked from time to time', async () => {
      const connection = open();
      await pass(0);
      latest().connect();
      connection.send('/app/a.feature', {}, { answered: false });
      await pass(10_000);
      expect(checks(latest())).toHaveLength(0);
      await pass(6_000);
      expect(checks(latest())).toHaveLength(1);
    });

    test('coming back to the page checks the connection; one that hangs while it opens is given up', async () => {
      const connection = open();
      await pass(0);
      latest().connect();
      document.dispatchEvent(new Event('visibilitychange'));
      expect(checks(latest())).toHaveLength(1);
      vi.spyOn(Math, 'random').mockReturnValue(0);
      latest().drop();
      await pass(2_500);
      expect(Socket.all).toHaveLength(2);
      await pass(10_000 + 2_500);
      expect(Socket.all).toHaveLength(3);
      expect(connection.state()).toBe('lost');
    });
  });

  test.each(['session_expired', 'room_full', 'too_many_connections'])(
    '%s is reported and not tried again',
    async (code) => {
      const refused: string[] = [];
      const connection = open();
      connection.onRefused((problem) => refused.push(problem.code));
      await socketIsThere(1);
      latest().open();
      latest().frame('ERROR', { message: 'some words', code, 'content-type': 'text/plain' }, 'some words\n');
      latest().drop();
      window.dispatchEvent(new Event('online'));
      await vi.waitFor(() => expect(refused).toEqual([code]));
      expect(Socket.all).toHaveLength(1);
    },
  );
  test('no events after close', async () => {
    const states: string[] = [];
    const connection = open();
    connection.onState((next) => states.push(next));
    await socketIsThere(1);
    latest().connect();
    connection.close();
    window.dispatchEvent(new Event('online'));
    expect(states).toEqual(['open']);
    expect(Socket.all).toHaveLength(1);
  });
});
