/** Which of this machine's addresses browsers are told. */
import { BlockList, isIPv6 } from 'node:net';

/**
 * Networks that nobody reaches from outside: private, shared (carrier) and benchmark ones. RFC 1918, 6598, 2544,
 * 4193.
 */
const INNER = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['198.18.0.0', 15],
] as const)
  INNER.addSubnet(network, prefix, 'ipv4');
INNER.addSubnet('fc00::', 7, 'ipv6');

const isInner = (address: string) => INNER.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Chooses among addresses that others can reach. Inner ones tell strangers how a network is built and lead nobody
 * there. So they are told only where their family has no public one: on one machine, in a local network, behind address
 * translation.
 */
export function usefulAddresses(found: readonly string[]): string[] {
  return [...new Set(found)].filter((address) => {
    const family = found.filter((other) => isIPv6(other) === isIPv6(address));
    return !isInner(address) || family.every(isInner);
  });
}
