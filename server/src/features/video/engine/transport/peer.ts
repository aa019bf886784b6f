/**
 * The connection to one browser: an ICE-lite agent (RFC 8445, section 2.5), the DTLS handshake behind it, and the SRTP
 * keys it yields. We never send checks: the browser does, we answer, and send to the address it nominated. That saves
 * timers, needs no candidates from the browser (so `.local` names do not matter) and follows a phone from Wi-Fi to
 * mobile without a new negotiation.
 */
import { randomBytes } from 'node:crypto';
import { isRtcp } from '../rtp/rtp.ts';
import { createSrtpReceiver, createSrtpSender } from '../srtp/srtp.ts';
import type { SrtpReceiver, SrtpSender } from '../srtp/srtp.types.ts';
import { createDtls, type Certificate, type Dtls, type Fingerprint, type Keys } from './dtls.ts';
import type { Candidate, Ports, Receiver, Route } from './ports.ts';
import { bindingSuccess, integrityHolds, readBindingRequest, roleConflict } from './stun.ts';

/** What the browser's description says about its connection. */
export interface RemoteTransport {
  ufrag: string;
  fingerprints: readonly Fingerprint[];
  /** RFC 8842: who starts the handshake. */
  setup: 'active' | 'passive' | 'actpass';
}

export interface LocalTransport {
  ufrag: string;
  password: string;
  fingerprint: Fingerprint;
  candidates: Candidate[];
}

export interface PeerEvents {
  /** Keys exist and the certificate is the one described: media may flow. Called once. */
  onUp(): void;
  /** Decrypted packets. */
  onRtp(packet: Buffer): void;
  onRtcp(compound: Buffer): void;
  /** The connection has ended and is closed; the reason is in Janus' words. */
  onDown(reason: string): void;
}

export interface Peer {
  local(): LocalTransport;
  /**
   * Makes a new name and password for the next description. The connection continues until the browser uses them (RFC
   * 8445, section 2.4).
   */
  restart(): void;
  describe(remote: RemoteTransport): void;
  readonly up: boolean;
  /** Encrypts and counts; use it only once the connection is up. */
  readonly protect: SrtpSender;
  send(bytes: Buffer): void;
  /** Once a second: ends the connection when the browser has not been heard of. */
  tick(nowMs: number): void;
  close(): void;
}

/**
 * A longer time between two looks at the connection counts as this long: the thread was suspended in between, and what
 * the browser sent still waits to be read. Twice the regular time.
 */
const LOOK_MAX_MS = 2000;
/** A browser repeats its check at least every five seconds; RFC 7675 lets consent expire after 30 s. */
const CONSENT_MS = 20_000;
/** From the description to the end of the handshake. */
const CONNECT_MS = 30_000;
/** Maximum per handshake, with all repetitions; the library keeps fragments without bound. */
const HANDSHAKE_BYTES_MAX = 256 * 1024;
/** A browser that was active lately keeps its address, even if another one claims it. */
const KEEPS_ADDRESS_MS = 6000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const iceString = (length: number) => Array.from(randomBytes(length), (byte) => ALPHABET[byte & 63]).join('');

/**
 * Opens a connection. Takes the thread's sockets, its certificate, and a number that spreads peers over the sockets.
 */
export function createPeer(ports: Ports, certificate: Certificate, number: number, events: PeerEvents): Peer {
  const credentials: { ufrag: string; password: string }[] = [];
  let route: Route | null = null;
  let remote: RemoteTransport | null = null;
  let dtls: Dtls | null = null;
  let role: 'server' | 'client' | null = null;
  let keys: Keys | null = null;
  let sender: SrtpSender | null = null;
  let receiver: SrtpReceiver | null = null;
  let closed = false;
  let heardMs = 0;
  /**
   * When `tick` was called last, and how long nothing was heard, or the handshake lasts; null before the description.
   */
  let lookedMs: number | null = null;
  let silentMs = 0;
  let handshakeBytes = 0;

  function end() {
    if (closed) return false;
    closed = true;
    dtls?.close();
    ports.forget(own);
    return true;
  }
  function down(reason: string) {
    if (end()) events.onDown(reason);
  }
  const send = (bytes: Buffer) => {
    if (route && !closed) route.port.send(bytes, route.remotePort, route.address);
  };

  function startDtls(as: 'server' | 'client') {
    if (role === as) return;
    dtls?.close();
    role = as;
    dtls = createDtls({
      role: as,
      certificate,
      send,
      onKeys: (made) => {
        keys = made;
        rise();
      },
      onFailed: () => down('DTLS failed'),
      onClosed: () => down('DTLS alert'),
    });
    if (as === 'client' && route) dtls.begin();
  }

  /** The keys count only once the description has come and names the certificate that was shown. */
  function rise() {
    if (closed || sender || !keys || !remote || !dtls) return;
    if (!dtls.verify(remote.fingerprints)) return down('DTLS failed');
    receiver = createSrtpReceiver(keys.receive);
    sender = createSrtpSender(keys.send);
    silentMs = 0;
    events.onUp();
  }

  const own: Receiver = {
    check(data, from) {
      const request = readBindingRequest(data);
      if (!request || closed) return false;
      const [ours = '', theirs = ''] = request.username.split(':');
      const credential = credentials.find(({ ufrag }) => ufrag === ours);
      if (!credential || !integrityHolds(data, request, credential.password)) return false;
      if (remote && remote.ufrag !== theirs) return false;
      const answer = (bytes: Buffer) => from.port.send(bytes, from.remotePort, from.address);
      if (request.controlled) {
        answer(roleConflict(request, credential.password));
        return false;
      }
      answer(bindingSuccess(request, from.address, from.remotePort, credential.password));
      heardMs = performance.now();
      if (sender) silentMs = 0;
      const first = route === null;
      if (first || request.useCandidate) route = from;
      if (first && role === 'client') dtls?.begin();
      return true;
    },
    alive: () => !closed && performance.now() - heardMs < KEEPS_ADDRESS_MS,
    packet(data) {
      if (closed || data.length === 0) return;
      const kind = data[0]!;
      // RFC 7983: 20 to 63 is DTLS, 128 to 191 is RTP and RTCP.
      if (kind >= 128 && kind < 192) {
        if (!receiver || data.length < 12) return;
        if (isRtcp(data)) {
          const compound = receiver.rtcp(data);
          if (compound) events.onRtcp(compound);
        } else {
          const packet = receiver.rtp(data);
          if (packet) events.onRtp(packet);
        }
      } else if (kind >= 20 && kind < 64) {
        // The browser may start before its answer arrives; the reverse is not possible then.
        handshakeBytes += data.length;
        if (handshakeBytes > HANDSHAKE_BYTES_MAX) return down('DTLS failed');
        if (!dtls) startDtls('server');
        dtls!.receive(data);
      }
    },
  };

  const restart = () => {
    const made = { ufrag: iceString(8), password: iceString(24) };
    credentials.push(made);
    // Names of the last description and of the one before: checks of both may be under way.
    if (credentials.length > 2) ports.ignore(credentials.shift()!.ufrag);
    ports.listen(made.ufrag, own);
  };
  restart();

  return {
    local: () => ({
      ...credentials.at(-1)!,
      fingerprint: certificate.fingerprint,
      candidates: ports.candidates(number),
    }),
    restart,
    describe(described) {
      remote = described;
      lookedMs ??= performance.now();
      if (!sender) startDtls(described.setup === 'passive' ? 'client' : 'server');
      rise();
    },
    get up() {
      return sender !== null && !closed;
    },
    protect: {
      rtp: (header, payload, rolloverCounter) => sender!.rtp(header, payload, rolloverCounter),
      rtcp: (compound) => sender!.rtcp(compound),
    },
    send,
    tick(nowMs) {
      if (closed || lookedMs === null) return;
      silentMs += Math.min(LOOK_MAX_MS, nowMs - lookedMs);
      lookedMs = nowMs;
      if (silentMs > (sender ? CONSENT_MS : CONNECT_MS)) down('ICE failed');
    },
    close: () => void end(),
  };
}
