/**
 * Proof that the other side of a DTLS 1.2 handshake has the private key of the certificate it showed. A certificate is
 * public: it crosses the network unencrypted, so that somebody between a browser and us could show it, too. werift
 * reads the messages that carry the proof, but checks no signature and takes every message again, even after it was
 * signed.
 */
import { verify, X509Certificate, type KeyObject } from 'node:crypto';

/** A complete message of the handshake, as werift keeps it. */
export interface HandshakeMessage {
  msg_type: number;
  /** The body, without the header of 12 bytes. */
  fragment: Buffer;
  /** Header and body, as they are signed. */
  serialize(): Buffer;
}

/** Types of messages (RFC 5246, section 7.4, and RFC 6347, section 4.3.2). */
const TYPE = {
  clientHello: 1,
  serverHello: 2,
  helloVerifyRequest: 3,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  certificateVerify: 15,
  clientKeyExchange: 16,
} as const;

/** SignatureAndHashAlgorithm (RFC 5246, section 7.4.1.4.1) and the kind of key it needs: what we ask for, SHA-256. */
const KEY_KINDS: ReadonlyMap<number, string> = new Map([
  [0x0401, 'rsa'],
  [0x0403, 'ec'],
]);

/** Bytes of version and random at the start of both hellos. */
const VERSION_BYTES = 2;
const RANDOM_BYTES = 32;

/** Messages of a server that have one content in a handshake. */
const ONCE_OF_SERVER: ReadonlySet<number> = new Set([
  TYPE.helloVerifyRequest,
  TYPE.serverHello,
  TYPE.certificate,
  TYPE.serverKeyExchange,
  TYPE.certificateRequest,
]);
/** The same of a client, in the order in which they are signed. */
const ORDER_OF_CLIENT: readonly number[] = [TYPE.certificate, TYPE.clientKeyExchange, TYPE.certificateVerify];

/**
 * Makes a filter for the messages of one handshake. Takes the side that sends them. The filter takes a message and
 * returns whether it may be handled. It stops
 * - a second message of a kind that has one content: a repetition has nothing to add, and another content would replace
 *   what is signed;
 * - a client's message that comes before the one it follows: werift makes the keys from the messages that it has by
 *   then. The client repeats all of them together;
 * - a client's hello once the handshake has gone past it: without a cookie after our hello was sent, and any after the
 *   client's certificate. It would begin a new handshake in the middle of this one.
 */
export function createMessageFilter(from: 'client' | 'server'): (message: HandshakeMessage) => boolean {
  const seen = new Set<number>();
  let answered = false;
  return ({ msg_type: type, fragment }) => {
    if (from === 'client' && type === TYPE.clientHello) {
      if (seen.size > 0) return false;
      const hasCookie = cookieBytes(fragment) > 0;
      if (answered && !hasCookie) return false;
      answered ||= hasCookie;
      return true;
    }
    if (from === 'client') {
      if (!ORDER_OF_CLIENT.includes(type)) return true;
      if (type !== ORDER_OF_CLIENT[seen.size]) return false;
    } else {
      if (!ONCE_OF_SERVER.has(type)) return true;
      if (seen.has(type)) return false;
    }
    seen.add(type);
    return true;
  };
}

/**
 * Whether a client has the key of its certificate: CertificateVerify signs all messages before it (RFC 5246, section
 * 7.4.8). With them it signs the client's part of the key exchange, so that nobody else knows the media keys.
 *
 * @param before all messages of both sides up to the server's last one, in their order
 * @param flight the client's messages after those, in their order
 */
export function clientProvesKey(before: readonly HandshakeMessage[], flight: readonly HandshakeMessage[]): boolean {
  const at = flight.findIndex(({ msg_type: type }) => type === TYPE.certificateVerify);
  const key = shownKey(flight);
  if (at === -1 || key === null) return false;
  const signed = Buffer.concat([...before, ...flight.slice(0, at)].map((message) => message.serialize()));
  return isSigned(signed, flight[at]!.fragment, key);
}

/**
 * Whether a server has the key of its certificate: ServerKeyExchange signs its part of the key exchange with both
 * random numbers (RFC 8422, section 5.4).
 *
 * @param flight the server's messages from its hello on
 * @param clientRandom 32 bytes of our hello
 */
export function serverProvesKey(flight: readonly HandshakeMessage[], clientRandom: Buffer): boolean {
  const find = (wanted: number) => flight.find(({ msg_type: type }) => type === wanted)?.fragment;
  const hello = find(TYPE.serverHello);
  const exchange = find(TYPE.serverKeyExchange);
  const key = shownKey(flight);
  if (hello === undefined || exchange === undefined || key === null) return false;
  // Kind and name of the curve, then the length of the public key.
  const parametersEnd = 4 + (exchange[3] ?? 0);
  return isSigned(
    Buffer.concat([
      clientRandom,
      hello.subarray(VERSION_BYTES, VERSION_BYTES + RANDOM_BYTES),
      exchange.subarray(0, parametersEnd),
    ]),
    exchange.subarray(parametersEnd),
    key,
  );
}

/** Takes the body of a client's hello (RFC 6347, section 4.2.1). Returns the length of its cookie. */
function cookieBytes(hello: Buffer): number {
  const sessionAt = VERSION_BYTES + RANDOM_BYTES;
  return hello[sessionAt + 1 + (hello[sessionAt] ?? 0)] ?? 0;
}

/** The public key of the first certificate in these messages; null when there is none that can be read. */
function shownKey(messages: readonly HandshakeMessage[]): KeyObject | null {
  const list = messages.find(({ msg_type: type }) => type === TYPE.certificate)?.fragment;
  try {
    // Three bytes of length for the list, three for its first certificate.
    return list ? new X509Certificate(list.subarray(6, 6 + list.readUIntBE(3, 3))).publicKey : null;
  } catch {
    return null;
  }
}

/** Takes what was signed, and algorithm, length and bytes of the signature as they follow each other in a message. */
function isSigned(signed: Buffer, signature: Buffer, key: KeyObject): boolean {
  if (signature.length < 4 || KEY_KINDS.get(signature.readUInt16BE(0)) !== key.asymmetricKeyType) return false;
  try {
    return verify('sha256', signed, key, signature.subarray(4, 4 + signature.readUInt16BE(2)));
  } catch {
    return false;
  }
}
