/**
 * Work on pictures, bounded for all features together: decoding one takes up to 80 MB. Uploads go by account, and JPEGs
 * for messengers by the block of addresses that asks, so that nobody waits behind somebody else's crowd.
 */
import { createFairQueue } from '../scheduling/fair-queue.ts';

export interface PictureWork {
  /**
   * Runs work on an upload. Takes the account or client that sent it. Returns its result; rethrows its fault.
   * @throws Problem too_many_requests where too many of theirs wait
   */
  render<T>(sender: string, work: () => Promise<T>): Promise<T>;
  /**
   * Returns a JPEG that messengers show. Takes what names it (another picture, another name), the address block that
   * asks, and how to make it; the latest ones are kept. Rethrows the fault of `make`, which is not kept.
   * @throws Problem too_many_requests where too many of that block wait
   */
  share(name: string, block: string, make: () => Promise<Buffer>): Promise<Buffer>;
}

const RENDERED_TOGETHER = 2;
/** Maximum number of pictures of one sender that wait. */
const WAITING_OF_SENDER = 5;
const SHARED_TOGETHER = 1;
/** Maximum number of JPEGs that wait for one address block. */
const WAITING_OF_BLOCK = 20;
/** About sixty JPEGs. */
const KEPT_BYTES = 8_000_000;

/** Makes the queues. Takes how many bytes of JPEGs are kept. */
export function createPictureWork({ keptBytes = KEPT_BYTES }: { keptBytes?: number } = {}): PictureWork {
  const rendering = createFairQueue({ together: RENDERED_TOGETHER, waitingMax: WAITING_OF_SENDER });
  const sharing = createFairQueue({ together: SHARED_TOGETHER, waitingMax: WAITING_OF_BLOCK });
  /** The one used last comes last. */
  const kept = new Map<string, Buffer>();
  const making = new Map<string, Promise<Buffer>>();
  let bytes = 0;

  function keep(name: string, jpeg: Buffer): void {
    if (kept.has(name)) return;
    kept.set(name, jpeg);
    bytes += jpeg.byteLength;
    for (const [oldest, { byteLength }] of kept) {
      if (bytes <= keptBytes) return;
      kept.delete(oldest);
      bytes -= byteLength;
    }
  }

  return {
    render: (sender, work) => rendering.run(sender, work),

    async share(name, block, make) {
      const found = kept.get(name);
      if (found !== undefined) {
        kept.delete(name);
        kept.set(name, found);
        return found;
      }
      // By block: nobody waits in the queue of others, or is refused because it is full.
      const key = `${block} ${name}`;
      const others = making.get(key);
      if (others !== undefined) return others;
      const jpeg = sharing.run(block, async () => kept.get(name) ?? make());
      making.set(key, jpeg);
      try {
        keep(name, await jpeg);
      } finally {
        making.delete(key);
      }
      return jpeg;
    },
  };
}
