/** Which of this machine's addresses browsers are told. */
import { expect, test } from 'vitest';
import { usefulAddresses } from './addresses.ts';

test.each([
  [
    'a server with containers and an inner network',
    ['203.0.113.9', '10.0.0.4', '172.17.0.1', '192.168.7.2', '100.64.0.9'],
    ['203.0.113.9'],
  ],
  ['both families', ['203.0.113.9', '10.0.0.4', '2001:db8::9', 'fd12:3456::1'], ['203.0.113.9', '2001:db8::9']],
  ['a machine in a local network', ['192.168.7.2', '172.17.0.1'], ['192.168.7.2', '172.17.0.1']],
  [
    'a home: inner by the old protocol, public by the new one',
    ['192.168.7.2', '2001:db8::9', 'fd12:3456::1'],
    ['192.168.7.2', '2001:db8::9'],
  ],
  [
    'networks beside the private ones',
    ['172.15.0.1', '172.32.0.1', '100.128.0.1', '11.0.0.1', '172.31.0.1'],
    ['172.15.0.1', '172.32.0.1', '100.128.0.1', '11.0.0.1'],
  ],
  ['the same address on two interfaces', ['203.0.113.9', '203.0.113.9'], ['203.0.113.9']],
  ['no network', [], []],
])('25: internal addresses are offered only if there is nothing better: %s', (_where, found, told) => {
  expect(usefulAddresses(found)).toEqual(told);
});
