/**
 * Loaded into the server before its own code (`NODE_OPTIONS=--import …`). On SIGUSR2 it terminates the threads of the
 * video engine, like a crash inside them. Only tests start the server with it.
 */
import process from 'node:process';
import { isMainThread, type Worker } from 'node:worker_threads';

if (isMainThread) {
  const threads = new Set<Worker>();
  process.on('worker', (worker) => {
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
  });
  process.on('SIGUSR2', () => {
    for (const worker of threads) if (worker.threadName?.startsWith('video-')) void worker.terminate();
  });
}
