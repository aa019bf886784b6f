/** Sealing and opening of all streams of one browser, wherever it runs: in a worker or, in older Chromium, in the page. */
import { createOpening, createSealing, type Frame, frameKey, type Kind } from './frames.ts';

/** What a stream is set up with; plain data, for it crosses to the worker. `line` counts connections, whose stream names may be alike. */
export type StreamSetup =
  | { way: 'send'; kind: Kind; personId: number }
  | { way: 'open'; kind: Kind; at: string; line: number };

export type SealMessage =
  | { is: 'key'; generation: number; key: Uint8Array<ArrayBuffer>; sending: boolean }
  | { is: 'expect'; line: number; at: string; personId: number }
  | { is: 'closed'; line: number };
/** Whether frames come on a stream that can't be opened here. */
export interface SealNews {
  line: number;
  at: string;
  sealed: boolean;
}

/** As the browsers lend frames; `data` is replaced. */
interface EncodedFrame {
  data: ArrayBuffer;
}

export interface SealCore {
  tell(message: SealMessage): Promise<void>;
  run(setup: StreamSetup, readable: ReadableStream, writable: WritableStream): void;
}

/** This long may nothing but unopenable frames come before it is told: keys arrive a moment after the first frames, and a change of keys takes one. */
const SEALED_AFTER_MS = 1_500;
/** So many keys are kept: the one of now, the one before, one to come. */
const KEYS_KEPT = 3;

/** In: who hears of streams that can't be opened, or can again. */
export function createSealCore(news: (news: SealNews) => void): SealCore {
  const keys = new Map<number, CryptoKey>();
  let sending: { generation: number; key: CryptoKey } | null = null;
  const expected = new Map<string, number>();
  const streams = new Map<string, { badSinceMs: number | null; told: boolean }>();
  const name = (line: number, at: string) => `${line} ${at}`;

  function opener({ kind, at, line }: Extract<StreamSetup, { way: 'open' }>) {
    const stream: { badSinceMs: number | null; told: boolean } = { badSinceMs: null, told: false };
    streams.set(name(line, at), stream);
    const open = createOpening(
      kind,
      () => expected.get(name(line, at)) ?? null,
      (generation) => keys.get(generation) ?? null,
    );
    return async (frame: Frame) => {
      const opened = await open(frame);
      if (opened !== null) {
        stream.badSinceMs = null;
        if (stream.told) news({ line, at, sealed: false });
        stream.told = false;
        return opened;
      }
      stream.badSinceMs ??= performance.now();
      if (!stream.told && performance.now() - stream.badSinceMs >= SEALED_AFTER_MS) {
        stream.told = true;
        news({ line, at, sealed: true });
      }
      return null;
    };
  }
  return {
    async tell(message) {
      if (message.is === 'expect') {
        const known = name(message.line, message.at);
        expected.set(known, message.personId);
        // Whoever comes on the stream now, what is wrong with it is told anew.
        Object.assign(streams.get(known) ?? {}, { badSinceMs: null, told: false });
      } else if (message.is === 'closed') {
        for (const known of [...expected.keys(), ...streams.keys()]) {
          if (!known.startsWith(`${message.line} `)) continue;
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
      const change = setup.way === 'send' ? createSealing(setup.kind, setup.personId, () => sending) : opener(setup);
      readable
        .pipeThrough(
          new TransformStream<EncodedFrame, EncodedFrame>({
            async transform(frame, controller) {
              const bytes = new Uint8Array(frame.data);
              // Codecs send empty frames at times; there is nothing in them to seal.
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
