/**
 * Lines between a page and its server that a journey can spoil: sound and picture (UDP) with seeded losses or another
 * way, all else (TCP) cut. Loopback alone.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket as TcpSocket } from 'node:net';
import type { Page } from '@playwright/test';

const HERE = '127.0.0.1';

/** Numbers 0..1 that are the same at each run. Source: mulberry32, public domain. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface MediaRelay {
  /** The page's sound and picture go through here from now on; to be called before it goes anywhere. */
  leads(page: Page): Promise<void>;
  /** Share of packets that get lost, each way, 0..1. */
  lose(share: number): void;
  /** Another network: the server hears the page from other ports, and nothing comes back to the old ones. */
  move(): void;
  counts(): { passed: number; dropped: number };
  close(): void;
}

/** Takes the seed of its losses. */
export function openMediaRelay(seed: number): MediaRelay {
  const chance = seeded(seed);
  const fronts = new Map<number, Promise<Socket>>();
  /** By the page's port and the server's. */
  const backs = new Map<string, Socket>();
  const counts = { passed: 0, dropped: 0 };
  let loss = 0;
  const carries = () => {
    const lost = loss > 0 && chance() < loss;
    counts[lost ? 'dropped' : 'passed'] += 1;
    return !lost;
  };
  function open(serverPort: number): Promise<Socket> {
    const known = fronts.get(serverPort);
    if (known) return known;
    const front = createSocket('udp4');
    front.on('message', (packet, { address, port }) => {
      const key = `${port} ${serverPort}`;
      let back = backs.get(key);
      if (!back) {
        back = createSocket('udp4');
        back.on('message', (answer) => {
          if (backs.get(key) === back && carries()) front.send(answer, port, address);
        });
        back.on('error', () => undefined);
        backs.set(key, back);
      }
      if (carries()) back.send(packet, serverPort, HERE);
    });
    front.bind(0, HERE);
    const listening = once(front, 'listening').then(() => front);
    fronts.set(serverPort, listening);
    return listening;
  }
  return {
    async leads(page) {
      await page.exposeFunction('wayThrough', async (serverPort: number) => (await open(serverPort)).address().port);
      await page.addInitScript(() => {
        const wayThrough = (window as unknown as { wayThrough(port: number): Promise<number> }).wayThrough;
        const original = RTCPeerConnection.prototype.setRemoteDescription as (
          this: RTCPeerConnection,
          description: RTCSessionDescriptionInit,
        ) => Promise<void>;
        RTCPeerConnection.prototype.setRemoteDescription = async function setRemoteDescription(
          this: RTCPeerConnection,
          description: RTCSessionDescriptionInit,
        ) {
          let sdp = description.sdp ?? '';
          const ports = new Set(
            [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ \S+ (\d+) typ host.*\r\n/gim)].map(([, port]) => Number(port)),
          );
          sdp = sdp.replaceAll(/^a=candidate:.*\r\n/gm, '');
          let number = 0;
          for (const port of ports)
            sdp = sdp.replace(
              /^a=mid:.*\r\n/m,
              `$&a=candidate:${++number} 1 udp ${2_130_706_431 - number} 127.0.0.1 ${await wayThrough(port)} typ host\r\n`,
            );
          return original.call(this, { type: description.type, sdp });
        } as RTCPeerConnection['setRemoteDescription'];
      });
    },
    lose(share) {
      loss = share;
    },
    move() {
      for (const back of backs.values()) back.close();
      backs.clear();
    },
    counts: () => ({ ...counts }),
    close() {
      for (const back of backs.values()) back.close();
      backs.clear();
      for (const front of fronts.values()) void front.then((socket) => socket.close());
    },
  };
}

export interface PageLine {
  /** Where the page finds the server. */
  readonly url: string;
  /** Cuts connections whose first line fits silently, as a network does. Returns how many. */
  cut(fits: RegExp): number;
  close(): Promise<void>;
}

/** Takes the server's address. */
export async function openPageLine(serverUrl: string): Promise<PageLine> {
  const { port: serverPort } = new URL(serverUrl);
  const open = new Map<TcpSocket, { first: string; back: TcpSocket }>();
  const server = createServer((front) => {
    const back = connect(Number(serverPort), HERE);
    const line = { first: '', back };
    open.set(front, line);
    front.once('data', (bytes) => {
      line.first = bytes.toString('latin1').split('\r\n', 1)[0] ?? '';
    });
    front.pipe(back);
    back.pipe(front);
    const end = () => {
      open.delete(front);
      front.destroy();
      back.destroy();
    };
    for (const socket of [front, back]) socket.on('error', end).on('close', end);
  });
  server.listen(0, HERE);
  await once(server, 'listening');
  return {
    url: `http://${HERE}:${(server.address() as AddressInfo).port}`,
    cut(fits) {
      const cut = [...open].filter(([, { first }]) => fits.test(first));
      for (const [front, { back }] of cut) {
        front.resetAndDestroy();
        back.resetAndDestroy();
      }
      return cut.length;
    },
    async close() {
      for (const [front, { back }] of open) {
        front.destroy();
        back.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}
