/**
 * Encryption and decryption of all streams of one browser, wherever it runs: in a worker or, in older Chromium, in the
 * page.
 */
import { createFrameDecryptor, createFrameEncryptor, type Frame, frameKey, type Kind } from './frameCipher.ts';

/**
 * How a stream is set up; plain data, because it crosses to the worker. `connectionId` tells connections apart, whose
 * mids may be equal.
 */
export type StreamSetup =
  | { way: 'encrypt'; kind: Kind; personId: number }
  | { way: 'decrypt'; kind: Kind; at: string; connectionId: number };

export type CipherMessage =
  | { is: 'key'; generation: number; key: Uint8Array<ArrayBuffer>; sending: boolean }
  | { is: 'expect'; connectionId: number; at: string; personId: number }
  | { is: 'closed'; connectionId: number };
/** Whether frames arrive on a stream that cannot be decrypted here. */
export interface CipherNews {
  connectionId: number;
  at: string;
  unreadable: boolean;
}

/** A frame as browsers expose it; `data` is replaced. */
interface EncodedFrame {
  data: ArrayBuffer;
}

export interface StreamCiphers {
  tell(message: CipherMessage): Promise<void>;
  run(setup: StreamSetup, readable: ReadableStream, writable: WritableStream): void;
}

/**
 * Report a stream only after this long without a frame that can be decrypted: keys arrive a moment after the first
 * frames, and changing keys takes a moment.
 */
const UNREADABLE_AFTER_MS = 1_500;
/** Number of keys kept: the current one, the previous and the next. */
const KEYS_KEPT = 3;

/** Takes a callback for streams that cannot be decrypted, or can be again. */
export function createStreamCiphers(news: (news: CipherNews) => void): StreamCiphers {
  const keys = new Map<number, CryptoKey>();
  let sending: { generation: number; key: CryptoKey } | null = null;
  const expected = new Map<string, number>();
  const streams = new Map<string, { badSinceMs: number | null; told: boolean }>();
  const name = (connectionId: number, at: string) => `${connectionId} ${at}`;

  function decryptor({ kind, at, connectionId }: Extract<StreamSetup, { way: 'decrypt' }>) {
    const stream: { badSinceMs: number | null; told: boolean } = { badSinceMs: null, told: false };
    streams.set(name(connectionId, at), stream);
    const open = createFrameDecryptor(
      kind,
      () => expected.get(name(connectionId, at)) ?? null,
      (generation) => keys.get(generation) ?? null,
    );
    return async (frame: Frame) => {
      const opened = await open(frame);
      if (opened !== null) {
        stream.badSinceMs = null;
        if (stream.told) news({ connectionId, at, unreadable: false });
        stream.told = false;
        return opened;
      }
      stream.badSinceMs ??= performance.now();
      if (!stream.told && performance.now() - stream.badSinceMs >= UNREADABLE_AFTER_MS) {
        stream.told = true;
        news({ connectionId, at, unreadable: true });
      }
      return null;
    };
  }
  return {
    async tell(message) {
      if (message.is === 'expect') {
        const known = name(message.connectionId, message.at);
        expected.set(known, message.personId);
        // Reset the reported fault when a new publisher takes over the stream.
        Object.assign(streams.get(known) ?? {}, { badSinceMs: null, told: false });
      } else if (message.is === 'closed') {
        for (const known of [...expected.keys(), ...streams.keys()]) {
          if (!known.startsWith(`${message.connectionId} `)) continue;
          expected.delete(known);
          streams.delete(known);
        }
      } else {
        const key = await frameKey(message.key);
        const short = message.generation & 0xff;
        keys.delete(short);
        keys.set(short, key);
        for (const old of [...keys.keys()].slice(0, -KEYS_KEPT)) keys.delete(old);
        if (message.sending) sending = { generation: message.generation, key };
      }
    },
    run(setup, readable, writable) {
      const change =
        setup.way === 'encrypt' ? createFrameEncryptor(setup.kind, setup.personId, () => sending) : decryptor(setup);
      readable
        .pipeThrough(
          new TransformStream<EncodedFrame, EncodedFrame>({
            async transform(frame, controller) {
              const bytes = new Uint8Array(frame.data);
              // Codecs send empty frames at times; they contain nothing to encrypt.
              if (bytes.length === 0) return controller.enqueue(frame);
              const changed = await change(bytes);
              if (changed === null) return undefined;
              frame.data = changed.buffer;
              return controller.enqueue(frame);
            },
          }),
        )
        .pipeTo(writable)
        .catch(() => undefined);
    },
  };
}
