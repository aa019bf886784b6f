/**
 * Faults in the network between a page and its server, on loopback: a relay for audio and video (UDP) that loses
 * packets or changes ports, and a slow connection for the room's messages from the server. Everything else (TCP) goes
 * through `server/tests/support/programs/chaos-proxy.ts`.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Page } from '@playwright/test';
import { seeded } from '../../server/tests/support/seeded.ts';

const LOOPBACK = '127.0.0.1';

export interface MediaRelay {
  /** Sends the page's audio and video through the relay. Call it before the page opens anything. */
  route(page: Page): Promise<void>;
  /** Sets the share of packets that get lost each way, from 0 to 1. */
  lose(share: number): void;
  /** Simulates another network: the server sees the page at other ports, and packets to the old ones are lost. */
  changePorts(): void;
  counts(): { passed: number; dropped: number };
  close(): void;
}

/** Takes the seed for the random loss. */
export function openMediaRelay(seed: number): MediaRelay {
  const chance = seeded(seed);
  /** Sockets towards the page, by the server's port. */
  const fronts = new Map<number, Promise<Socket>>();
  /** Sockets towards the server, by the page's port and the server's. */
  const backs = new Map<string, Socket>();
  const counts = { passed: 0, dropped: 0 };
  let loss = 0;
  const passes = () => {
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
          if (backs.get(key) === back && passes()) front.send(answer, port, address);
        });
        back.on('error', () => undefined);
        backs.set(key, back);
      }
      if (passes()) back.send(packet, serverPort, LOOPBACK);
    });
    front.bind(0, LOOPBACK);
    const listening = once(front, 'listening').then(() => front);
    fronts.set(serverPort, listening);
    return listening;
  }
  return {
    async route(page) {
      await page.exposeFunction('relayPort', async (serverPort: number) => (await open(serverPort)).address().port);
      await page.addInitScript(() => {
        const relayPort = (window as unknown as { relayPort(port: number): Promise<number> }).relayPort;
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
          for (const port of ports) {
            number += 1;
            const address = `127.0.0.1 ${await relayPort(port)} typ host`;
            const candidate = `a=candidate:${number} 1 udp ${2_130_706_431 - number} ${address}`;
            sdp = sdp.replace(/^a=mid:.*\r\n/m, `$&${candidate}\r\n`);
          }
          return original.call(this, { type: description.type, sdp });
        } as RTCPeerConnection['setRemoteDescription'];
      });
    },
    lose(share) {
      loss = share;
    },
    changePorts() {
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

/**
 * Lets a test hold back the server's messages to a page, like a slow connection: all of them, or those that contain a
 * word. Call it before the page opens a connection.
 */
export async function slowLine(page: Page, word = ''): Promise<{ hold(): void; release(): void }> {
  let kept: (() => void)[] | null = null;
  await page.routeWebSocket(/websocket/, (browser) => {
    const server = browser.connectToServer();
    server.onMessage((message) => {
      if (kept === null || !String(message).includes(word)) browser.send(message);
      else kept.push(() => browser.send(message));
    });
  });
  return {
    hold: () => void (kept = []),
    release() {
      const late = kept ?? [];
      kept = null;
      for (const pass of late) pass();
    },
  };
}
