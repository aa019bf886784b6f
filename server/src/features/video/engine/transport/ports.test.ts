/** Sockets shared by many: rules 21 and 26 of the README, over loopback. */
import { createSocket, Socket } from 'node:dgram';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPorts, type Ports, type Receiver } from './ports.ts';
import { check } from './stun.fixture.ts';

let ports: Ports;
const faults = vi.fn<(error: unknown) => void>();
const browsers: Socket[] = [];
beforeEach(async () => {
  vi.resetAllMocks();
  ports = await openPorts({ range: null, publicAddresses: ['127.0.0.1'], loopback: true, onFault: faults });
});
afterEach(async () => {
  await ports.close();
  for (const browser of browsers.splice(0)) browser.close();
});

async function aBrowser(): Promise<{ send(data: Buffer): Promise<void> }> {
  const socket = createSocket('udp4');
  browsers.push(socket);
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = ports.candidates(0)[0]!;
  return { send: (data) => new Promise((resolve) => socket.send(data, port, '127.0.0.1', () => resolve())) };
}
const aReceiver = (alive = true) => ({
  check: vi.fn<Receiver['check']>(() => true),
  packet: vi.fn<Receiver['packet']>(),
  alive: () => alive,
});
const checkFor = (name: string) => check({ username: `${name}:theirs` });

test('21: an address belongs to a peer after a genuine check from it, and nothing is accepted before', async () => {
  const receiver = aReceiver();
  ports.listen('anna', receiver);
  const browser = await aBrowser();
  await browser.send(Buffer.from([0x80, 1]));
  receiver.check.mockReturnValueOnce(false);
  await browser.send(checkFor('anna'));
  await browser.send(Buffer.from([0x80, 2]));
  await browser.send(checkFor('anna'));
  await browser.send(Buffer.from([0x80, 3]));
  await vi.waitFor(() => expect(receiver.packet).toHaveBeenCalled(), 60_000);
  expect(receiver.packet.mock.calls.map(([data]) => data[1])).toEqual([3]);
  expect(ports.known()).toEqual({ names: 1, addresses: 1 });
});

test('21: a live connection keeps its address, even if another claims it; a dead one does not', async () => {
  for (const alive of [true, false]) {
    const [anna, ben] = [aReceiver(alive), aReceiver()];
    ports.listen('anna', anna);
    ports.listen('ben', ben);
    const browser = await aBrowser();
    await browser.send(checkFor('anna'));
    await browser.send(checkFor('ben'));
    await browser.send(Buffer.from([0x80, 1]));
    await vi.waitFor(() => expect(anna.packet.mock.calls.length + ben.packet.mock.calls.length).toBe(1), 60_000);
    expect(anna.packet.mock.calls.length).toBe(alive ? 1 : 0);
    ports.forget(anna);
    ports.forget(ben);
  }
});

test('26: forgetting a peer removes its names and addresses', async () => {
  const receiver = aReceiver();
  const other = aReceiver();
  ports.listen('anna', receiver);
  ports.listen('anna2', receiver);
  ports.listen('ben', other);
  const [one, two] = [await aBrowser(), await aBrowser()];
  await one.send(checkFor('anna2'));
  await two.send(checkFor('ben'));
  await vi.waitFor(() => expect(ports.known()).toEqual({ names: 3, addresses: 2 }), 60_000);
  ports.ignore('anna');
  expect(ports.known()).toEqual({ names: 2, addresses: 2 });
  ports.forget(receiver);
  expect(ports.known()).toEqual({ names: 1, addresses: 1 });
  await one.send(Buffer.from([0x80, 1]));
  await two.send(Buffer.from([0x80, 1]));
  await vi.waitFor(() => expect(other.packet).toHaveBeenCalledOnce(), 60_000);
  expect(receiver.packet).not.toHaveBeenCalled();
});

test('26: one receiver has a maximum of addresses, the newest', async () => {
  const receiver = aReceiver();
  ports.listen('anna', receiver);
  for (let i = 0; i < 20; i++) await (await aBrowser()).send(checkFor('anna'));
  await vi.waitFor(() => expect(receiver.check).toHaveBeenCalledTimes(20), 60_000);
  expect(ports.known().addresses).toBe(16);
  ports.forget(receiver);
  expect(ports.known().addresses).toBe(0);
});

test('21: an error caused by a datagram is reported, and the next one is served', async () => {
  const receiver = aReceiver();
  ports.listen('anna', receiver);
  const browser = await aBrowser();
  await browser.send(checkFor('anna'));
  receiver.packet.mockImplementationOnce(() => {
    throw new Error('hostile');
  });
  await browser.send(Buffer.from([0x80, 1]));
  await browser.send(Buffer.from([0x80, 2]));
  await vi.waitFor(() => expect(receiver.packet).toHaveBeenCalledTimes(2), 60_000);
  expect(faults).toHaveBeenCalledOnce();
});

test('memory of sent packets is free only when no socket holds any', () => {
  expect(ports.idle()).toBe(true);
  const waiting = vi.spyOn(Socket.prototype, 'getSendQueueSize').mockReturnValueOnce(0).mockReturnValueOnce(900);
  expect(ports.idle()).toBe(false);
  waiting.mockRestore();
  expect(ports.idle()).toBe(true);
});
