/**
 * Adds frame encryption to peer connections: in a worker through RTCRtpScriptTransform, or in the page if an older
 * Chromium exposes the frames there. Under Trusted Types a page may start a worker only through a policy whose name the
 * server allows (`fieldroom-worker`).
 */
import type { Kind } from './frameCipher.ts';
import { createStreamCiphers, type CipherMessage, type CipherNews, type StreamSetup } from './streamCiphers.ts';
// Vite's own suffix: the address of the built worker.
// oxlint-disable-next-line import/default
import workerAddress from './cipher.worker.ts?worker&url';

interface Encoded {
  createEncodedStreams?: () => { readable: ReadableStream; writable: WritableStream };
  transform?: unknown;
}
type ScriptTransform = new (worker: Worker, options: StreamSetup) => object;
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(address: string): string };
}

export interface RoomKey {
  /** The key's number; each frame carries its lowest byte. */
  generation: number;
  /** 16 bytes. */
  key: Uint8Array<ArrayBuffer>;
}
/** Encryption of one connection, up and down. */
export interface ConnectionEncryption {
  /** The older way: it must be set when peer connections are created. */
  readonly legacy: boolean;
  encrypt(sender: RTCRtpSender, kind: Kind): void;
  /** `at`: the stream's mid on its connection. */
  decrypt(receiver: RTCRtpReceiver, kind: Kind, at: string): void;
  /** Whose frames arrive there; frames of other people are not decrypted. */
  expect(at: string, personId: number): void;
  close(): void;
}
export interface FrameEncryption {
  /** Adds a key to decrypt with; `sending`: also encrypts with it from now on. */
  key(key: RoomKey, sending: boolean): void;
  forConnection(me: number, onUnreadable: (news: { at: string; unreadable: boolean }) => void): ConnectionEncryption;
  close(): void;
}

const POLICY = 'fieldroom-worker';
const pageCan = () => 'RTCRtpSender' in globalThis && 'createEncodedStreams' in RTCRtpSender.prototype;
let trusted: { createScriptURL(address: string): string } | undefined;

function startWorker(): Worker | null {
  if (!('RTCRtpScriptTransform' in globalThis)) return null;
  try {
    // A page can create a policy only once; it knows one address.
    trusted ??= (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(POLICY, {
      createScriptURL: () => workerAddress,
    }) ?? { createScriptURL: () => workerAddress };
    return new Worker(trusted.createScriptURL(workerAddress), { type: 'module', name: 'fieldroom-encryption' });
  } catch {
    return null;
  }
}

/** Returns the page's frame encryption; null if this browser has none. */
export function createFrameEncryption(): FrameEncryption | null {
  const listeners = new Map<number, (news: CipherNews) => void>();
  const notify = (news: CipherNews) => listeners.get(news.connectionId)?.(news);
  let connections = 0;
  const worker = startWorker();
  const legacy = worker === null;
  if (legacy && !pageCan()) return null;
  const core = legacy ? createStreamCiphers(notify) : null;
  worker?.addEventListener('message', ({ data }: MessageEvent<CipherNews>) => notify(data));
  const tell = (message: CipherMessage) => {
    if (core) void core.tell(message);
    else worker?.postMessage(message);
  };
  const attach = (end: RTCRtpSender | RTCRtpReceiver, setup: StreamSetup) => {
    const encoded = end as unknown as Encoded;
    if (worker) {
      const Transform = (globalThis as unknown as { RTCRtpScriptTransform: ScriptTransform }).RTCRtpScriptTransform;
      encoded.transform = new Transform(worker, setup);
      return;
    }
    const streams = encoded.createEncodedStreams?.();
    if (streams) core?.run(setup, streams.readable, streams.writable);
  };
  return {
    key: ({ generation, key }, sending) => tell({ is: 'key', generation, key: key.slice(), sending }),
    forConnection(me, onUnreadable) {
      connections += 1;
      const connectionId = connections;
      listeners.set(connectionId, onUnreadable);
      return {
        legacy,
        encrypt: (sender, kind) => attach(sender, { way: 'encrypt', kind, personId: me }),
        decrypt: (receiver, kind, at) => attach(receiver, { way: 'decrypt', kind, at, connectionId }),
        expect: (at, personId) => tell({ is: 'expect', connectionId, at, personId }),
        close() {
          listeners.delete(connectionId);
          tell({ is: 'closed', connectionId });
        },
      };
    },
    close() {
      listeners.clear();
      worker?.terminate();
    },
  };
}
