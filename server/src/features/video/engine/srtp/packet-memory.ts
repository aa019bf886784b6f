/**
 * Memory for packets, cut from larger pieces: a slice costs a tenth of an allocation. Packets that are kept for
 * retransmission never share a piece with outgoing ones: they would hold all of it.
 */
const PIECE_BYTES = 128 * 1024;
/** Larger packets get memory of their own. */
const SLICE_MAX = 8 * 1024;

export interface Slab {
  /** Where the next slice will be: write there, by bytes or by words, then `take` it. Valid after `reserve`. */
  memory: Buffer;
  words: Int32Array;
  /** On a word boundary. */
  at: number;
  /** Makes sure that this many bytes are free behind `at`, not zeroed. */
  reserve(bytes: number): void;
  /** Returns the slice of that many bytes from `at`. */
  take(bytes: number): Buffer;
  /**
   * Sets how to know that nobody holds a slice any more; then the piece is reused. For outgoing packets: as soon as the
   * sockets have nothing waiting, the system has copied all of it.
   */
  reuse(free: () => boolean): void;
}

function createSlab(): Slab {
  let free: () => boolean = () => false;
  function begin(bytes: number): void {
    const buffer = new ArrayBuffer((bytes + 3) & ~3);
    slab.memory = Buffer.from(buffer);
    slab.words = new Int32Array(buffer);
    slab.at = 0;
  }
  const slab: Slab = {
    memory: Buffer.alloc(0),
    words: new Int32Array(),
    at: 0,
    reserve(bytes) {
      if (slab.at + bytes <= slab.memory.length) return;
      if (bytes <= slab.memory.length && slab.memory.length === PIECE_BYTES && free()) slab.at = 0;
      else begin(bytes > SLICE_MAX ? bytes : PIECE_BYTES);
    },
    take(bytes) {
      const slice = slab.memory.subarray(slab.at, slab.at + bytes);
      slab.at = (slab.at + bytes + 3) & ~3;
      return slice;
    },
    reuse(isFree) {
      free = isFree;
    },
  };
  return slab;
}

/** Memory of packets that are sent at once. */
export const outgoing = createSlab();
/** Memory of decrypted packets that may be kept. */
export const incoming = createSlab();

/** New memory of that many bytes, not zeroed. */
export function slice(from: Slab, bytes: number): Buffer {
  from.reserve(bytes);
  return from.take(bytes);
}
