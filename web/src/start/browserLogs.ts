/**
 * Collects the app's faults and uploads them every 15 seconds (docs/product.md#12.10 to 12.13). Loaded when the page is
 * idle; the light pages, which strangers open, never load it.
 */
import { LOG_UPLOAD_SECONDS, type LogLevel, saveLog } from '@fieldroom/contract/logs';
import { request } from '../platform/api/request.ts';
import { createLogQueue, type LogQueue } from '../platform/log/logQueue.ts';
import { passLogsTo } from '../platform/log/log.ts';
import { onPersonForgotten, storage } from '../platform/storage.ts';

let running: LogQueue | null = null;

function start(page: () => string): LogQueue {
  const queue = createLogQueue({
    // Not by `api.call`: a refused upload must neither sign anybody out nor be logged.
    send: async (loggerEntries, { keepalive }) =>
      (await request<{ level: LogLevel }>('POST', saveLog.path, { body: { loggerEntries }, keepalive })).level,
    mayLog: () => storage.getText('token') !== null,
    isOnline: () => navigator.onLine,
    page,
  });
  passLogsTo(queue.add);
  onPersonForgotten(queue.clear);
  window.addEventListener('error', ({ error }) =>
    queue.add({ level: 'Error', event: 'An error was not caught', fault: error as unknown }),
  );
  window.addEventListener('unhandledrejection', ({ reason }) =>
    queue.add({ level: 'Error', event: 'A promise was rejected', fault: reason as unknown }),
  );
  window.addEventListener('pagehide', () => void queue.upload({ keepalive: true }));
  setInterval(() => void queue.upload(), LOG_UPLOAD_SECONDS * 1000);
  return queue;
}

/**
 * Starts collecting, once, and records the fault of a page that could not be drawn, if there is one. Takes a function
 * that names the shown page, without ids and queries.
 */
export function noteFault(pageName: () => string, fault: unknown): void {
  running ??= start(pageName);
  if (fault !== undefined) running.add({ level: 'Fatal', event: 'A page broke', fault });
}
