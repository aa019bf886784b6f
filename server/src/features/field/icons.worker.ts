/** Cleans one drawing off the main thread, so that a hostile one holds up nobody. Started by `icons.service.ts`. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

/** A tenth of the processor where rooms want all of it: enough for a drawing to end long before its time limit. */
const NICENESS = 10;
// On Linux the priority belongs to the calling thread; on other systems it would be the whole server's.
if (process.platform === 'linux') setPriority(0, NICENESS);
const { cleanIcon } = await import('./icons.clean.ts');

// From here on the time is the drawing's own; loading the DOM took most of a second before.
parentPort!.postMessage('ready');
parentPort!.postMessage(cleanIcon(workerData as string));
