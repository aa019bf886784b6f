/** Encrypts and decrypts frames off the main thread. Source: W3C WebRTC Encoded Transform, RTCRtpScriptTransform. */
import { createStreamCiphers, type CipherMessage, type StreamSetup } from './streamCiphers.ts';

interface TransformEvent extends Event {
  transformer: { options: StreamSetup; readable: ReadableStream; writable: WritableStream };
}
const here = globalThis as unknown as {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<CipherMessage>) => void): void;
  addEventListener(type: 'rtctransform', listener: (event: TransformEvent) => void): void;
};

const core = createStreamCiphers((news) => here.postMessage(news));
here.addEventListener('message', ({ data }) => void core.tell(data));
here.addEventListener('rtctransform', ({ transformer: { options, readable, writable } }) =>
  core.run(options, readable, writable),
);
