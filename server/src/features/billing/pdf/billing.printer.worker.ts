/** Prints bills off the main thread, so that live rooms never wait for them. `billing.printer.ts` starts it. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { PrintedBill } from './billing.pdf.ts';

/** A tenth of the processor while rooms need all of it. */
const NICENESS = 10;
// On Linux the priority belongs to the calling thread; on other systems it would change the whole server's.
if (process.platform === 'linux') setPriority(0, NICENESS);
const { printBill } = await import('./billing.pdf.ts');

export interface PrintOrder {
  readonly order: number;
  readonly bill: PrintedBill;
}
/** The PDF, or null for a bill that cannot be printed. */
export interface Printed {
  readonly order: number;
  readonly pdf: Uint8Array | null;
}

parentPort!.on('message', ({ order, bill }: PrintOrder) => {
  void printBill(bill)
    .catch(() => null)
    .then((pdf) => parentPort!.postMessage({ order, pdf } satisfies Printed));
});
