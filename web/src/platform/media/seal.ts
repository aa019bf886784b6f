/**
 * Puts the sealing of frames into connections: in a worker by RTCRtpScriptTransform, or in the page itself where an older Chromium lends
 * it the frames. A page under Trusted Types may start a worker only by a policy whose name the server grants (`fieldroom-worker`).
 */
import type { Kind } from './frames.ts';
import { createSealCore, type SealMessage, type SealNews, type StreamSetup } from './seal.core.ts';
// Vite's own suffix: the address of the built worker.
// oxlint-disable-next-line import/default
import workerAddress from './seal.worker.ts?worker&url';

interface Encoded {
  createEncodedStreams?: () => { readable: ReadableStream; writable: WritableStream };
  transform?: unknown;
}
type ScriptTransform = new (worker: Worker, options: StreamSetup) => object;
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(address: string): string };
}

export interface RoomKey {
  /** Which key it is; its lowest byte is told in each frame. */
  generation: number;
  /** 16 bytes. */
  key: Uint8Array<ArrayBuffer>;
}
/** Sealing on one connection up and one down. */
export interface Seal {
  /** The older way: connections have to be made for it. */
  readonly legacy: boolean;
  send(sender: RTCRtpSender, kind: Kind): void;
  /** `at`: the stream's name on its connection. */
  open(receiver: RTCRtpReceiver, kind: Kind, at: string): void;
  /** Whose frames arrive there; nobody else's are opened. */
  expect(at: string, personId: number): void;
  close(): void;
}
export interface Sealer {
  /** Another key to open with; `sending`: seals with it from now on. */
  key(key: RoomKey, sending: boolean): void;
  forConnection(me: number, onSealed: (news: { at: string; sealed: boolean }) => void): Seal;
  close(): void;
}

const POLICY = 'fieldroom-worker';
const pageCan = () => 'RTCRtpSender' in globalThis && 'createEncodedStreams' in RTCRtpSender.prototype;
let trusted: { createScriptURL(address: string): string } | undefined;

function startWorker(): Worker | null {
  if (!('RTCRtpScriptTransform' in globalThis)) return null;
  try {
    // A policy can be made once a page; it knows one address.
    trusted ??= (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(POLICY, {
      createScriptURL: () => workerAddress,
    }) ?? { createScriptURL: () => workerAddress };
    return new Worker(trusted.createScriptURL(workerAddress), { type: 'module', name: 'fieldroom-seal' });
  } catch {
    return null;
  }
}

/** Out: what seals for this page; null where this browser can't. */
export function createSealer(): Sealer | null {
  const hearers = new Map<number, (news: SealNews) => void>();
  const hear = (news: SealNews) => hearers.get(news.line)?.(news);
  let lines = 0;
  const worker = startWorker();
  const legacy = worker === null;
  if (legacy && !pageCan()) return null;
  const core = legacy ? createSealCore(hear) : null;
  worker?.addEventListener('message', ({ data }: MessageEvent<SealNews>) => hear(data));
  const tell = (message: SealMessage) => {
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
    forConnection(me, onSealed) {
      lines += 1;
      const line = lines;
      hearers.set(line, onSealed);
      return {
        legacy,
        send: (sender, kind) => attach(sender, { way: 'send', kind, personId: me }),
        open: (receiver, kind, at) => attach(receiver, { way: 'open', kind, at, line }),
        expect: (at, personId) => tell({ is: 'expect', line, at, personId }),
        close() {
          hearers.delete(line);
          tell({ is: 'closed', line });
        },
      };
    },
    close() {
      hearers.clear();
      worker?.terminate();
    },
  };
}
