/**
 * Memory for packets, cut from larger pieces: a slice costs a tenth of an allocation of its own. What came in and is kept for retransmission never shares a piece with what
 * goes out: it would hold all of it, and V8 would have to collect by marking what could go at once.
 */
const PIECE_BYTES = 128 * 1024;
/** Larger ones come alone. */
const SLICE_MAX = 8 * 1024;

export interface Slab {
  /** Where the next slice will be: write there, by bytes or by words, then `take` it. Valid after `reserve`. */
  memory: Buffer;
  words: Int32Array;
  /** On a word. */
  at: number;
  /** Makes sure that so many bytes are there behind `at`, not zeroed. */
  reserve(bytes: number): void;
  /** The slice of that many bytes from `at`. */
  take(bytes: number): Buffer;
  /**
   * Says when nobody holds any slice any more; then the piece is used anew instead of another one. For what is sent: as soon as the sockets have nothing waiting, all
   * of it was copied by the system.
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

/** What is sealed to be sent at once. */
export const outgoing = createSlab();
/** What was opened and may be kept. */
export const incoming = createSlab();

/** Fresh memory of that many bytes, not zeroed. */
export function slice(from: Slab, bytes: number): Buffer {
  from.reserve(bytes);
  return from.take(bytes);
}
