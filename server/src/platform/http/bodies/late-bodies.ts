/**
 * Ends requests whose body does not come whole in time: one byte a second would hold a request for long. One look at
 * all of them now and then costs less than a timer for each.
 */
import type { IncomingMessage } from 'node:http';

/** How often it looks, as a part of the time a body has: so much later than it could, a request is ended. */
const LOOKS = 30;

export interface LateBodies {
  /** The body of a request has to come from now on. A request without a body is left alone. */
  watch(request: IncomingMessage): void;
  /** The request was answered. Its body may still be coming. */
  answered(request: IncomingMessage): void;
  stop(): void;
}

/** Makes the watch. Takes the milliseconds in which a body has to be here. */
export function watchBodies(ms: number): LateBodies {
  /** When the body of each request has to be here. In the order of these times. */
  const due = new Map<IncomingMessage, number>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [request, at] of due) {
      if (at > now) break;
      due.delete(request);
      if (!request.complete) request.destroy();
    }
  }, ms / LOOKS).unref();
  return {
    watch(request) {
      const { 'content-length': length = '0', 'transfer-encoding': chunked } = request.headers;
      if (length !== '0' || chunked !== undefined) due.set(request, performance.now() + ms);
    },
    answered(request) {
      if (request.complete || request.destroyed) due.delete(request);
    },
    stop: () => clearInterval(timer),
  };
}
