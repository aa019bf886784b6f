/**
 * The connection without a network: rules 20 to 23, 28 and 29 of the README. The other side is a handshake of the same
 * kind; checks are written by hand.
 */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSrtpReceiver, createSrtpSender } from '../srtp/srtp.ts';
import { createCertificate, createDtls, type Certificate, type Dtls, type Keys } from './dtls.ts';
import { createPeer, type Peer } from './peer.ts';
import type { Port, Ports, Receiver, Route } from './ports.ts';
import { check } from './stun.fixture.ts';

let certificate: Certificate;
beforeAll(async () => {
  certificate = await createCertificate();
});

const names = new Map<string, Receiver>();
const ports: Ports = {
  candidates: () => [{ address: '192.0.2.1', port: 4000 }],
  listen: (name, receiver) => void names.set(name, receiver),
  ignore: (name) => void names.delete(name),
  forget: (receiver) => names.forEach((known, name) => known === receiver && names.delete(name)),
  idle: () => true,
  known: () => ({ names: names.size, addresses: 0 }),
  close: () => Promise.resolve(),
};

let out: { data: Buffer; to: string }[];
let browser: Dtls | null;
let peer: Peer;
const events = {
  onUp: vi.fn<() => void>(),
  onRtp: vi.fn<(packet: Buffer) => void>(),
  onRtcp: vi.fn<(compound: Buffer) => void>(),
  onDown: vi.fn<(reason: string) => void>(),
};
const port = {
  send(data: Buffer, _port: number, to: string) {
    out.push({ data, to });
    if (data[0]! >= 20 && data[0]! < 64) browser?.receive(data);
  },
} as Port;
const route = (address = '198.51.100.1'): Route => ({ port, address, remotePort: 5000 });
const receiver = () => names.get(peer.local().ufrag)!;
const checked = (options: Parameters<typeof check>[0] = {}, from = route()) => {
  const { ufrag, password } = peer.local();
  return receiver().check(check({ username: `${ufrag}:theirs`, password, ...options }), from);
};
const remote = (setup: 'active' | 'passive' = 'active', value = certificate.fingerprint.value) => ({
  ufrag: 'theirs',
  fingerprints: [{ algorithm: 'sha-256', value }],
  setup,
});

beforeEach(() => {
  names.clear();
  out = [];
  browser = null;
  vi.resetAllMocks();
  peer = createPeer(ports, certificate, 0, events);
});

/** The browser's side of the handshake; out: its keys. */
async function shakeHands(role: 'client' | 'server' = 'client'): Promise<Keys> {
  return new Promise((resolve, reject) => {
    const own = receiver();
    browser = createDtls({
      role,
      certificate,
      send: (data) => own.packet(data, route()),
      onKeys: resolve,
      onFailed: () => reject(new Error('failed')),
      onClosed: () => {},
    });
    browser.begin();
  });
}

describe('checks', () => {
  test('20: are answered only if signed with our password', () => {
    expect(checked()).toBe(true);
    expect(out.length).toBe(1);
    expect(checked({ password: 'another' })).toBe(false);
    expect(checked({ username: 'somebody:theirs' })).toBe(false);
    peer.describe(remote());
    expect(checked({ username: `${peer.local().ufrag}:another` })).toBe(false);
    expect(out.length).toBe(1);
  });

  test('23: report a role conflict to a peer that believes itself controlled, and do not accept its address', () => {
    expect(checked({ controlled: true })).toBe(false);
    expect(out[0]!.data.readUInt16BE(0)).toBe(0x0111);
  });

  test('28: direct media to the address that the browser nominated last', () => {
    peer.send(Buffer.from('nowhere yet'));
    expect(out).toEqual([]);
    checked({ use: false }, route('198.51.100.1'));
    checked({ use: false }, route('198.51.100.2'));
    peer.send(Buffer.from('a'));
    checked({ use: true }, route('198.51.100.2'));
    peer.send(Buffer.from('b'));
    const sent = out.filter(({ data }) => data.length === 1);
    expect(sent.map(({ to }) => to)).toEqual(['198.51.100.1', '198.51.100.2']);
  });

  test('10: are answered for both user names after a restart, and not for the first after the next one', () => {
    const first = peer.local();
    peer.restart();
    const second = peer.local();
    expect(second.ufrag).not.toBe(first.ufrag);
    expect(names.has(first.ufrag) && names.has(second.ufrag)).toBe(true);
    peer.restart();
    expect(names.has(first.ufrag)).toBe(false);
    expect(names.size).toBe(2);
  });
});

describe('keys', () => {
  test.each(['client', 'server'] as const)(
    '29: media flow both ways once the handshake matches the description; the browser is the %s',
    async (role) => {
      checked();
      if (role === 'server') {
        peer.describe(remote('passive'));
        const keys = await new Promise<Keys>((resolve, reject) => {
          const own = receiver();
          browser = createDtls({
            role,
            certificate,
            send: (data) => own.packet(data, route()),
            onKeys: resolve,
            onFailed: () => reject(new Error('failed')),
            onClosed: () => {},
          });
        });
        await vi.waitFor(() => expect(events.onUp).toHaveBeenCalledOnce(), 60_000);
        expect(keys.send.masterKey.length).toBe(16);
        return;
      }
      peer.describe(remote());
      const keys = await shakeHands();
      await vi.waitFor(() => expect(events.onUp).toHaveBeenCalledOnce(), 60_000);
      const header = Buffer.from([0x80, 96, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7]);
      const theirs = createSrtpSender(keys.send);
      receiver().packet(theirs.rtp(header, Buffer.from('hello'), 0), route());
      expect(events.onRtp.mock.calls[0]![0].subarray(12).toString()).toBe('hello');
      receiver().packet(theirs.rtcp(Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 7])), route());
      expect(events.onRtcp).toHaveBeenCalledOnce();
      out = [];
      peer.send(peer.protect.rtp(header, Buffer.from('back'), 0));
      expect(createSrtpReceiver(keys.receive).rtp(out[0]!.data)!.subarray(12).toString()).toBe('back');
      // Forged, cut and senseless ones go nowhere.
      for (const data of [
        Buffer.alloc(0),
        Buffer.from([0x80]),
        Buffer.alloc(40, 0x80),
        Buffer.from([22, 1, 2]),
        Buffer.from([255]),
      ])
        receiver().packet(data, route());
      expect(events.onRtp).toHaveBeenCalledOnce();
      expect(events.onDown).not.toHaveBeenCalled();
    },
  );

  test('29: the handshake may precede the description', async () => {
    checked();
    await shakeHands();
    expect(events.onUp).not.toHaveBeenCalled();
    peer.describe(remote());
    await vi.waitFor(() => expect(events.onUp).toHaveBeenCalledOnce(), 60_000);
  });

  test.each([
    ['another fingerprint', { algorithm: 'sha-256', value: Array.from({ length: 32 }, () => '00').join(':') }],
    ['a hash that is not believed', { algorithm: 'sha-1', value: Array.from({ length: 20 }, () => '00').join(':') }],
  ])('29: %s ends the connection', async (_name, fingerprint) => {
    checked();
    peer.describe({ ...remote(), fingerprints: [fingerprint] });
    await shakeHands();
    await vi.waitFor(() => expect(events.onDown).toHaveBeenCalledWith('DTLS failed'), 60_000);
    expect(events.onUp).not.toHaveBeenCalled();
    expect(names.size).toBe(0);
  });
});

test('29: a duplicate first message is answered once', async () => {
  checked();
  const hellos: Buffer[] = [];
  const client = createDtls({
    role: 'client',
    certificate,
    send: (data) => hellos.push(data),
    onKeys: () => {},
    onFailed: () => {},
    onClosed: () => {},
  });
  client.begin();
  await vi.waitFor(() => expect(hellos.length).toBe(1), 60_000);
  out = [];
  // At once, also where the machine does something else between the two.
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  receiver().packet(hellos[0]!, route());
  receiver().packet(hellos[0]!, route());
  now.mockRestore();
  expect(out.length).toBe(1);
  client.close();
});

test('29: an endless handshake is given up', async () => {
  checked();
  const record = Buffer.concat([Buffer.from([22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0]), Buffer.alloc(1024)]);
  for (let i = 0; i < 300 && events.onDown.mock.calls.length === 0; i++) receiver().packet(record, route());
  expect(events.onDown.mock.calls).toEqual([['DTLS failed']]);
});

describe('giving up', () => {
  /** Looks at the connection once a second, between these two numbers of milliseconds after that moment. */
  const look = (sinceMs: number, fromMs: number, toMs: number) => {
    for (let ms = fromMs; ms <= toMs; ms += 1000) peer.tick(sinceMs + ms);
  };

  test('28: ends a connection that is not established, once, 30 s after the description', () => {
    peer.tick(performance.now() + 100_000);
    const described = performance.now();
    peer.describe(remote());
    look(described, 1000, 29_000);
    expect(events.onDown).not.toHaveBeenCalled();
    look(performance.now(), 30_000, 62_000);
    expect(events.onDown.mock.calls).toEqual([['ICE failed']]);
    expect(names.size).toBe(0);
  });

  test('28: ends an established one 20 s after the last check', async () => {
    checked();
    peer.describe(remote());
    await shakeHands();
    await vi.waitFor(() => expect(events.onUp).toHaveBeenCalledOnce(), 60_000);
    const up = performance.now();
    look(up, 1000, 18_000);
    checked();
    look(up, 19_000, 37_000);
    expect(events.onDown).not.toHaveBeenCalled();
    look(up, 38_000, 40_000);
    expect(events.onDown.mock.calls).toEqual([['ICE failed']]);
  });

  test('28: does not happen because the thread was suspended: pending checks are read first', async () => {
    checked();
    peer.describe(remote());
    await shakeHands();
    await vi.waitFor(() => expect(events.onUp).toHaveBeenCalledOnce(), 60_000);
    const up = performance.now();
    peer.tick(up + 1000);
    peer.tick(up + 60_000);
    expect(events.onDown).not.toHaveBeenCalled();
    checked();
    look(up, 61_000, 78_000);
    expect(events.onDown).not.toHaveBeenCalled();
  });

  test('26: leaves a closed connection that neither receives nor sends nor reports', async () => {
    checked();
    peer.describe(remote());
    await shakeHands();
    await vi.waitFor(() => expect(events.onUp).toHaveBeenCalledOnce(), 60_000);
    const own = receiver();
    peer.close();
    out = [];
    expect(
      own.check(check({ username: `${peer.local().ufrag}:theirs`, password: peer.local().password }), route()),
    ).toBe(false);
    peer.send(Buffer.from('x'));
    peer.tick(performance.now() + 100_000);
    expect(out).toEqual([]);
    expect(names.size).toBe(0);
    expect(events.onDown).not.toHaveBeenCalled();
  });
});
