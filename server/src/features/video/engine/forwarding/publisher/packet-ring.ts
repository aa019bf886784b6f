/**
 * A layer's latest packets, for retransmission: one ring for all receivers of the layer, by the publisher's own
 * (unwrapped) numbers. Each subscriber keeps the mapping to its own numbers. Bounded by count, bytes and age.
 */

/** Maximum number of packets: at 1,200 kbit/s more than two seconds. */
const KEPT_MAX = 512;
const MASK = KEPT_MAX - 1;

export interface Kept {
  /** Unwrapped. */
  sequence: number;
  payload: Buffer;
  arrivedMs: number;
}

export interface Ring<Packet extends Kept> {
  /** Adds a packet; the oldest ones make room. */
  put(packet: Packet): void;
  /** Returns the packet of that number; null when it is not kept (any more). */
  get(sequence: number, nowMs: number): Packet | null;
  /** Drops packets that are too old. */
  tidy(nowMs: number): void;
  bytes(): number;
  clear(): void;
}

/** Takes the maximum bytes of payload and the maximum age. */
export function createRing<Packet extends Kept>(maxBytes: number, maxMs: number): Ring<Packet> {
  const kept = Array.from<Packet | null>({ length: KEPT_MAX }).fill(null);
  let newest = -1;
  /** Nothing older than this is kept. */
  let oldest = 0;
  let bytes = 0;

  function drop(place: number): void {
    const packet = kept[place];
    if (packet === null || packet === undefined) return;
    bytes -= packet.payload.length;
    kept[place] = null;
  }
  function dropBefore(sequence: number): void {
    // After a jump by more than the ring holds, look at each place once.
    for (let old = Math.max(oldest, sequence - KEPT_MAX); old < sequence; old++) {
      const packet = kept[old & MASK];
      if (packet && packet.sequence < sequence) drop(old & MASK);
    }
    oldest = Math.max(oldest, sequence);
  }

  return {
    put(packet) {
      if (packet.sequence <= newest - KEPT_MAX || packet.sequence < oldest) return;
      if (newest < 0) oldest = packet.sequence;
      if (packet.sequence > newest) {
        newest = packet.sequence;
        if (newest - oldest >= KEPT_MAX) dropBefore(newest - KEPT_MAX + 1);
      }
      drop(packet.sequence & MASK);
      kept[packet.sequence & MASK] = packet;
      bytes += packet.payload.length;
      while (bytes > maxBytes && oldest < newest) dropBefore(oldest + 1);
    },
    get(sequence, nowMs) {
      const packet = kept[sequence & MASK];
      return packet && packet.sequence === sequence && nowMs - packet.arrivedMs <= maxMs ? packet : null;
    },
    tidy(nowMs) {
      while (oldest < newest) {
        const packet = kept[oldest & MASK];
        if (packet && packet.sequence === oldest && nowMs - packet.arrivedMs <= maxMs) return;
        dropBefore(oldest + 1);
      }
    },
    bytes() {
      return bytes;
    },
    clear() {
      kept.fill(null);
      bytes = 0;
      oldest = newest + 1;
    },
  };
}
