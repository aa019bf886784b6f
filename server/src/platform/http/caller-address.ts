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

/**
 * Makes a function that returns the address block of the sender of a request, beyond the trusted proxies. For upgrades,
 * which Fastify does not see. Empty if the sender is already gone.
 */
export function createCallerBlock({ trustProxy }: Pick<Config, 'trustProxy'>): (request: IncomingMessage) => string {
  const trust = trustOf(trustProxy);
  const trusted =
    typeof trust === 'function' ? trust : proxyAddr.compile(trust === false || trust === true ? [] : trust);
  return (request) => {
    const peer = request.socket.remoteAddress;
    return peer === undefined ? '' : addressBlock(proxyAddr(request, trusted) ?? peer);
  };
}
