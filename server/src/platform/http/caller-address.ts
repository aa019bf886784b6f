/** Where a connection comes from, by the same rule for calls and for sockets. */
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../config.ts';
import { addressBlock } from '../limits.ts';

/**
 * In the form that Fastify takes. A number means that this many proxies are in front of us, whatever their addresses.
 */
export function trustOf(
  setting: Config['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (setting === false) return false;
  return typeof setting === 'number' ? (_address, hop) => hop < setting : [...setting];
}

/** Whether an address that is this many hops away is that of a trusted proxy. */
function trustedBy(setting: Config['trustProxy']): (address: string, hop: number) => boolean {
  const trust = trustOf(setting);
  return typeof trust === 'function' ? trust : proxyAddr.compile(trust === false || trust === true ? [] : trust);
}

/**
 * Makes a function that returns the address block of the sender of a request, beyond the trusted proxies. For upgrades,
 * which Fastify does not see. Empty if the sender is already gone.
 */
export function createCallerBlock({ trustProxy }: Pick<Config, 'trustProxy'>): (request: IncomingMessage) => string {
  const trusted = trustedBy(trustProxy);
  return (request) => {
    const peer = request.socket.remoteAddress;
    return peer === undefined ? '' : addressBlock(proxyAddr(request, trusted) ?? peer);
  };
}

/** What proxies make: a UUID, hexadecimal digits, base64url. */
const PROXY_ID = /^[\w-]{8,64}$/;

/**
 * Makes a function that returns the id that a trusted proxy gave to a request (`X-Request-Id`), which the proxy's own
 * log uses. Undefined if there is none, or if the sender is not trusted.
 */
export function createProxyId({
  trustProxy,
}: Pick<Config, 'trustProxy'>): (request: IncomingMessage) => string | undefined {
  const trusted = trustedBy(trustProxy);
  return ({ headers, socket }) => {
    const id = headers['x-request-id'];
    if (typeof id !== 'string' || !PROXY_ID.test(id)) return undefined;
    return socket.remoteAddress !== undefined && trusted(socket.remoteAddress, 0) ? id : undefined;
  };
}
