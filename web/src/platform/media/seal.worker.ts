/** Seals and opens frames off the page's thread. Source: W3C WebRTC Encoded Transform, RTCRtpScriptTransform. */
import { createSealCore, type SealMessage, type StreamSetup } from './seal.core.ts';

interface TransformEvent extends Event {
  transformer: { options: StreamSetup; readable: ReadableStream; writable: WritableStream };
}
const here = globalThis as unknown as {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<SealMessage>) => void): void;
  addEventListener(type: 'rtctransform', listener: (event: TransformEvent) => void): void;
};

const core = createSealCore((news) => here.postMessage(news));
here.addEventListener('message', ({ data }) => void core.tell(data));
here.addEventListener('rtctransform', ({ transformer: { options, readable, writable } }) =>
  core.run(options, readable, writable),
);
