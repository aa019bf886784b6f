/**
 * The UDP sockets of one thread, shared by all its peers. A datagram's peer is found by the name in its connectivity
 * check, and from then on by its source address. A thread therefore needs one to four ports however many people it
 * serves.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { usefulAddresses } from './addresses.ts';
import { readBindingRequest, isStun } from './stun.ts';

/** One of our sockets; a route is a socket plus the other side's address. */
export interface Port {
  readonly socket: Socket;
  /** Drops instead of queueing when the kernel takes no more: late media is useless, and memory is bounded. */
  send(bytes: Buffer, remotePort: number, address: string): void;
  readonly number: number;
  readonly index: number;
}

/** A path to a peer: from which of our sockets to which address. */
export interface Route {
  readonly port: Port;
  readonly address: string;
  readonly remotePort: number;
}

/** A receiver of datagrams: a peer, as the sockets know it. */
export interface Receiver {
  /**
   * A connectivity check for one of its names. Returns true when it is genuine; from then on the address is this
   * receiver's.
   */
  check(data: Buffer, route: Route): boolean;
  /**
   * Whether it was heard of lately. Then its addresses are not given to another receiver that claims them (with a
   * forged source address).
   */
  alive(): boolean;
  /** Any other datagram from an address that passed a check. */
  packet(data: Buffer, route: Route): void;
}

export interface Candidate {
  address: string;
  port: number;
}

export interface Ports {
  /** Candidates for a peer: each of our addresses with one of the ports, which differs from peer to peer. */
  candidates(peer: number): Candidate[];
  /** Sends checks for this name to the receiver from now on. */
  listen(name: string, receiver: Receiver): void;
  /** Stops answering checks for this name; addresses that passed one stay. */
  ignore(name: string): void;
  /** Forgets all names and addresses of a receiver. */
  forget(receiver: Receiver): void;
  /** Whether the sockets hold nothing unsent: the memory of all packets so far may be reused. */
  idle(): boolean;
  /** Number of names and addresses known; for the leak test. */
  known(): { names: number; addresses: number };
  close(): Promise<void>;
}

export interface PortsOptions {
  range: readonly [number, number] | null;
  publicAddresses: readonly string[];
  loopback: boolean;
  /** An error that a datagram caused; the datagram is dropped. */
  onFault(error: unknown): void;
}

/**
 * Maximum number of sockets per thread: more sockets share more of the kernel's receive buffers, which are small by
 * default.
 */
const SOCKETS_MAX = 4;
/** Requested size; the kernel grants up to `rmem_max`. */
const RECEIVE_BUFFER = 4 << 20;
/** Maximum bytes waiting to be sent: a tenth of a second of a full room. */
const QUEUE_BYTES_MAX = 1 << 20;
/** Maximum number of addresses per peer; a moving phone has a handful. */
const ADDRESSES_MAX = 16;

/**
 * This machine's addresses that others can use. Link-local ones are left out: they need a scope that SDP cannot
 * express.
 */
function hostAddresses(loopback: boolean): string[] {
  const reachable = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address, internal }) => !internal && !/^(fe80:|169\.254\.)/i.test(address))
    .map(({ address }) => address);
  const found = usefulAddresses(reachable);
  // A machine without a network still serves itself.
  return loopback || found.length === 0 ? [...new Set([...found, '127.0.0.1'])] : found;
}

const bound = (socket: Socket, port: number, address: string) =>
  new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind({ port, address, exclusive: true }, () => resolve(true));
  });

/**
 * Opens the sockets. Takes the thread's port range and the addresses to announce. Throws when the range has no free
 * port. Sockets are bound to all addresses of a family, so that a peer that changes its network keeps its port and the
 * system chooses the route of answers.
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
    // Addresses are always numeric: the default lookup would cost a turn of the event loop per packet.
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
    // A refused datagram (somebody closed their browser) is reported as an error on the socket; the consent timer
    // handles it.
    socket.on('error', () => {});
    let sent = 0;
    let congested = false;
    const port: Port = {
      socket,
      number: socket.address().port,
      index: routesOf.length,
      send(bytes, remotePort, to) {
        // The query costs a tenth of a send.
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
    // One port number for both families. The second family may be missing on this machine, the first may not, so its
    // number is used.
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
