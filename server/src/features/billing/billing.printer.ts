/** Prints bills in threads of their own. A thread starts with the first order and ends when nothing was printed for a while. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PrintedBill } from './billing.pdf.ts';
import type { Printed, PrintOrder } from './billing.printer.worker.ts';

export interface Printer {
  /** Returns the PDFs in the order of the bills; null for one that cannot be printed. */
  print(bills: readonly PrintedBill[]): Promise<(Uint8Array | null)[]>;
  /** Ends the threads. Orders that still run fail. */
  stop(): Promise<void>;
}

const PROGRAM = new URL('./billing.printer.worker.ts', import.meta.url);
/** One is enough for a person who opens a bill; a month's bills keep two busy. */
const THREADS_MOST = 2;
/** Fonts and their words take about 60 MB a thread. */
const IDLE_MS = 30_000;

interface Thread {
  print(bills: readonly PrintedBill[]): Promise<readonly (Uint8Array | null)[]>;
  stop(): Promise<unknown>;
}

function startThread(onEnd: () => void): Thread {
  const worker = new Worker(PROGRAM, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 256 } });
  const waiting = new Map<number, { resolve: (printed: Printed['pdfs']) => void; reject: (error: Error) => void }>();
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
  worker.on('message', ({ order, pdfs }: Printed) => {
    waiting.get(order)?.resolve(pdfs);
    waiting.delete(order);
    if (waiting.size > 0) return;
    idle = setTimeout(() => void worker.terminate(), IDLE_MS).unref();
    worker.unref();
  });
  return {
    print(bills) {
      clearTimeout(idle);
      worker.ref();
      return new Promise((resolve, reject) => {
        orders += 1;
        waiting.set(orders, { resolve, reject });
        worker.postMessage({ order: orders, bills: [...bills] } satisfies PrintOrder);
      });
    },
    stop: () => worker.terminate(),
  };
}

/** Makes the printer; nothing runs yet. */
export function createPrinter(): Printer {
  const most = Math.min(THREADS_MOST, availableParallelism());
  const threads = new Map<number, Thread>();
  function thread(index: number): Thread {
    const running = threads.get(index);
    if (running) return running;
    const started: Thread = startThread(() => {
      if (threads.get(index) === started) threads.delete(index);
    });
    threads.set(index, started);
    return started;
  }
  return {
    async print(bills) {
      const share = Math.ceil(bills.length / most);
      const parts = Array.from({ length: Math.ceil(bills.length / share) }, (_, index) =>
        thread(index).print(bills.slice(index * share, (index + 1) * share)),
      );
      return (await Promise.all(parts)).flat();
    },
    async stop() {
      await Promise.all([...threads.values()].map((one) => one.stop()));
    },
  };
}
