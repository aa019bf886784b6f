/** Cleans one drawing off the main thread, so that a hostile one holds up nobody. Started by `icons.service.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { cleanIcon } from './icons.clean.ts';

parentPort!.postMessage(cleanIcon(workerData as string));
