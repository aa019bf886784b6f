/** Where a page is led on a service of several nodes, and what of it travels. Numbers are those of ../README.md. */
import { beforeEach, describe, expect, test } from 'vitest';
import { hashToken, newToken } from '../../../platform/tokens.ts';
import type { LinkEnd } from '../nodes/links.ts';
import type { Connection } from './connection.ts';
import { createRoutedConnection, type Elsewhere, fromAnotherNode } from './routed-connection.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const { token: TICKET, hash: HASH } = newToken();
const create = JSON.stringify({ janus: 'create', transaction: '1', token: TICKET });

let route: Elsewhere['route'];
let heardHere: string[];
let sent: string[];
let told: string[];
let closed: unknown[];
let waiting: number;
let relayed: number;
let other: LinkEnd;
let page: Connection;
beforeEach(() => {
  [heardHere, sent, told, closed] = [[], [], [], []];
  [waiting, relayed] = [0, 0];
  const here: Connection = {
    member: null,
    receive: (text) => void heardHere.push(text),
    end: async () => void closed.push('end'),
    timeout: () => {},
  };
  page = createRoutedConnection({
    here,
    elsewhere: {
      route: (ticket, hash) => route(ticket, hash),
      connect(node, therapistId, first, end) {
        sent.push(`${node} ${therapistId}`, first);
        other = end;
        return {
          send: (text) => void sent.push(text),
          waiting: () => waiting,
          close: (code, reason) => void closed.push(['link', code, reason]),
        };
      },
    },
    sendText: (text) => void told.push(text),
    close: (code, reason) => void closed.push([code, reason]),
    waitingMax: 100,
    onRelayed: () => relayed++,
    log: { error: (_fields, message) => void closed.push(message) },
  });
});
const toTheOther = async () => {
  route = async () => ({ to: 'node', node: 'far', therapistId: 7 });
  page.receive(create);
  await turn();
};

describe('15: a page whose room is on another node', () => {
  test('is routed there with its first ticket and its messages, in order', async () => {
    const found = Promise.withResolvers<Awaited<ReturnType<Elsewhere['route']>>>();
    route = (ticket, hash) => {
      expect([ticket, hash]).toEqual([TICKET, HASH]);
      return found.promise;
    };
    page.receive('{"janus":"info"}');
    page.receive(create);
    page.receive('{"janus":"ping"}');
    expect([heardHere, sent, page.isRelayed]).toEqual([['{"janus":"info"}'], [], false]);
    found.resolve({ to: 'node', node: 'far', therapistId: 7 });
    await turn();
    expect([sent[0], sent[2], page.isRelayed, relayed]).toEqual(['far 7', '{"janus":"ping"}', true, 1]);
    other.frame('{"janus":"success"}');
    expect(told).toEqual(['{"janus":"success"}']);
    other.closed(1008, 'left the room');
    page.receive('{"janus":"ping"}');
    expect([closed, sent.length]).toEqual([[[1008, 'left the room']], 3]);
  });

  test('sends only the hash of the ticket there, wherever it is in the message', async () => {
    await toTheOther();
    const { token: another } = newToken();
    page.receive(JSON.stringify({ janus: 'message', token: TICKET, body: { request: 'join', token: another } }));
    page.receive(JSON.stringify({ janus: 'create', token: another }));
    page.receive(`not JSON ${TICKET}`);
    expect(sent.join('\n')).not.toContain(TICKET);
    expect(sent.join('\n')).not.toContain(another);
    const { hashOf, take } = fromAnotherNode((hash: Buffer) => hash);
    const { token } = JSON.parse(sent[1]!) as { token: string };
    expect(hashOf(token)).toEqual(HASH);
    expect(take(token, hashOf(token))).toEqual(hashToken(TICKET));
    expect(JSON.parse(sent[2]!)).toMatchObject({ janus: 'message', body: { request: 'join' } });
  });

  test('is closed when it sends more than can be forwarded; its end is reported', async () => {
    await toTheOther();
    waiting = 101;
    page.receive('{"janus":"ping"}');
    expect([closed, sent.length]).toEqual([[[1013, 'too much at once']], 2]);
    await page.end();
    expect(closed.slice(1)).toEqual([['link', 1000, 'the page is gone'], 'end']);
  });
});

describe('15: a page whose room is nowhere else', () => {
  test('is served here, from the ticket on', async () => {
    route = async () => ({ to: 'here' });
    page.receive(create);
    await turn();
    page.receive('{"janus":"ping"}');
    expect([heardHere, page.isRelayed, sent]).toEqual([[create, '{"janus":"ping"}'], false, []]);
  });

  test('reconnects if no node can have the room, or that cannot be found out', async () => {
    route = async () => ({ to: 'nowhere' });
    page.receive(create);
    await turn();
    route = async () => Promise.reject(new Error('the database is away'));
    page.receive(create);
    await turn();
    const again = [1012, 'connect again'];
    expect(closed).toEqual([again, 'where the room of a video connection is could not be found out', again]);
  });

  test('can queue only a limited number of messages and bytes', async () => {
    route = () => new Promise(() => {});
    page.receive(create);
    for (let count = 0; count < 50; count++) page.receive('{"janus":"ping"}');
    expect(closed).toEqual([]);
    page.receive('{"janus":"ping"}');
    expect(closed).toEqual([[1008, 'too many messages']]);
  });

  test('cannot queue long messages', async () => {
    route = () => new Promise(() => {});
    page.receive(create);
    page.receive('x'.repeat(200_000));
    expect(closed).toEqual([]);
    page.receive('x'.repeat(200_000));
    expect(closed).toEqual([[1008, 'too many messages']]);
  });

  test('can try only a few tickets', async () => {
    let asked = 0;
    route = async () => ({ to: ++asked > 0 ? 'here' : 'nowhere' });
    for (let count = 0; count < 4; count++) {
      page.receive(create);
      await turn();
    }
    expect([asked, closed]).toEqual([3, [[1008, 'too many tickets']]]);
  });
});
