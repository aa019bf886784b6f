/**
 * The room's key and how clients get it: the therapist's browser makes it and encrypts it for one person by P-256 ECDH,
 * HKDF-SHA-256 and AES-GCM (contract/video.ts, videoKeyMessage; RFC 5869, NIST SP 800-56A). The server forwards it and
 * cannot decrypt it. This does not protect against a server that invents a person: the therapist's browser would give
 * that person the key.
 */
import { linkKeyFragment, roomKeyPlace } from '../../links/linkKey.ts';
import { tabStore } from '../../storage.ts';
import type { RoomKey } from './encodedTransform.ts';

const KEY_BYTES = 16;
const IV_BYTES = 12;
const PUBLIC_BYTES = 65;
const ECDH: EcKeyGenParams = { name: 'ECDH', namedCurve: 'P-256' };
/** Enough rounds that nobody can find a second key with the same digits while people compare them. */
const CODE_ROUNDS = 200_000;
const CODE_DIGITS = 12;
/** Largest generation the contract allows. */
const GENERATION_MAX = 1_000_000;

const text = (value: string) => new TextEncoder().encode(value);

/** Base64url without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
/** Returns null when it is not base64url. */
export function fromBase64Url(value: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(value) || value.length % 4 === 1) return null;
  return Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.codePointAt(0)!);
}

/**
 * Makes a new key. Takes the previous key; without it the generation starts at random, so that two browsers of one
 * therapist do not give two keys one number.
 */
export function newRoomKey(before: RoomKey | null): RoomKey {
  const first = crypto.getRandomValues(new Uint32Array(1))[0]! % (GENERATION_MAX / 2);
  return {
    generation: before ? (before.generation + 1) % GENERATION_MAX : first,
    key: crypto.getRandomValues(new Uint8Array(KEY_BYTES)),
  };
}

export interface HandKeys {
  pair: CryptoKeyPair;
  /** Raw point, base64url. */
  publicKey: string;
}
/** Makes the key pair of one exchange; the private key cannot be read. */
export async function newHandKeys(): Promise<HandKeys> {
  const pair = await crypto.subtle.generateKey(ECDH, false, ['deriveBits']);
  return { pair, publicKey: toBase64Url(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))) };
}

/** The key of one exchange. Both public keys, both ids and the generation are mixed in, so that it fits no other. */
async function shared(
  own: CryptoKeyPair,
  theirs: string,
  context: { therapistKey: string; clientKey: string; therapistId: number; clientId: number; generation: number },
): Promise<CryptoKey | null> {
  const raw = fromBase64Url(theirs);
  if (raw?.length !== PUBLIC_BYTES) return null;
  try {
    const point = await crypto.subtle.importKey('raw', raw, ECDH, false, []);
    const bits = await crypto.subtle.deriveBits({ name: 'ECDH', public: point }, own.privateKey, 256);
    const material = await crypto.subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey']);
    const info = text(
      [
        'fieldroom video key',
        context.therapistId,
        context.clientId,
        context.therapistKey,
        context.clientKey,
        context.generation,
      ].join('|'),
    );
    return await crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
      material,
      { name: 'AES-GCM', length: 256 },
      false,
      ['encrypt', 'decrypt'],
    );
  } catch {
    // Not a point on the curve.
    return null;
  }
}

/**
 * The therapist's side. Takes the client's public key as it arrived, both ids, and the room's key. Returns the message
 * to send; null when the public key is invalid.
 */
export async function handOver(
  clientKey: string,
  ids: { therapistId: number; clientId: number },
  { generation, key }: RoomKey,
): Promise<{ publicKey: string; sealed: string; generation: number } | null> {
  const own = await newHandKeys();
  const by = await shared(own.pair, clientKey, { ...ids, therapistKey: own.publicKey, clientKey, generation });
  if (!by) return null;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, by, key));
  const whole = new Uint8Array(IV_BYTES + sealed.length);
  whole.set(iv);
  whole.set(sealed, IV_BYTES);
  return { publicKey: own.publicKey, sealed: toBase64Url(whole), generation };
}

/**
 * The client's side. Takes the key pair of the exchange, both ids, and the message. Returns the room's key; null when
 * it cannot be decrypted.
 */
export async function takeOver(
  own: HandKeys,
  ids: { therapistId: number; clientId: number },
  { publicKey, sealed, generation }: { publicKey: string; sealed: string; generation: number },
): Promise<RoomKey | null> {
  const by = await shared(own.pair, publicKey, {
    ...ids,
    therapistKey: publicKey,
    clientKey: own.publicKey,
    generation,
  });
  const whole = fromBase64Url(sealed);
  if (!by || !whole) return null;
  try {
    const key = new Uint8Array(
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv: whole.subarray(0, IV_BYTES) }, by, whole.subarray(IV_BYTES)),
    );
    return key.length === KEY_BYTES ? { generation, key } : null;
  } catch {
    return null;
  }
}

/**
 * Digits for people to read to each other, in groups of four: the same for everybody who has the same key. Slow on
 * purpose.
 */
export async function safetyCode({ key, generation }: RoomKey): Promise<string> {
  const material = await crypto.subtle.importKey('raw', key, 'PBKDF2', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: text(`fieldroom safety code ${generation}`), iterations: CODE_ROUNDS },
    material,
    64,
  );
  const digits = (new DataView(bits).getBigUint64(0) % 10n ** BigInt(CODE_DIGITS))
    .toString()
    .padStart(CODE_DIGITS, '0');
  return digits.match(/\d{4}/g)!.join(' ');
}

// ---- storage: only in this tab

const write = ({ generation, key }: RoomKey) => `${generation}.${toBase64Url(key)}`;
function read(value: string | null): RoomKey | null {
  const [number, bytes] = (value ?? '').split('.');
  const key = fromBase64Url(bytes ?? '');
  const generation = Number(number);
  return key?.length === KEY_BYTES && /^\d{1,7}$/.test(number ?? '') && generation <= GENERATION_MAX
    ? { generation, key }
    : null;
}

/** The room's key that this tab keeps; null if there is none or it cannot be read. */
export const keptKey = (therapistId: number): RoomKey | null => read(tabStore.get(roomKeyPlace(therapistId)));
/** If the browser stores nothing, the key is requested again after a reload. */
export function keepKey(therapistId: number, key: RoomKey | null): void {
  if (key) tabStore.set(roomKeyPlace(therapistId), write(key));
  else tabStore.remove(roomKeyPlace(therapistId));
}
/** The part of a join link behind `#` that carries the key; no server sees it. */
export const keyFragment = (key: RoomKey): string => linkKeyFragment(write(key));
