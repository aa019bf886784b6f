/** The rules of deploy/coturn: where a relay leads, and where it does not. */
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { expect, test } from 'vitest';

/** An address as its bytes. */
function bytesOf(address: string): number[] {
  if (!isIPv6(address)) return address.split('.').map(Number);
  const mapped = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const pair = (high: string | undefined, low: string | undefined) => ((Number(high) << 8) | Number(low)).toString(16);
  const text = mapped ? `${mapped[1]}${pair(mapped[2], mapped[3])}:${pair(mapped[4], mapped[5])}` : address;
  const [head = '', tail = ''] = text.split('::');
  const words = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));
  const [before, after] = [words(head), words(tail)];
  const all = text.includes('::')
    ? [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
    : before;
  return all.flatMap((word) => [word >> 8, word & 0xff]);
}

const text = readFileSync(new URL('../../../../../deploy/coturn/turnserver.conf', import.meta.url), 'utf8');
const ranges = [...text.matchAll(/^denied-peer-ip=([^-\s]+)(?:-(\S+))?$/gm)].map(([, from = '', to = from]) => ({
  from,
  to,
}));

/** As coturn compares (ns_turn_ioaddr.c): IPv6 byte by byte, each for itself. */
const isDenied = (address: string) =>
  ranges.some(({ from, to }) => {
    const [low, high, given] = [bytesOf(from), bytesOf(to), bytesOf(address)];
    return low.length === given.length && given.every((byte, at) => byte >= low[at]! && byte <= high[at]!);
  });

test.each([
  '0.1.2.3',
  '10.0.0.4',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.7.2',
  '198.18.0.1',
  '255.255.255.255',
  '::1',
  '::127.0.0.1',
  '::10.0.0.0',
  '::ffff:10.0.0.4',
  '::ffff:127.0.0.1',
  '64:ff9b::10.0.0.4',
  '64:ff9b:1::a00:4',
  '2002:a00:4::1',
  '2001:0:53aa:64c::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
])('a relay does not lead to %s', (address) => expect(isDenied(address)).toBe(true));

test.each(['203.0.112.1', '8.8.8.8', '100.128.0.1', '172.32.0.1', '2a01:4f8::1', '2001:4860:4860::8888', '2600::1'])(
  'a relay leads to %s',
  (address) => expect(isDenied(address)).toBe(false),
);

test('no range has an end that coturn treats as open, which would deny everything', () => {
  for (const { from, to } of ranges) {
    // An IPv4 range from 0.0.0.0 ends at its own end and holds no IPv6 address.
    if (isIPv6(from))
      expect(
        bytesOf(from).some((byte) => byte !== 0),
        from,
      ).toBe(true);
    expect(
      bytesOf(to).some((byte) => byte !== 0),
      to,
    ).toBe(true);
  }
});
