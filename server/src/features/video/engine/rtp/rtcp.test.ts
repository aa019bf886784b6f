/** RTCP as it is written and read, and what hostile packets do. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  RtcpPacketConverter,
  type RtcpPayloadSpecificFeedback,
  type RtcpRrPacket,
  type RtcpSrPacket,
  type RtcpTransportLayerFeedback,
} from 'werift';
import {
  ntpMiddle,
  readRtcp,
  type ReportBlock,
  writeDescription,
  writeFir,
  writeNack,
  writePli,
  writeReceiverReport,
  writeRemb,
  writeSenderReport,
} from './rtcp.ts';

/** Everything that a compound tells, in order. */
function told(compound: Buffer): [wellFormed: boolean, ...unknown[]] {
  const all: unknown[] = [];
  const ok = readRtcp(compound, {
    senderReport: (...given) => all.push(['senderReport', ...given]),
    block: (block) => all.push(['block', block]),
    bye: (ssrc) => all.push(['bye', ssrc]),
    nack: (...given) => all.push(['nack', ...given]),
    keyFrame: (ssrc) => all.push(['keyFrame', ssrc]),
    remb: (bits) => all.push(['remb', bits]),
  });
  return [ok, ...all];
}
const block: ReportBlock = {
  ssrc: 5,
  fractionLost: 25,
  lost: -3,
  highestSequence: 70_000,
  jitter: 12,
  lastReport: 0xabcd_1234,
  delay: 65_536,
};

test('a compound of everything we write is read back', () => {
  const compound = Buffer.concat([
    writeSenderReport({ ssrc: 1, ntpMs: 1_700_000_000_250, rtp: 4_000_000_000, packets: 10, bytes: 1000 }),
    writeReceiverReport(2, [block]),
    writeDescription(1, 'name'),
    writeNack(3, 4, [65_534, 65_535, 0, 14, 15, 40]),
    writePli(3, 6),
    writeFir(3, 7, 300),
    writeRemb(3, 1_200_000, [6, 7]),
  ]);
  expect(told(compound)).toEqual([
    true,
    ['senderReport', 1, 1_700_000_000_250, 4_000_000_000, ntpMiddle(1_700_000_000_250)],
    ['block', block],
    ...[65_534, 65_535, 0, 14, 15, 40].map((sequence) => ['nack', 4, sequence]),
    ['keyFrame', 6],
    ['keyFrame', 7],
    ['remb', 1_200_000],
  ]);
});

test('any lost numbers are requested exactly, across the wrap', () => {
  fc.assert(
    fc.property(fc.nat(65_535), fc.uniqueArray(fc.nat(400), { minLength: 1, maxLength: 60 }), (first, steps) => {
      const lost = steps.sort((a, b) => a - b).map((step) => (first + step) & 0xffff);
      expect(told(writeNack(1, 2, lost))).toEqual([true, ...lost.map((sequence) => ['nack', 2, sequence])]);
    }),
  );
});

test('limits are encoded to a part in 100,000, from nothing to gigabits', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), (bits) => {
      const [, remb] = told(writeRemb(1, bits, [])) as [boolean, [string, number]];
      expect(remb[1]).toBeLessThanOrEqual(bits);
      expect(remb[1]).toBeGreaterThanOrEqual(bits * 0.99999 - 1);
    }),
  );
});

test('a truncated packet or a wrong length is refused, and nothing is read beyond it', () => {
  const compound = Buffer.concat([
    writeReceiverReport(2, [block]),
    writeNack(3, 4, [1, 2, 3]),
    writeRemb(3, 1000, [1]),
  ]);
  for (let length = 1; length < compound.length; length++)
    if (![32, 48].includes(length)) expect(told(compound.subarray(0, length))[0]).toBe(false);
  // More blocks than there are.
  const lying = writeReceiverReport(2, [block]);
  lying[0] = 0x80 | 31;
  expect(told(lying)).toEqual([false]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), fc.integer({ min: 200, max: 206 }), (bytes, type) => {
      // Made to look like a packet, so that its inside is read.
      const packet = Buffer.from(bytes);
      if (packet.length >= 4) {
        packet[0] = 0x80 | (packet[0]! & 0x1f);
        packet[1] = type;
        packet.writeUInt16BE(Math.max(0, Math.floor(packet.length / 4) - 1), 2);
      }
      told(packet);
    }),
    { numRuns: 3000 },
  );
});

test('more blocks than fit are refused; losses are limited to 24 bits', () => {
  expect(() =>
    writeReceiverReport(
      1,
      Array.from({ length: 32 }, () => block),
    ),
  ).toThrow();
  expect(told(writeReceiverReport(1, [{ ...block, lost: 99_999_999 }]))[1]).toEqual([
    'block',
    { ...block, lost: 0x7f_ffff },
  ]);
});

test('werift reads the same', () => {
  // One by one: in a compound werift reads NACK and REMB on beyond their ends.
  const [sr, rr, sdes, pli, remb, nack] = [
    writeSenderReport({ ssrc: 1, ntpMs: 1_700_000_000_250, rtp: 99, packets: 10, bytes: 1000 }),
    writeReceiverReport(2, [{ ...block, lost: 3 }]),
    writeDescription(1, 'name'),
    writePli(3, 6),
    writeRemb(3, 100_000, [6]),
    writeNack(3, 4, [7, 8, 30]),
  ].map((packet) => RtcpPacketConverter.deSerialize(packet)[0]);
  expect((sr as RtcpSrPacket).senderInfo).toMatchObject({ rtpTimestamp: 99, packetCount: 10, octetCount: 1000 });
  expect((rr as RtcpRrPacket).reports[0]).toMatchObject({
    ssrc: 5,
    fractionLost: 25,
    packetsLost: 3,
    highestSequence: 70_000,
    jitter: 12,
    lsr: 0xabcd_1234,
    dlsr: 65_536,
  });
  expect(JSON.stringify(sdes)).toContain('name');
  expect((nack as RtcpTransportLayerFeedback).feedback).toMatchObject({ mediaSourceSsrc: 4, lost: [7, 8, 30] });
  expect((pli as RtcpPayloadSpecificFeedback).feedback).toMatchObject({ senderSsrc: 3, mediaSsrc: 6 });
  expect((remb as RtcpPayloadSpecificFeedback).feedback).toMatchObject({ bitrate: 100_000n, ssrcFeedbacks: [6] });
});
