// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStreamCiphers, type CipherNews } from './streamCiphers.ts';

const KEYS = [1, 2, 3, 4].map((fill) => new Uint8Array(16).fill(fill));
const OPUS = Uint8Array.from({ length: 40 }, (_, index) => index + 1);
type Encoded = { data: ArrayBuffer };

/** The encoder's or decoder's end of a browser: frames go in, and what passes comes out. */
function createEnds() {
  const out: Uint8Array[] = [];
  let put: ReadableStreamDefaultController<Encoded>;
  const readable = new ReadableStream<Encoded>({ start: (controller) => void (put = controller) });
  const writable = new WritableStream<Encoded>({ write: ({ data }) => void out.push(new Uint8Array(data)) });
  return { readable, writable, out, put: (frame: Uint8Array) => put.enqueue({ data: frame.slice().buffer }) };
}
function createBrowser(me: number) {
  const news: CipherNews[] = [];
  const core = createStreamCiphers((one) => news.push(one));
  const [send, open] = [createEnds(), createEnds()];
  core.run({ way: 'encrypt', kind: 'audio', personId: me }, send.readable, send.writable);
  core.run({ way: 'decrypt', kind: 'audio', at: '0', connectionId: 1 }, open.readable, open.writable);
  return {
    news,
    send,
    open,
    key: (generation: number, sending = true) =>
      core.tell({ is: 'key', generation, key: KEYS[generation - 1]!, sending }),
    expects: (personId: number) => core.tell({ is: 'expect', connectionId: 1, at: '0', personId }),
  };
}
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

async function sealedBy(sender: ReturnType<typeof createBrowser>): Promise<Uint8Array> {
  const before = sender.send.out.length;
  sender.send.put(OPUS);
  await vi.waitFor(() => expect(sender.send.out.length).toBe(before + 1));
  return sender.send.out.at(-1)!;
}
/** Lets the frames pass: streams work in their own tasks. */
const through = () => new Promise((resolve) => setTimeout(resolve, 0));

test('nothing is sent before there is a key, then everything arrives', async () => {
  const [anna, ben] = [createBrowser(7), createBrowser(8)];
  anna.send.put(OPUS);
  await through();
  await anna.key(1);
  await ben.key(1);
  await ben.expects(7);
  ben.open.put(await sealedBy(anna));
  await vi.waitFor(() => expect(ben.open.out).toEqual([OPUS]));
  expect(anna.send.out).toHaveLength(1);
});

test('a change of keys loses nothing: the previous key still decrypts, older ones do not', async () => {
  const [anna, ben] = [createBrowser(7), createBrowser(8)];
  await ben.expects(7);
  for (const generation of [1, 2, 3, 4]) await ben.key(generation);
  const frames = [];
  for (const generation of [1, 3, 4]) {
    await anna.key(generation);
    frames.push(await sealedBy(anna));
  }
  for (const frame of frames) ben.open.put(frame);
  await vi.waitFor(() => expect(ben.open.out).toHaveLength(2));
});

test('a key for decrypting does not encrypt before its time', async () => {
  const anna = createBrowser(7);
  await anna.key(1);
  await anna.key(2, false);
  expect((await sealedBy(anna)).at(-1)).toBe(1);
  await anna.key(2, true);
  expect((await sealedBy(anna)).at(-1)).toBe(2);
});

test('frames that can’t be decrypted are reported once after a while, and again when they can', async () => {
  const [anna, ben] = [createBrowser(7), createBrowser(8)];
  await anna.key(2);
  await ben.key(1);
  await ben.expects(7);
  const frame = await sealedBy(anna);
  ben.open.put(frame);
  await through();
  expect(ben.news).toEqual([]);
  vi.advanceTimersByTime(1_500);
  ben.open.put(frame);
  ben.open.put(frame);
  await vi.waitFor(() => expect(ben.news).toEqual([{ connectionId: 1, at: '0', unreadable: true }]));
  await ben.key(2);
  ben.open.put(frame);
  await vi.waitFor(() => expect(ben.news.at(-1)).toEqual({ connectionId: 1, at: '0', unreadable: false }));
  expect(ben.open.out).toEqual([OPUS]);
  expect(ben.news).toHaveLength(2);
});

test('a stream that is given to somebody else is judged from the start', async () => {
  const [anna, ben] = [createBrowser(7), createBrowser(8)];
  await anna.key(2);
  await ben.expects(7);
  const frame = await sealedBy(anna);
  const twice = async () => {
    ben.open.put(frame);
    await through();
    vi.advanceTimersByTime(1_500);
    ben.open.put(frame);
  };
  await twice();
  await vi.waitFor(() => expect(ben.news).toHaveLength(1));
  await ben.expects(9);
  await twice();
  await vi.waitFor(() => expect(ben.news).toHaveLength(2));
});
