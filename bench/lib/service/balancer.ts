/**
 * A balancer before several nodes, with the rules of `deploy/caddy` for calls. Every second it asks each node whether
 * it takes people. It gives a new connection to the node with the fewest, and tries again for two seconds if that one
 * does not answer. It does so with sockets too, so that people of one room are on several nodes: `deploy/caddy` leads
 * them to one, which costs the nodes less. It forwards bytes, so the nodes see sockets, each from its own address
 * block, like those of real people.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { loopback } from '../http.ts';
import { sleep } from './processes.ts';

const HEALTH_EVERY_MS = 1000;
const HEALTH_WITHIN_MS = 5000;
const TRY_FOR_MS = 2000;
const TRY_EVERY_MS = 100;
/** After this many the addresses start again. */
const ADDRESSES = 60_000;

export interface Balancer {
  readonly port: number;
  /** Sends new connections to the nodes at these ports; the others stay where they are. */
  use(ports: readonly number[]): void;
}

interface Node {
  readonly port: number;
  takesPeople: boolean;
  connections: number;
}

/** Starts it. It ends with the process. */
export async function startBalancer(): Promise<Balancer> {
  let nodes: Node[] = [];
  let people = 0;

  async function look(node: Node): Promise<void> {
    node.takesPeople = await fetch(`http://127.0.0.1:${node.port}/healthz`, {
      signal: AbortSignal.timeout(HEALTH_WITHIN_MS),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  setInterval(() => {
    for (const node of nodes) void look(node);
  }, HEALTH_EVERY_MS);

  const emptiest = () =>
    nodes
      .filter(({ takesPeople }) => takesPeople)
      .toSorted((a, b) => a.connections - b.connections)
      .at(0);

  async function carry(person: Socket): Promise<void> {
    person.on('error', () => person.destroy());
    const localAddress = loopback(people++ % ADDRESSES);
    for (const until = performance.now() + TRY_FOR_MS; performance.now() < until && !person.destroyed;) {
      const node = emptiest();
      if (node !== undefined) {
        node.connections += 1;
        const way = await reach(node.port, localAddress);
        if (way !== null) {
          way.on('close', () => {
            node.connections -= 1;
            person.destroySoon();
          });
          if (person.destroyed) {
            way.destroy();
            return;
          }
          person.on('close', () => way.destroySoon());
          person.pipe(way);
          way.pipe(person);
          return;
        }
        node.connections -= 1;
      }
      await sleep(TRY_EVERY_MS);
    }
    person.destroy();
  }

  const server = createServer({ noDelay: true }, (person) => void carry(person));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    use(ports) {
      nodes = ports.map(
        (port) => nodes.find((node) => node.port === port) ?? { port, takesPeople: true, connections: 0 },
      );
    },
  };
}

/** Connects to a node; null if nobody answers. */
function reach(port: number, localAddress: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const way = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    way.on('error', () => {
      way.destroy();
      resolve(null);
    });
    way.on('connect', () => resolve(way));
  });
}
