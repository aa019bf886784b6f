/**
 * Who may connect and how many, over real sockets with an engine that only counts. Numbers are those of ../README.md.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VIDEO_PLUGIN } from '@fieldroom/contract/video';
import { newToken } from '../../../platform/tokens.ts';
import { openSocket, type Program } from '../video.fixture.ts';
import type { Member } from '../members/tickets.ts';
import { EngineRefusal, type EngineSession, HANDLES_A_SESSION } from '../video.types.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { createRooms } from './rooms.ts';

const LIMITS = { connections: 12, unauthenticated: 8, unauthenticatedPerAddress: 4, perPerson: 2 };
const THERAPIST = 7;

const errors: string[] = [];
const { hash: HASH } = newToken();
/** Tickets of pages of other nodes, by their hash. */
let tickets: Set<string>;
let gateway: Gateway;
let url: string;
let stop: () => Promise<void>;
/** What attaching does in the engine. */
let attach: () => number;

beforeEach(async () => {
  errors.length = 0;
  tickets = new Set([HASH.toString('base64url')]);
  let handles = 0;
  attach = () => ++handles;
  const rooms = createRooms({
    changed: () => {},
    talkingChanged: () => {},
    started: () => {},
    log: { warn: () => {} },
  });
  const session = {
    attach: async () => attach(),
    detach: async () => {},
    close: async () => {},
  } as unknown as EngineSession;
  gateway = createGateway({
    rooms,
    // A ticket is the person's number.
    take: (ticket) => (/^\d+$/.test(ticket) ? aMember(Number(ticket)) : null),
    open: async () => session,
    log: { error: (_fields, message) => errors.push(message) },
    addressOf: ({ headers }) => String(headers['x-from']),
    limits: LIMITS,
    elsewhere: {
      route: async () => ({ to: 'here' }),
      connect: () => expect.unreachable('a link'),
      takeTicket: async (hash) => (tickets.delete(hash.toString('base64url')) ? aMember(100) : null),
    },
  });
  const server = createServer();
  server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = async () => {
    await gateway.stop();
    await new Promise((resolve) => server.close(resolve));
  };
});
afterEach(() => stop());

const aMember = (personId: number): Member => ({
  ...{ as: 'client', therapistId: THERAPIST, personId, firefox: false, signIn: null },
});
const stranger = (from: string) => openSocket(url, '', { headers: { 'x-from': from } });
async function member(person: number, from: string): Promise<Program> {
  const program = await openSocket(url, String(person), { headers: { 'x-from': from } });
  const answer = await program.ask({ janus: 'create', token: String(person) });
  program.session = answer.data!.id;
  return program;
}
const lives = async (program: Program) => (await program.say({ janus: 'keepalive' })).janus === 'ack';
const strangers = async (count: number, from: (index: number) => string) => {
  for (let index = 0; index < count; index++) await stranger(from(index));
};

describe('7: places of connections without a ticket', () => {
  test('cannot be exhausted by one address, for others or its own members', async () => {
    const first = await stranger('evil');
    await strangers(40, () => 'evil');
    expect(await first.closed).toBe(1006);
    await expect.poll(() => gateway.count()).toBe(LIMITS.unauthenticatedPerAddress);
    expect(await lives(await member(1, 'elsewhere'))).toBe(true);
    expect(await lives(await member(2, 'evil'))).toBe(true);
  });

  test('cannot be exhausted by many addresses: the oldest of the largest group is closed', async () => {
    const quiet = await stranger('alone');
    await strangers(40, (index) => `evil ${index % 3}`);
    await expect.poll(() => gateway.count()).toBe(LIMITS.unauthenticated);
    expect(await lives(await member(1, 'elsewhere'))).toBe(true);
    expect((await quiet.ask({ janus: 'create', token: 'none' })).error?.code).toBe(403);
  });

  test('are given from strangers to members when full, never from members', async () => {
    const members: Program[] = [];
    for (let person = 1; person <= LIMITS.connections - 1; person++)
      members.push(await member(person, `home ${person}`));
    await strangers(3, (index) => `evil ${index}`);
    members.push(await member(100, 'late'));
    await expect(stranger('evil')).rejects.toThrow('503');
    for (const one of members) expect(await lives(one)).toBe(true);
    expect(gateway.members()).toHaveLength(LIMITS.connections);
  });

  test('cannot be exhausted by one person: their oldest connection is closed', async () => {
    const mine = [await member(1, 'a'), await member(1, 'b')];
    const other = await member(2, 'a');
    mine.push(await member(1, 'c'));
    expect([await mine[0]!.closed, mine[0]!.reason()]).toEqual([1008, 'too many connections']);
    for (const one of [mine[1]!, mine[2]!, other]) expect(await lives(one)).toBe(true);
  });
});

describe('7: handles', () => {
  const attaching = (program: Program) => program.say({ janus: 'attach', plugin: VIDEO_PLUGIN });

  test('beyond their number are refused, and a released one makes room', async () => {
    const program = await member(1, 'a');
    const handles: number[] = [];
    for (let count = 0; count < HANDLES_A_SESSION; count++) handles.push(await program.attach());
    expect((await attaching(program)).error?.code).toBe(461);
    expect((await program.say({ janus: 'detach', handle_id: handles[0]! })).janus).toBe('success');
    expect((await attaching(program)).janus).toBe('success');
    expect(errors).toEqual([]);
  });

  test('get the engine’s refusals as such, without a fault in the log', async () => {
    const program = await member(1, 'a');
    attach = () => {
      throw new EngineRefusal('Too many handles');
    };
    expect((await attaching(program)).error).toEqual({ code: 461, reason: 'Too many handles' });
    expect(errors).toEqual([]);
  });
});

describe('15: a page of another node', () => {
  function page() {
    const [said, closed]: [{ janus: string }[], unknown[]] = [[], []];
    const end = gateway.accept({
      send: (text) => void said.push(JSON.parse(text) as { janus: string }),
      waiting: () => 0,
      close: (code, reason) => void closed.push([code, reason]),
    });
    return { said, closed, end, say: (message: object) => end?.frame(JSON.stringify(message)) };
  }
  const token = HASH.toString('base64url');
  const create = { janus: 'create', transaction: '1', token };

  test('shows a valid ticket, once, or is closed', async () => {
    const [first, second] = [page(), page()];
    first.say(create);
    second.say(create);
    await expect.poll(() => second.closed).toEqual([[1008, 'unauthorized']]);
    await expect.poll(() => first.said.map(({ janus }) => janus)).toEqual(['success']);
    expect([second.said.map(({ janus }) => janus), first.closed]).toEqual([['error'], []]);
    await expect.poll(() => gateway.count()).toBe(1);
  });

  test.each([
    ['nothing of the protocol', { janus: 'create', token }],
    ['another verb', { janus: 'ping', transaction: '1', token }],
  ])('is closed on a first message that is %s', async (_what, message) => {
    const one = page();
    one.say(message);
    expect(one.closed).toEqual([[1008, 'no ticket']]);
    await expect.poll(() => gateway.count()).toBe(0);
  });

  test('is accepted in a room of a leaving node, until that stops', async () => {
    gateway.stopTaking();
    await expect(stranger('late')).rejects.toThrow('503');
    const one = page();
    one.say(create);
    await expect.poll(() => one.said.map(({ janus }) => janus)).toEqual(['success']);
    await gateway.stop();
    expect(page()).toMatchObject({ end: null, closed: [[1013, 'try again later']] });
  });
});
