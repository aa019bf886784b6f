/**
 * Encrypts single frames of audio and video from browser to browser: AES-GCM with 128-bit keys. The first bytes stay
 * readable, so that the server can forward frames. For VP8 that is the header: 10 bytes of a key frame, 3 of others
 * (RFC 7741, 4.3; RFC 6386, 9.1). For Opus it is one byte (RFC 6716, 3.1).
 *
 * An encrypted frame is: readable bytes | ciphertext and tag (16) | IV (12) | lowest byte of the key's generation (1).
 * The IV is eight random bytes of the encryptor (one per stream and connection) and a counter of four, so none repeats
 * under one key. The tag covers the readable bytes and whose frame it is: nobody else's frames can take a person's
 * place.
 */
export type Kind = 'audio' | 'video';
export type Frame = Uint8Array<ArrayBuffer>;

const IV_BYTES = 12;
const MARK_BYTES = 16;
const TAIL_BYTES = IV_BYTES + 1;
const COUNTER_MAX = 0xffff_ffff;

/** How many bytes stay readable. Takes the frame, encrypted or not. */
export function clearBytes(kind: Kind, frame: Uint8Array): number {
  if (kind === 'audio') return 1;
  // Bit 0 of VP8's first byte is 0 in key frames.
  return ((frame[0] ?? 1) & 1) === 0 ? 10 : 3;
}

/** The additional data that the tag covers: kind, person, readable bytes. */
function covered(kind: Kind, personId: number, open: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(9 + open.length);
  bytes[0] = kind === 'audio' ? 1 : 2;
  new DataView(bytes.buffer).setBigUint64(1, BigInt(personId));
  bytes.set(open, 9);
  return bytes;
}

/** Imports 16 bytes as a key to encrypt and decrypt with; it cannot be read back. */
export const frameKey = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);

/**
 * Encrypts the frames of one stream, in order. Takes kind, person, and the current key (null: none yet). Returns a
 * function from a frame to the encrypted one; or null when nothing may be sent.
 */
export function createFrameEncryptor(
  kind: Kind,
  personId: number,
  current: () => { generation: number; key: CryptoKey } | null,
): (frame: Frame) => Promise<Frame | null> {
  let salt = crypto.getRandomValues(new Uint8Array(8));
  let counter = 0;
  return async (frame) => {
    const use = current();
    // Never send unencrypted: without a key nothing is sent.
    if (use === null) return null;
    const open = clearBytes(kind, frame);
    // No frame of these codecs ends within its header.
    if (frame.length < open) return null;
    if (counter === COUNTER_MAX) {
      salt = crypto.getRandomValues(new Uint8Array(8));
      counter = 0;
    }
    counter += 1;
    const iv = new Uint8Array(IV_BYTES);
    iv.set(salt);
    new DataView(iv.buffer).setUint32(8, counter);
    const head = frame.subarray(0, open);
    const encrypted = new Uint8Array(
      await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: covered(kind, personId, head) },
        use.key,
        frame.subarray(open),
      ),
    );
    const out = new Uint8Array(open + encrypted.length + TAIL_BYTES);
    out.set(head);
    out.set(encrypted, open);
    out.set(iv, open + encrypted.length);
    out[out.length - 1] = use.generation & 0xff;
    return out;
  };
}

/**
 * Decrypts the frames of one stream. Takes kind, whose frames may arrive there (null: not known yet), and the key by
 * the lowest byte of its generation. Returns a function from an encrypted frame to the frame; or null when it cannot be
 * decrypted.
 */
export function createFrameDecryptor(
  kind: Kind,
  expected: () => number | null,
  keyOf: (generation: number) => CryptoKey | null,
): (frame: Frame) => Promise<Frame | null> {
  return async (frame) => {
    const personId = expected();
    const open = clearBytes(kind, frame);
    const end = frame.length - TAIL_BYTES;
    if (personId === null || end - open < MARK_BYTES) return null;
    const key = keyOf(frame[frame.length - 1]!);
    if (key === null) return null;
    const head = frame.subarray(0, open);
    try {
      const plain = new Uint8Array(
        await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: frame.subarray(end, end + IV_BYTES), additionalData: covered(kind, personId, head) },
          key,
          frame.subarray(open, end),
        ),
      );
      const out = new Uint8Array(open + plain.length);
      out.set(head);
      out.set(plain, open);
      return out;
    } catch {
      return null;
    }
  };
}
