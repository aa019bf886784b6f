/**
 * The UDP sockets of one thread, shared by all its peers: who a datagram belongs to is told by the name in the connectivity check
 * and from then on by the address it comes from. So a thread needs one to four ports however many people it serves.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { readBindingRequest, isStun } from './stun.ts';

/** One socket of ours; a route is a socket together with the other side's address. */
export interface Port {
  readonly socket: Socket;
  /** Drops instead of queueing once the kernel takes no more: late media is worth nothing, and memory is bounded. */
  send(bytes: Buffer, remotePort: number, address: string): void;
  readonly number: number;
  readonly index: number;
}

/** A way to somebody: from which of our sockets to which address. */
export interface Route {
  readonly port: Port;
  readonly address: string;
  readonly remotePort: number;
}

/** Who receives datagrams. */
export interface Receiver {
  /** A connectivity check for one of its names; true when it was genuine, and the address is from now on this receiver's. */
  check(data: Buffer, route: Route): boolean;
  /** Whether it was heard of lately: then its addresses are not given to another who claims them (by a forged sender). */
  alive(): boolean;
  /** Anything else from an address that passed a check. */
  packet(data: Buffer, route: Route): void;
}

export interface Candidate {
  address: string;
  port: number;
}

export interface Ports {
  /** Where a peer is told to send: each of our addresses at one of the ports, which differs from peer to peer. */
  candidates(peer: number): Candidate[];
  /** From now on checks for this name go to the receiver. */
  listen(name: string, receiver: Receiver): void;
  /** Checks for this name are no longer answered; addresses that passed one stay. */
  ignore(name: string): void;
  /** Forgets all names and addresses of a receiver. */
  forget(receiver: Receiver): void;
  /** Whether the sockets hold nothing that was sent: memory of all packets so far may be used again. */
  idle(): boolean;
  /** Names and addresses known; for the leak test. */
  known(): { names: number; addresses: number };
  close(): Promise<void>;
}

export interface PortsOptions {
  range: readonly [number, number] | null;
  publicAddresses: readonly string[];
  loopback: boolean;
  /** Something that a datagram brought down; the datagram is dropped. */
  onFault(error: unknown): void;
}

/** Sockets a thread opens at most: more of them share the kernel's receive buffers, which are small by default. */
const SOCKETS_MAX = 4;
/** Asked for; the kernel grants what `rmem_max` allows. */
const RECEIVE_BUFFER = 4 << 20;
/** What may wait to be sent when the network takes no more: a tenth of a second of a full room. */
const QUEUE_BYTES_MAX = 1 << 20;
/** Addresses one peer may come from at a time; a phone that moves has a handful. */
const ADDRESSES_MAX = 16;

/** This machine's addresses that others can reach; link-local ones are left out, they need a scope that SDP can't say. */
function hostAddresses(loopback: boolean): string[] {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address, internal }) => !internal && !/^(fe80:|169\.254\.)/i.test(address))
    .map(({ address }) => address);
  // A machine without a network still serves itself.
  return loopback || found.length === 0 ? [...new Set([...found, '127.0.0.1'])] : found;
}

const bound = (socket: Socket, port: number, address: string) =>
  new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind({ port, address, exclusive: true }, () => resolve(true));
  });

/**
 * Opens the sockets. Throws when the range has no free port.
 * In: the range this thread may use, the addresses to announce. Sockets are bound to all addresses of a family at once, so that a peer that
 * changes its network keeps its port, and answers leave by the way the system routes them.
 */
export async function openPorts({ range, publicAddresses, loopback, onFault }: PortsOptions): Promise<Ports> {
  const addresses =
    publicAddresses.length > 0
      ? [...new Set([...publicAddresses, ...(loopback ? ['127.0.0.1'] : [])])]
      : hostAddresses(loopback);
  const families = ([4, 6] as const).filter((family) =>
    addresses.some((address) => address.includes(':') === (family === 6)),
  );
  const names = new Map<string, Receiver>();
  const held = new Map<Receiver, { names: Set<string>; keys: Set<string> }>();
  const open: Port[][] = [];
  const routesOf: Map<string, { receiver: Receiver; route: Route }>[] = [];

  const received = (port: Port, data: Buffer, from: RemoteInfo) => {
    const routes = routesOf[port.index]!;
    const key = `${from.address}|${from.port}`;
    if (!isStun(data)) {
      const known = routes.get(key);
      if (known) known.receiver.packet(data, known.route);
      return;
    }
    const request = readBindingRequest(data);
    if (!request) return;
    const receiver = names.get(request.username.split(':', 1)[0]!);
    if (!receiver) return;
    const known = routes.get(key);
    if (known && known.receiver !== receiver && known.receiver.alive()) return;
    const route = known?.receiver === receiver ? known.route : { port, address: from.address, remotePort: from.port };
    if (!receiver.check(data, route) || known?.receiver === receiver) return;
    const keys = held.get(receiver)!.keys;
    const mapKey = `${port.index} ${key}`;
    if (keys.size >= ADDRESSES_MAX) {
      const oldest = keys.values().next().value!;
      keys.delete(oldest);
      const [index = '', rest = ''] = oldest.split(' ');
      routesOf[Number(index)]!.delete(rest);
    }
    if (known) held.get(known.receiver)?.keys.delete(mapKey);
    keys.add(mapKey);
    routes.set(key, { receiver, route });
  };

  async function openSocket(family: 4 | 6, number: number): Promise<Port | null> {
    // Addresses are numbers always: the default look-up would cost a turn of the event loop for every packet.
    const lookup = (host: string, _options: unknown, done: (error: null, address: string, family: number) => void) =>
      done(null, host, family);
    const socket = createSocket({
      type: family === 4 ? 'udp4' : 'udp6',
      ipv6Only: family === 6,
      recvBufferSize: RECEIVE_BUFFER,
      lookup: lookup as never,
    });
    if (!(await bound(socket, number, family === 4 ? '0.0.0.0' : '::'))) {
      socket.removeAllListeners();
      socket.on('error', () => {});
      try {
        socket.close();
      } catch {
        // It never opened.
      }
      return null;
    }
    socket.removeAllListeners('error');
    // A refused datagram (somebody closed their browser) is reported as an error on the socket; the consent timer deals with it.
    socket.on('error', () => {});
    let sent = 0;
    let congested = false;
    const port: Port = {
      socket,
      number: socket.address().port,
      index: routesOf.length,
      send(bytes, remotePort, to) {
        // Asking costs as much as a tenth of a send.
        if ((++sent & 31) === 0 || congested) congested = socket.getSendQueueSize() > QUEUE_BYTES_MAX;
        if (!congested) socket.send(bytes, remotePort, to);
      },
    };
    routesOf.push(new Map());
    socket.on('message', (data, from) => {
      // One hostile datagram must not end a room.
      try {
        received(port, data, from);
      } catch (error) {
        onFault(error);
      }
    });
    return port;
  }

  const wanted = range ? Math.min(SOCKETS_MAX, range[1] - range[0] + 1) : SOCKETS_MAX;
  const numbers = range
    ? Array.from({ length: range[1] - range[0] + 1 }, (_, i) => range[0] + i)
    : Array.from({ length: SOCKETS_MAX }, () => 0);
  for (const number of numbers) {
    if (open.length === wanted) break;
    // One port number for both families. The second may be missing on this machine, the first may not: its number is taken then.
    const first = await openSocket(families[0]!, number);
    if (!first) continue;
    const second = families[1] && (await openSocket(families[1], first.number));
    open.push(second ? [first, second] : [first]);
  }
  if (open.length === 0)
    throw new Error(range ? `No free UDP port from ${range[0]} to ${range[1]}` : 'No UDP port can be opened');

  return {
    candidates(peer) {
      const group = open[peer % open.length]!;
      return addresses.flatMap((address) => {
        const port = group.find(({ socket }) => socket.address().family === (address.includes(':') ? 'IPv6' : 'IPv4'));
        return port ? [{ address, port: port.number }] : [];
      });
    },
    listen(name, receiver) {
      names.set(name, receiver);
      const own = held.get(receiver) ?? { names: new Set<string>(), keys: new Set<string>() };
      own.names.add(name);
      held.set(receiver, own);
    },
    ignore(name) {
      const receiver = names.get(name);
      if (!receiver) return;
      names.delete(name);
      held.get(receiver)?.names.delete(name);
    },
    forget(receiver) {
      const own = held.get(receiver);
      if (!own) return;
      held.delete(receiver);
      for (const name of own.names) names.delete(name);
      for (const mapKey of own.keys) {
        const [index = '', key = ''] = mapKey.split(' ');
        routesOf[Number(index)]!.delete(key);
      }
    },
    idle: () => open.every((group) => group.every(({ socket }) => socket.getSendQueueSize() === 0)),
    known: () => ({ names: names.size, addresses: routesOf.reduce((sum, routes) => sum + routes.size, 0) }),
    close: async () => {
      await Promise.all(open.flat().map(({ socket }) => new Promise<void>((resolve) => socket.close(() => resolve()))));
    },
  };
}
