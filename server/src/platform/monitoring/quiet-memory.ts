/**
 * Gives memory back when nobody is connected. V8 collects when it needs memory, which an idle server hardly does: what
 * the start or a day of rooms has left stays, above all code that ran once. A full collection took 25 MB off an idle
 * server (169 to 144 MB) and stops the process for about a tenth of a second, so it waits until nobody is in a room.
 */

/** What V8 offers with `--expose-gc` (server/node-flags.json). */
type CollectAll = () => void;

export interface QuietMemoryParts {
  /** How many people are connected now, and how many messages have come from people since the start. */
  traffic(): { connections: number; framesIn: number };
  /** Collects everything; null where Node runs without the flag. Tests bring their own. */
  readonly collect?: CollectAll | null;
}

export interface QuietMemory {
  /** Looks whether it is quiet, and collects. Call it every `everySeconds`. */
  look(): Promise<void>;
  /** Seconds of real time between two looks. */
  readonly everySeconds: number;
}

const EVERY_SECONDS = 20;

function collectorOfV8(): CollectAll | null {
  const { gc } = globalThis;
  // The last resort drops compiled code that has not run lately, too.
  return gc === undefined ? null : () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Makes what collects once after the start and once after each time in which people were connected: when two looks, one
 * after the other, have found nobody. Takes how to see who is connected.
 */
export function createQuietMemory({ traffic, collect = collectorOfV8() }: QuietMemoryParts): QuietMemory {
  /** The messages that had come when it collected last. */
  let collectedAt = -1;
  let quietBefore: number | null = null;
  return {
    everySeconds: EVERY_SECONDS,
    async look() {
      const { connections, framesIn } = traffic();
      const wasQuiet = quietBefore === framesIn;
      quietBefore = connections === 0 ? framesIn : null;
      if (quietBefore === null || !wasQuiet || collectedAt === framesIn) return;
      collectedAt = framesIn;
      collect?.();
    },
  };
}
