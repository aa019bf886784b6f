/** Numbers for the operator: Prometheus text, no labels that name a person (routes appear as patterns). */
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** One HTTP call: method, route pattern, status, seconds. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** A number that is read each time the metrics are. If that fails it is NaN, and the others are still there. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Makes the numbers of one server. `process` numbers (memory, event loop) are included unless told not to. */
export function createMetrics({ processNumbers = true }: { processNumbers?: boolean } = {}): Metrics {
  const registry = new Registry();
  // Looks at the loop ten times a second instead of a hundred: looking costs an idle server a hundredth of a core.
  // Node counts this time between two looks as lag; alarms and board take it off again.
  if (processNumbers) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP calls',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  /** As many as there are routes and kinds of answers. Looking up labels costs more than counting. */
  const labelled = new Map<string, { observe(seconds: number): void }>();
  return {
    registry,
    observeRequest(method, route, status, seconds) {
      const key = `${status} ${method} ${route}`;
      let counter = labelled.get(key);
      if (counter === undefined) {
        counter = requests.labels({ method, route, status: String(status) });
        labelled.set(key, counter);
      }
      counter.observe(seconds);
    },
    gauge(name, help, read) {
      void new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          try {
            this.set(await read());
          } catch {
            this.set(NaN);
          }
        },
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
