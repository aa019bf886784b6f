/**
 * Statistics of a received stream: losses and jitter for receiver reports (RFC 3550, A.3 and A.8), and the stream's
 * place in time from sender reports.
 */
import { ahead32 } from '../../rtp/sequence-numbers.ts';
import type { ReportBlock } from '../../rtp/rtcp.ts';

export interface Reception {
  /**
   * Takes a packet that is no duplicate: unwrapped number, timestamp, and whether it came only because it was
   * requested.
   */
  arrived(sequence: number, timestamp: number, nowMs: number, again?: boolean): void;
  /** Takes a sender report of the stream. */
  reported(ntpMs: number, rtp: number, ntpMiddle: number, nowMs: number): void;
  /** Returns what to report; the share lost counts since the last report. Null before the first packet. */
  report(ssrc: number, nowMs: number): ReportBlock | null;
  /** The time of the publisher's clock (ms since 1970) at a timestamp; null before a sender report. */
  captured(timestamp: number): number | null;
  /** The timestamp at a time of the publisher's clock; null before a sender report. */
  timestampAt(ntpMs: number): number | null;
  lost(): number;
  jitterMs(): number;
}

/**
 * Takes the timestamp's ticks per second, and whether the share lost counts repaired packets as lost. Browsers set the
 * redundancy of audio by that share, and the bitrate by the total, which always counts only what stayed lost.
 */
export function createReception(clockRate: number, countsRepaired = false): Reception {
  let first = -1;
  let newest = -1;
  let received = 0;
  let expectedBefore = 0;
  let receivedBefore = 0;
  let mended = 0;
  let jitter = 0;
  let transit: number | null = null;
  let clock: { ntpMs: number; rtp: number; middle: number; atMs: number } | null = null;
  const expected = () => (first < 0 ? 0 : newest - first + 1);

  return {
    arrived(sequence, timestamp, nowMs, again = false) {
      if (first < 0) first = sequence;
      newest = Math.max(newest, sequence);
      received++;
      if (again) {
        mended++;
        // It travelled for as long as we took to request it.
        return;
      }
      const ticks = Math.round((nowMs * clockRate) / 1000);
      // The difference of two transit times; each alone means nothing, because both clocks wrap.
      const now = (ticks - timestamp) | 0;
      if (transit !== null) jitter += (Math.min(Math.abs(ahead32(now, transit)), clockRate) - jitter) / 16;
      transit = now;
    },
    reported(ntpMs, rtp, middle, nowMs) {
      clock = { ntpMs, rtp, middle, atMs: nowMs };
    },
    report(ssrc, nowMs) {
      if (first < 0) return null;
      const expectedNow = expected() - expectedBefore;
      const lostNow = expectedNow - (received - receivedBefore) + (countsRepaired ? mended : 0);
      mended = 0;
      expectedBefore = expected();
      receivedBefore = received;
      return {
        ssrc,
        fractionLost: expectedNow <= 0 || lostNow <= 0 ? 0 : Math.min(255, Math.floor((lostNow * 256) / expectedNow)),
        lost: expected() - received,
        // The low half is the number, the high half counts the wraps; the first turn is not counted.
        highestSequence: (newest - Math.floor(first / 0x1_0000) * 0x1_0000) >>> 0,
        jitter: Math.floor(jitter),
        lastReport: clock?.middle ?? 0,
        delay: clock === null ? 0 : Math.round(((nowMs - clock.atMs) * 0x1_0000) / 1000) >>> 0,
      };
    },
    captured: (timestamp) => (clock === null ? null : clock.ntpMs + (ahead32(timestamp, clock.rtp) * 1000) / clockRate),
    timestampAt: (ntpMs) =>
      clock === null ? null : (clock.rtp + Math.round(((ntpMs - clock.ntpMs) * clockRate) / 1000)) >>> 0,
    lost() {
      return Math.max(0, expected() - received);
    },
    jitterMs() {
      return (jitter * 1000) / clockRate;
    },
  };
}
