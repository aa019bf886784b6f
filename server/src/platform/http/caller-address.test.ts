/** The address of a caller behind proxies. */
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createCallerBlock, createProxyId } from './caller-address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

test.each([
  [false, '203.0.113.5', '192.0.2.1', '203.0.113.5'],
  [['loopback'], '127.0.0.1', '192.0.2.1', '192.0.2.1'],
  [['loopback'], '203.0.113.5', '192.0.2.1', '203.0.113.5'],
  [1, '10.0.0.1', '198.51.100.9, 192.0.2.1', '192.0.2.1'],
  [2, '10.0.0.1', '198.51.100.9, 192.0.2.1', '198.51.100.9'],
  [false, '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  [false, undefined, undefined, ''],
] as const)('with the proxies %j a socket from %s that tells %s counts as %s', (trustProxy, peer, forwarded, block) => {
  expect(createCallerBlock({ trustProxy })(request(peer, forwarded))).toBe(block);
});

test.each([
  [false, '127.0.0.1', 'f3b1-proxy-id', undefined],
  [1, '10.0.0.1', 'f3b1-proxy-id', 'f3b1-proxy-id'],
  [['loopback'], '127.0.0.1', 'f3b1-proxy-id', 'f3b1-proxy-id'],
  [['loopback'], '203.0.113.5', 'f3b1-proxy-id', undefined],
  [1, '10.0.0.1', 'short', undefined],
  [1, '10.0.0.1', 'x'.repeat(65), undefined],
  [1, '10.0.0.1', 'anna@mail.example', undefined],
  [1, undefined, 'f3b1-proxy-id', undefined],
] as const)(
  'with the proxies %j the id that a socket from %s gives (%s) counts as %s',
  (trustProxy, peer, given, id) => {
    const from = { socket: { remoteAddress: peer }, headers: { 'x-request-id': given } } as unknown as IncomingMessage;
    expect(createProxyId({ trustProxy })(from)).toBe(id);
  },
);
