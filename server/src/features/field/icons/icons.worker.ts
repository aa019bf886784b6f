/** Cleans one drawing off the main thread, so that a hostile one does not block the server. `icons.service.ts` starts
 * it. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

/** A tenth of the processor while rooms need all of it: enough for a drawing to end long before its time limit. */
const NICENESS = 10;
// On Linux the priority belongs to the calling thread; on other systems it would change the whole server's.
if (process.platform === 'linux') setPriority(0, NICENESS);
const { cleanIcon } = await import('./icons.clean.ts');

// From here on the time belongs to the drawing; loading the DOM took most of a second before.
parentPort!.postMessage('ready');
parentPort!.postMessage(cleanIcon(workerData as string));
