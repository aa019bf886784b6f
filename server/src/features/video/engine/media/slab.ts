/**
 * Memory for packets, cut from larger pieces: a slice costs a tenth of an allocation of its own. A piece goes when its last slice does,
 * so nothing is ever overwritten while a socket still has it.
 */
const PIECE_BYTES = 128 * 1024;
/** Larger ones come alone. */
const SLICE_MAX = 8 * 1024;

let piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
let used = 0;

/** Fresh memory of that many bytes, not zeroed. */
export function slice(bytes: number): Buffer {
  if (bytes > SLICE_MAX) return Buffer.allocUnsafeSlow(bytes);
  if (used + bytes > PIECE_BYTES) {
    piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    used = 0;
  }
  const start = used;
  used += bytes;
  return piece.subarray(start, used);
}
