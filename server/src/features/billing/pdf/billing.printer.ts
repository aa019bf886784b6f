/** Prints bills in its own thread, which starts with the first one and ends when none was printed for a while. */
import { Worker } from 'node:worker_threads';
import type { PrintedBill } from './billing.pdf.ts';
import type { Printed, PrintOrder } from './billing.printer.worker.ts';

export interface Printer {
  /** Returns the PDF. Rejects if the bill cannot be printed. */
  print(bill: PrintedBill): Promise<Uint8Array>;
  /** Ends the thread. Prints in progress reject. */
  stop(): Promise<void>;
}

const PROGRAM = new URL('./billing.printer.worker.ts', import.meta.url);
/** Fonts and the words they remember take about 60 MB. */
const IDLE_MS = 30_000;

/** Makes the printer; nothing runs yet. */
export function createPrinter(): Printer {
  let thread: Thread | null = null;
  return {
    print(bill) {
      if (thread === null) {
        // A thread that has ended reports it again when it exits, and another one may have replaced it since.
        const started: Thread = startThread(() => {
          if (thread === started) thread = null;
        });
        thread = started;
      }
      return thread.print(bill);
    },
    stop: async () => void (await thread?.stop()),
  };
}

type Thread = ReturnType<typeof startThread>;

function startThread(onEnd: () => void) {
  const worker = new Worker(PROGRAM, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 256 } });
  const waiting = new Map<number, { resolve: (pdf: Uint8Array) => void; reject: (error: Error) => void }>();
  let orders = 0;
  let idle: NodeJS.Timeout | undefined;
  const end = (error: Error) => {
    clearTimeout(idle);
    onEnd();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the thread that prints bills has ended')));
  worker.on('message', ({ order, pdf }: Printed) => {
    const { resolve, reject } = waiting.get(order)!;
    waiting.delete(order);
    if (pdf === null) reject(new Error('a bill cannot be printed'));
    else resolve(pdf);
    if (waiting.size > 0) return;
    idle = setTimeout(() => {
      // The next bill starts another thread.
      onEnd();
      void worker.terminate();
    }, IDLE_MS).unref();
    worker.unref();
  });
  return {
    print(bill: PrintedBill): Promise<Uint8Array> {
      clearTimeout(idle);
      worker.ref();
      return new Promise((resolve, reject) => {
        orders += 1;
        waiting.set(orders, { resolve, reject });
        worker.postMessage({ order: orders, bill } satisfies PrintOrder);
      });
    },
    stop: () => worker.terminate(),
  };
}
