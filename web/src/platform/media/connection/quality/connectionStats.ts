/** The browser's connection statistics as plain numbers. Source: W3C WebRTC statistics (webrtc-stats). */

/** One received stream since its connection began. */
export interface Inbound {
  at: string;
  kind: 'audio' | 'video';
  /** The SSRC; a new one counts from zero. */
  source: number;
  bytes: number;
  packets: number;
  lost: number;
  frames: number;
  /** null if the browser does not count key frames. */
  keyFrames: number | null;
  width: number;
  height: number;
}
export interface Counted {
  inbound: Inbound[];
  /** Round trip in seconds; null while unknown. */
  roundTripSeconds: number | null;
  /** Share of this browser's packets that the server did not get, 0..1; null while nothing is sent. */
  lossOut: number | null;
  /** The browser's estimate of what it can send, in bit/s; null while unknown. */
  availableOut: number | null;
}

const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

/** Reads the statistics of a connection; all zero or null when there is none. */
export async function count(pc: RTCPeerConnection | null): Promise<Counted> {
  const counted: Counted = { inbound: [], roundTripSeconds: null, lossOut: null, availableOut: null };
  if (!pc || pc.connectionState === 'closed') return counted;
  const report = await pc.getStats().catch(() => new Map<string, Record<string, unknown>>());
  report.forEach((entry: Record<string, unknown>) => {
    if (
      entry.type === 'inbound-rtp' &&
      typeof entry.mid === 'string' &&
      (entry.kind === 'audio' || entry.kind === 'video')
    )
      counted.inbound.push({
        at: entry.mid,
        kind: entry.kind,
        source: number(entry.ssrc),
        bytes: number(entry.bytesReceived),
        packets: number(entry.packetsReceived),
        lost: Math.max(0, number(entry.packetsLost)),
        frames: number(entry.framesDecoded),
        keyFrames: typeof entry.keyFramesDecoded === 'number' ? entry.keyFramesDecoded : null,
        width: number(entry.frameWidth),
        height: number(entry.frameHeight),
      });
    else if (
      entry.type === 'candidate-pair' &&
      (entry.nominated === true || entry.selected === true) &&
      entry.state === 'succeeded'
    ) {
      if (typeof entry.currentRoundTripTime === 'number') counted.roundTripSeconds = entry.currentRoundTripTime;
      if (typeof entry.availableOutgoingBitrate === 'number') counted.availableOut = entry.availableOutgoingBitrate;
    } else if (entry.type === 'remote-inbound-rtp' && typeof entry.fractionLost === 'number')
      counted.lossOut = Math.max(counted.lossOut ?? 0, entry.fractionLost);
  });
  return counted;
}
