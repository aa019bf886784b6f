/**
 * The DTLS-SRTP handshake that yields the media keys (RFC 5764). Only the DTLS of werift is used, not its ICE, SDP or
 * RTP, and nothing of werift leaves this file. Its version is pinned, because `extractSessionKeys` and the injected
 * transport are no public API.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { DtlsClient, DtlsServer, RTCDtlsTransport } from 'werift';
import { clientProvesKey, createMessageFilter, serverProvesKey } from './dtls.proof.ts';
import { AEAD_AES_128_GCM, AES_CM_128_HMAC_SHA1_80, type SrtpKeys, type SrtpProfile } from '../srtp/srtp.types.ts';
import { SRTP_PROFILES } from '../srtp/srtp.ts';

export interface Fingerprint {
  /** As in SDP: `sha-256`. */
  algorithm: string;
  /** Pairs of hexadecimal digits between colons. */
  value: string;
}

/** The certificate of a thread; all its peers show the same. */
export interface Certificate {
  readonly fingerprint: Fingerprint;
  readonly pem: string;
  readonly key: string;
  readonly signatureHash: { hash: number; signature: number };
}

/** Makes a self-signed certificate, with its fingerprint as SDP carries it (RFC 8122). */
export async function createCertificate(): Promise<Certificate> {
  const certificate = await RTCDtlsTransport.SetupCertificate();
  const [fingerprint] = certificate.getFingerprints();
  return {
    fingerprint: { algorithm: fingerprint!.algorithm, value: fingerprint!.value },
    pem: certificate.certPem,
    key: certificate.privateKey,
    signatureHash: certificate.signatureHash,
  };
}

export interface Keys {
  send: SrtpKeys;
  receive: SrtpKeys;
}

export interface Dtls {
  /** A datagram of the handshake. */
  receive(data: Buffer): void;
  /** Whether the other side showed a certificate with one of these fingerprints; before that the keys mean nothing. */
  verify(fingerprints: readonly Fingerprint[]): boolean;
  /** Starts, when we are the client. */
  begin(): void;
  close(): void;
}

export interface DtlsOptions {
  role: 'server' | 'client';
  certificate: Certificate;
  send(data: Buffer): void;
  onKeys(keys: Keys): void;
  onFailed(): void;
  /** The other side closed the connection. */
  onClosed(): void;
}

const SALT_BYTES = { [AES_CM_128_HMAC_SHA1_80]: 14, [AEAD_AES_128_GCM]: 12 } as const;
const KEY_BYTES = 16;

/**
 * A ClientHello repeated this soon was sent while this thread was busy and waits in the queue behind the first. The
 * library would make new keys and answer again, and a client of the same library treats the second answer as an error.
 * Browsers wait 50 ms before they repeat.
 */
const SAME_HELLO_MS = 30;
const HANDSHAKE_RECORD = 22;
const RECORD_HEADER = 13;
const CLIENT_HELLO = 1;

/** Hashes accepted for fingerprints; MD5 and SHA-1 are not (RFC 8122, section 5). */
const HASHES: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' };

/** Makes one handshake. Takes role, certificate, and how to send. Feed it with datagrams; `onKeys` is called once. */
export function createDtls({ role, certificate, send, onKeys, onFailed, onClosed }: DtlsOptions): Dtls {
  let over = false;
  const transport = {
    type: 'udp',
    address: { address: '', family: '', port: 0 },
    closed: false,
    onData: (_data: Buffer, _from: readonly [string, number]) => {},
    send: (data: Buffer) => {
      if (!over) send(data);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  const options = {
    cert: certificate.pem,
    key: certificate.key,
    signatureHash: certificate.signatureHash as never,
    transport: transport as never,
    srtpProfiles: [...SRTP_PROFILES],
    extendedMasterSecret: true,
    certificateRequest: true,
  };
  const dtls = role === 'server' ? new DtlsServer(options) : new DtlsClient(options);
  const isWanted = createMessageFilter(role === 'server' ? 'client' : 'server');
  const handle = dtls.onHandleHandshakes;
  dtls.onHandleHandshakes = (messages) => handle(messages.filter(isWanted));
  const provesKey = () => {
    const { handshakeCache } = dtls.dtls;
    // werift keeps the messages by flight: 4 is the server's, after the client's last hello; 5 is the client's answer.
    const before = handshakeCache[4]?.data ?? [];
    return role === 'server'
      ? clientProvesKey(before, handshakeCache[5]?.data ?? [])
      : serverProvesKey(before, dtls.cipher.localRandom.serialize());
  };
  dtls.onConnect.subscribe(() => {
    if (over) return;
    const profile = dtls.srtp.srtpProfile as SrtpProfile | undefined;
    if (profile === undefined || !provesKey()) return onFailed();
    const keys = dtls.extractSessionKeys(KEY_BYTES, SALT_BYTES[profile]);
    onKeys({
      send: { profile, masterKey: keys.localKey, masterSalt: keys.localSalt },
      receive: { profile, masterKey: keys.remoteKey, masterSalt: keys.remoteSalt },
    });
  });
  dtls.onError.subscribe(() => {
    if (!over) onFailed();
  });
  dtls.onClose.subscribe(() => {
    if (!over) onClosed();
  });

  let hello: Buffer | null = null;
  let helloMs = 0;
  const isHello = (data: Buffer) => data[0] === HANDSHAKE_RECORD && data[RECORD_HEADER] === CLIENT_HELLO;

  return {
    receive(data) {
      if (over) return;
      const body = isHello(data) ? data.subarray(RECORD_HEADER) : null;
      if (body && hello?.equals(body) && performance.now() - helloMs < SAME_HELLO_MS) return;
      try {
        transport.onData(data, ['', 0]);
      } catch {
        // A malformed record; the sender repeats a complete one.
      }
      if (!body) return;
      hello = body;
      // Measured from the answer: making keys takes time, too.
      helloMs = performance.now();
    },
    verify(fingerprints) {
      const shown = dtls.remoteCertificate;
      return (
        shown !== undefined &&
        fingerprints.some(({ algorithm, value }) => {
          const hash = HASHES[algorithm.toLowerCase()];
          if (hash === undefined) return false;
          const wanted = Buffer.from(value.replaceAll(':', ''), 'hex');
          const actual = createHash(hash).update(shown).digest();
          return wanted.length === actual.length && timingSafeEqual(wanted, actual);
        })
      );
    },
    begin() {
      if (dtls instanceof DtlsClient) dtls.connect().catch(() => !over && onFailed());
    },
    close() {
      over = true;
      transport.closed = true;
      dtls.onConnect.complete();
      dtls.onData.complete();
      dtls.onError.complete();
      dtls.onClose.complete();
    },
  };
}
